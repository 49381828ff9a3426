import { createRandom, hash32 } from '../../core/random.ts';

// Without 0, I, L, O and U, which some id alphabets leave out.
const pools = { digit: '123456789', hex: 'abcdef', lower: 'abcdefghjkmnpqrstvwxyz' };

/** A number with few digits is a counter, so another one of that length may exist; with many digits it does not. */
const countDigits = { most: 6, far: 9 };
/** A longer text of digits is no exact integer. */
const exactDigits = 15;
/** How many others are tried where one is known. */
const mostOthers = 20;

/**
 * An id that has the shape of a real one and is none of those `seen`; nothing else says that it names nothing, so that whoever
 * asks has to look whether it does. Another salt, another id. Of a text only the last group of letters and digits changes (12
 * at most), each character within its class, so that prefixes and the version of a UUID stay; a short number becomes a long
 * one. A number is far from all that were seen.
 */
export function unknownLike(id: string, seen: ReadonlySet<string> = new Set(), salt = 0): string {
  if (/^\d+$/.test(id) && id.length <= exactDigits) return numberLike(id, seen, salt);
  for (let other = 0; other < mostOthers; other += 1) {
    const unknown = changed(id, `${salt}${other === 0 ? '' : `/${other}`}`);
    if (!seen.has(unknown)) return unknown;
  }
  return `${id}0`;
}

function numberLike(id: string, seen: ReadonlySet<string>, salt: number): string {
  const digits = id.length < countDigits.most ? countDigits.far : id.length;
  const numbers = [...seen].filter((one) => /^\d+$/.test(one)).map(Number);
  return String(
    farNumber([...numbers, Number(id)], { low: 10 ** (digits - 1), high: 10 ** digits - 1 }, salt),
  );
}

function changed(id: string, salt: string): string {
  const tail = /[A-Za-z0-9]{1,12}(?=[^A-Za-z0-9]*$)/.exec(id);
  if (tail === null) return `${id}0`;
  const [text] = tail;
  const shape =
    /^\d+$/.test(text) && text.length < countDigits.most ? text.padEnd(countDigits.far, '1') : text;
  const random = createRandom(hash32(`${id}/${salt}`));
  const other = Array.from(shape, (character) => replaced(character, isHex(text), random)).join('');
  return id.slice(0, tail.index) + other + id.slice(tail.index + text.length);
}

/** What columns of a database hold: an id beyond that is no number of this deployment. */
const columns = [2 ** 31 - 1, 2 ** 32 - 1, Number.MAX_SAFE_INTEGER];

/**
 * A booking number that is far from all that were seen, and from both ends, at which deployments begin to count: numbers may
 * rise from 1, fall from the largest, or be random. Another salt, another number.
 */
export function unknownNumber(seen: Iterable<number>, salt = 0): number {
  const numbers = [...seen].filter((one) => Number.isSafeInteger(one) && one >= 0);
  const largest = Math.max(0, ...numbers);
  const high = columns.find((most) => largest <= most) ?? Number.MAX_SAFE_INTEGER;
  return farNumber(numbers, { low: 1, high }, salt);
}

/** Where in the widest gap a number is taken from: about its middle, and then places around it. */
const places = [0.4969, 0.3761, 0.6277, 0.4391, 0.5603];

function farNumber(
  numbers: readonly number[],
  { low, high }: { readonly low: number; readonly high: number },
  salt: number,
): number {
  const within = numbers.filter((one) => one > low && one < high);
  const bounds = [low, ...within.toSorted((one, other) => one - other), high];
  let [from, width] = [low, 0];
  for (const [index, start] of bounds.slice(0, -1).entries()) {
    const gap = (bounds[index + 1] ?? start) - start;
    if (gap > width) [from, width] = [start, gap];
  }
  return from + Math.round(width * (places[salt % places.length] ?? 0));
}

function isHex(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text);
}

function replaced(character: string, hex: boolean, random: () => number): string {
  if (/[0-9]/.test(character)) return other(pools.digit, character, random);
  const lower = other(hex ? pools.hex : pools.lower, character.toLowerCase(), random);
  return character === character.toLowerCase() ? lower : lower.toUpperCase();
}

function other(pool: string, character: string, random: () => number): string {
  const candidates = Array.from(pool).filter((candidate) => candidate !== character);
  return candidates[Math.floor(random() * candidates.length)] ?? character;
}
