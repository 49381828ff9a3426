import { accept, refuse, type Parser } from './parsed.ts';

interface Range {
  readonly min: number;
  readonly max: number;
  readonly example: number;
}

/** A whole number within a range, written in plain digits. */
export function parseInteger({ min, max, example }: Range): Parser<number> {
  const bounds = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? accept(value)
      : refuse(`a whole number ${bounds}, such as ${example}`, text);
  };
}

export const largestSeed = 0x7fffffff;

export const parseSeed = parseInteger({ min: 0, max: largestSeed, example: 42 });
export const parsePort = parseInteger({ min: 0, max: 65_535, example: 8080 });
export const parseCount = parseInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, example: 60 });
export const parsePositive = parseInteger({ min: 1, max: Number.MAX_SAFE_INTEGER, example: 60 });
