import type { FoundSecret } from './disguises.ts';

/** The longest secret that is looked for in every spelling: an expression for a longer one cannot be made, or takes too long. */
export const longestSpelt = 2_048;

/** Secrets that are longer than any credential in use, such as a callback key of a megabyte: looked for as they are, and as JSON has them. */
export class LongSecrets {
  readonly #forms = new Map<string, string>();

  get size(): number {
    return this.#forms.size;
  }

  add(secret: string, label: string): void {
    this.#forms.set(secret, label);
    this.#forms.set(JSON.stringify(secret).slice(1, -1), label);
  }

  /** The places where one stands, none within another of the same. */
  find(text: string): readonly FoundSecret[] {
    const found: FoundSecret[] = [];
    for (const [form, label] of this.#forms)
      for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + form.length))
        found.push({ from, to: from + form.length, label });
    return found;
  }
}
