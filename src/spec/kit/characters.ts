import { mapped, oneOf, type Make } from './mutation.ts';

/** A text of so many of the characters. */
export function word(characters: string, minLength: number, maxLength = minLength): Make<string> {
  const character = oneOf(...Array.from(characters));
  return (fc) => fc.string({ unit: character(fc), minLength, maxLength });
}

/** Texts one after another. */
export function joined(...parts: readonly Make<string>[]): Make<string> {
  return mapped(
    (fc) => fc.tuple(...parts.map((part) => part(fc))),
    (texts) => texts.join(''),
  );
}

/** One or the other, as often as its weight says. */
export function either<T>(
  ...parts: readonly { readonly weight: number; readonly arbitrary: Make<T> }[]
): Make<T> {
  return (fc) => fc.oneof(...parts.map(({ weight, arbitrary }) => ({ weight, arbitrary: arbitrary(fc) })));
}

const digitsFrom = (zero: string) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCharCode(zero.charCodeAt(0) + Number(digit)));

/** Writes numbers in digits that some readers take for those of ASCII. */
export const otherDigits = { arabic: digitsFrom('\u0660'), wide: digitsFrom('\uff10') } as const;
