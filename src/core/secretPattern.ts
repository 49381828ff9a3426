/**
 * The source of a regular expression for all forms in which a recording may contain a secret: plain, escaped in JSON (also JSON
 * within JSON, and by encoders that escape more than necessary), in a URL or form, as base64.
 */
export function secretPattern(secret: string): string {
  return [
    Array.from(secret.matchAll(parts), patternOfPart).join(''),
    ...base64Parts(secret).map(patternOfBase64),
  ].join('|');
}

/**
 * For each form of a secret, a run of `length` characters in lower case that occurs in every text with that form: letters and
 * digits, in the secret itself also `_` and `-`. Null if a form has no such run.
 */
export function anchorsOf(secret: string, length: number): readonly string[] | null {
  const plain = rowOf(secret, length, [/[a-z0-9]+/gi, /[\w-]+/g]);
  const anchors = [plain, ...base64Parts(secret).map((part) => rowOf(part, length, [/[a-z0-9]+/gi]))];
  return anchors.every((anchor) => anchor !== undefined) ? anchors : null;
}

function rowOf(form: string, length: number, kinds: readonly RegExp[]): string | undefined {
  const rows = kinds.flatMap((kind) => form.match(kind) ?? []);
  return rows
    .find((row) => row.length >= length)
    ?.slice(0, length)
    .toLowerCase();
}

const controls: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\f': 'f',
  '\r': 'r',
};

/** A character, with all backslashes in a row before it. */
const parts = /(\\*)([^\\])|\\+$/gu;

/**
 * As each backslash may be any number of them, so may a row of them. Looked for one by one, or with further ones before the
 * character behind it, a row could be shared among them in more ways than can be tried.
 */
function patternOfPart([whole, row = whole, character = '']: RegExpExecArray): string {
  if (row === '') return spellingsOf(character);
  const rest = character === '' ? '' : spellingsOf(character);
  const bare = character === '' ? '' : spellingsOf(character, '');
  const forms = [String.raw`\\{1,8}u005[cC]`, '%(?:25)*5[cC]'].map(
    (form) => `(?:${form}){${row.length}}${rest}`,
  );
  return `(?:${[String.raw`(?<!\\)\\{${row.length},}${bare}`, ...forms].join('|')})`;
}

/**
 * Letters and digits are written as they are everywhere; anything else may be escaped, several times over: with any number of
 * backslashes before it, unless these are looked for already.
 */
function spellingsOf(character: string, backslashes?: ''): string {
  if (/^[\w-]$/.test(character)) return escapeRegExp(character);
  const bytes = [...Buffer.from(character)];
  const control = controls[character];
  const [some, more] = [backslashes ?? String.raw`\\{0,7}`, backslashes ?? String.raw`\\{1,8}`];
  const spellings = [
    ...(control === undefined ? [] : [`${more}${control}`]),
    `${some}${escapeRegExp(character)}`,
    unitsOf(character)
      .map((unit, index) => `${index === 0 ? more : String.raw`\\{1,8}`}u${hex(unit, 4)}`)
      .join(''),
    bytes.map((byte) => `%(?:25)*${hex(byte, 2)}`).join(''),
    ...(character === ' ' ? [String.raw`\+`] : []),
    // UTF-8 that was read as Latin-1, as in header fields.
    ...(bytes.length > 1 ? [escapeRegExp(String.fromCharCode(...bytes))] : []),
  ];
  return `(?:${spellings.join('|')})`;
}

function unitsOf(character: string): readonly number[] {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
}

/** Shorter ones would match words by coincidence. */
const shortestBase64 = 8;

/** The parts of the base64 form that do not depend on what surrounds the secret, for each of the three alignments. */
function base64Parts(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2]
    .map((offset) => {
      const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
      return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    })
    .filter((part) => part.length >= shortestBase64);
}

function patternOfBase64(part: string): string {
  return part.replaceAll('+', '(?:[+-]|%2[Bb])').replaceAll('/', String.raw`(?:\\{0,7}[/_]|%2[Ff])`);
}

/** Hexadecimal digits in either case. */
function hex(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0');
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
