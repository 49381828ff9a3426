/** Letters and digits that a text shows one by one, and where each of them stands. */
export interface LetterRow {
  /** In lower case. */
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Collects a row from left to right; anything but ASCII letters and digits is left out. */
export class RowMaker {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #letters = '';

  add(code: number, from: number, to: number): void {
    if (!isLetter(code)) return;
    this.#letters += String.fromCharCode(code);
    this.#starts.push(from);
    this.#ends.push(to);
  }

  row(): LetterRow {
    return { text: this.#letters.toLowerCase(), starts: this.#starts, ends: this.#ends };
  }
}

/** Whether it is an ASCII letter or digit. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}
