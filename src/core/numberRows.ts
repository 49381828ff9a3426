import { type LetterRow, RowMaker } from './letterRow.ts';

/**
 * What the lists of numbers in a text say that are the codes of characters: `[103,107]` and `{"0":103,"1":107}` as JSON has bytes,
 * `67:6b`, `67 6B`, `676b 5f6c`, `0x67, 0x6b` and `=67=6B` in hexadecimal, `\147\153` in octal; also of UTF-16, whose zeros say nothing.
 * `shortest` is the number of codes that are worth a look.
 */
export function numberRows(text: string, shortest: number): readonly LetterRow[] {
  const least = 3 * shortest - 1;
  let rows: LetterRow[] | null = null;
  // Scans backwards from where a list would have to end, so that it reads little of an ordinary text.
  for (let from = 0, at = least - 1; at < text.length; at = from + least - 1) {
    while (at >= from && isOfList(text.charCodeAt(at))) at -= 1;
    if (at >= from) {
      from = at + 1;
      continue;
    }
    let to = from + least;
    while (to < text.length && isOfList(text.charCodeAt(to))) to += 1;
    (rows ??= []).push(...rowsIn(text, from, to));
    from = to + 1;
  }
  return rows ?? [];
}

/** A list may mean three things, since it does not say to which base its numbers are. */
function rowsIn(text: string, from: number, to: number): readonly LetterRow[] {
  const [hex, decimal, octal] = [new RowMaker(), new RowMaker(), new RowMaker()];
  for (let at = from; at < to; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const start = at;
    while (at < to && isDigit(text.charCodeAt(at))) at += 1;
    for (let pair = start; pair + 2 <= at; pair += 2)
      hex.add(16 * valueAt(text, pair) + valueAt(text, pair + 1), pair, pair + 2);
    // Longer numbers are no codes of letters.
    if (at - start > 4) continue;
    const number = text.slice(start, at);
    decimal.add(Number(number), start, at);
    octal.add(Number.parseInt(number, 8), start, at);
  }
  return [hex.row(), decimal.row(), octal.row()];
}

/** What a hexadecimal digit stands for. */
function valueAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= 57 ? code - 48 : (code | 32) - 87;
}

/** Digits of any base up to 16. */
function isDigit(code: number): boolean {
  return digits[code] === 1;
}

function isOfList(code: number): boolean {
  return parts[code] === 1;
}

const digits = tableOf(/[\da-f]/i);
/** Digits, and what stands before and between numbers, line ends in JSON included. */
const parts = tableOf(/[\da-f\s,:;=|"'[\]{}\\xnrt-]/i);

/** A table of the ASCII characters: 1 for those of the class. */
function tableOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (characters.test(String.fromCharCode(code)) ? 1 : 0));
}
