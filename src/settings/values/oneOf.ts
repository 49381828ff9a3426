import { suggest } from '../suggest.ts';
import { accept, refuse, type Parser } from './parsed.ts';

/** One of a few words. */
export function parseOneOf<const T extends string>(choices: readonly T[]): Parser<T> {
  return (text) => {
    const choice = choices.find((one) => one === text);
    return choice === undefined
      ? refuse(`one of ${choices.join(', ')}${suggest(text, choices)}`, text)
      : accept(choice);
  };
}
