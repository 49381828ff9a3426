/** What reading a value came to. A failure says what was expected, and shows what came unless that may be a secret. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** The accepted form with an example, fit to follow the word 'expected'. */
      readonly expected: string;
      /** What came, as it may be printed. */
      readonly got: string;
    };

/** Reads text into a value, or says what was expected. */
export type Parser<T> = (text: string) => Parsed<T>;

export function accept<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

export function refuse(expected: string, got: string): Parsed<never> {
  return { ok: false, expected, got: quote(got) };
}

/** Refuses a value that is or may be a secret: only what is wrong with it is told. */
export function refuseSecret(expected: string, fault: string): Parsed<never> {
  return { ok: false, expected, got: fault };
}

/** A value as an error message shows it: on one line, quoted, cut off after 80 characters. */
export function quote(text: string): string {
  const line = JSON.stringify(text);
  return line.length <= 82 ? line : `${line.slice(0, 80)}…"`;
}
