import { isLetter, type LetterRow, RowMaker } from './letterRow.ts';
import { numberRows } from './numberRows.ts';

/** A place in a text where a secret occurs with separators between its characters. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** A match of this many consecutive letters and digits of a secret is no coincidence. */
const telling = 12;
/** Their shortest length with separators in between. */
const shortest = 2 * telling - 1;

/**
 * Finds secrets that are shown with separators between all of their characters: blanks, dots, dashes, invisible characters, or
 * codes of these; or as a list of the codes of all characters. The separators do not matter, since only letters and digits are compared.
 */
export class SpreadSecrets {
  readonly #labels = new Map<string, string>();

  add(secret: string, label: string): void {
    const letters = secret.replace(/[^a-z0-9]/gi, '').toLowerCase();
    for (let at = 0; at + telling <= letters.length; at += 1) {
      const piece = letters.slice(at, at + telling);
      if (!this.#labels.has(piece)) this.#labels.set(piece, label);
    }
  }

  find(text: string): readonly Place[] {
    if (this.#labels.size === 0 || text.length < shortest) return none;
    let found: Place[] | null = null;
    for (const row of rowsOf(text)) {
      const place = this.#placeIn(row);
      if (place !== null) (found ??= []).push(place);
    }
    return found ?? none;
  }

  /** From the first to the last character that belongs to a secret; several in one row become one place. */
  #placeIn({ text, starts, ends }: LetterRow): Place | null {
    const found: Place[] = [];
    for (let at = 0; at + telling <= text.length; at += 1) {
      const label = this.#labels.get(text.slice(at, at + telling));
      if (label !== undefined) found.push({ from: starts[at] ?? 0, to: ends[at + telling - 1] ?? 0, label });
    }
    const [first, last] = [found[0], found.at(-1)];
    return first && last ? { ...first, to: last.to } : null;
  }
}

function rowsOf(text: string): readonly LetterRow[] {
  const [plain, numbers] = [plainRows(text), numberRows(text, telling)];
  const rows = numbers.length === 0 ? plain : [...plain, ...numbers];
  if (!mayHoldCodes(text)) return rows;
  return [...rows, ...Array.from(text.matchAll(coded), (match) => codedRow(match[0], match.index))];
}

/** Scans backwards from where a row would have to end for two letters side by side, so that it reads little of an ordinary text. */
function plainRows(text: string): readonly LetterRow[] {
  let rows: LetterRow[] | null = null;
  const { length } = text;
  for (let from = 0; from + shortest <= length;) {
    let at = from + shortest - 1;
    while (at > from && !isPair(text, at)) at -= 1;
    if (at > from) {
      from = at;
      continue;
    }
    let to = from + shortest;
    while (to < length && !isPair(text, to)) to += 1;
    (rows ??= []).push(plainRow(text, from, to));
    from = to;
  }
  return rows ?? none;
}

function plainRow(text: string, from: number, to: number): LetterRow {
  const maker = new RowMaker();
  for (let at = from; at < to; at += 1) maker.add(text.charCodeAt(at), at, at + 1);
  return maker.row();
}

const code = String.raw`(?:%(?:25){0,3}[\da-f]{2}|\\{1,8}(?:u[\da-f]{4}|x[\da-f]{2}|[bfnrt])|&#?\w{2,6};)`;
/** Single characters with codes of others in between. */
const coded = new RegExp(String.raw`[\w-](?:${code}{1,3}[\w-]){${telling - 1},}`, 'gi');
const codes = new RegExp(`${code}{1,3}`, 'giy');

/** Every second part is a code, which may itself contain letters. */
function codedRow(text: string, from: number): LetterRow {
  const maker = new RowMaker();
  for (let at = 0; at < text.length;) {
    maker.add(text.charCodeAt(at), from + at, from + at + 1);
    codes.lastIndex = at + 1;
    at = codes.test(text) ? codes.lastIndex : at + 1;
  }
  return maker.row();
}

/** A cheap first look, since most texts contain no such code. */
function mayHoldCodes(text: string): boolean {
  const mayHoldEntities = text.includes('&') && text.includes(';');
  return text.includes('%') || mayHoldEntities || (text.includes('\\') && /\\[uxbfnrt]/i.test(text));
}

function isPair(text: string, at: number): boolean {
  return isLetter(text.charCodeAt(at)) && isLetter(text.charCodeAt(at - 1));
}

const none: readonly never[] = [];
