import { resolve } from 'node:path';
import { z } from 'zod';
import { annotate } from './annotations.ts';
import { quote } from './quote.ts';
import type { ValuePlace } from './row.ts';

/** How one kind of value is written as text. */
interface TextForm<T> {
  /** The accepted form with an example, worded to follow 'expected'; for some, it depends on the text. */
  readonly expected: string | ((text: string) => string);
  /** The value; undefined if the text does not have this form. */
  readonly read: (text: string) => T | undefined;
  /** What was given, as a message may show it; for a secret, only what is wrong with it. */
  readonly got?: (text: string) => string;
}

/** The schema of values written as text, on the command line and in a config file alike. */
export function textForm<T>({ expected, read, got = quote }: TextForm<T>): z.ZodType<T, string> {
  const say = typeof expected === 'string' ? () => expected : expected;
  const form = z.string().transform((text, { issues }): T => {
    const value = read(text);
    if (value !== undefined) return value;
    const message = `expected ${say(text)}; got ${got(text)}`;
    issues.push({ code: 'custom', message, input: undefined });
    return z.NEVER;
  });
  return annotate(form, { expected: say('') });
}

/** Text on one line that is not blank, such as a pattern or an image reference. */
export const words = textForm({
  expected: 'text that is not empty',
  read: (text) => (/^[^\n\r\0]*\S[^\n\r\0]*$/.test(text) ? text.trim() : undefined),
});

/** A path, made absolute from the folder where it was written. */
export function path({ folder }: ValuePlace): z.ZodType<string, string> {
  return annotate(
    words.transform((text) => resolve(folder, text)),
    { isPath: true },
  );
}

/** A whole number; by default with the bounds of a count. */
export function whole(min = 0, max?: number): z.ZodType<number, number> {
  return max === undefined ? z.int().min(min) : z.int().min(min).max(max);
}

export const largestSeed = 0x7fffffff;
export const seed = whole(0, largestSeed);
export const port = whole(0, 65_535);

const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

/** A duration such as `90s`, `15m`, `1h30m` or `500ms`, in milliseconds; more than 0, at most a week. */
export const duration = textForm({
  expected: 'a duration with a unit, up to a week, such as 90s, 15m or 1h30m',
  read: (text) => {
    const [, ...amounts] = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text) ?? [];
    const ms = Object.values(units).reduce((sum, unit, index) => sum + unit * Number(amounts[index] ?? 0), 0);
    return ms > 0 && ms <= 7 * 24 * units.h ? ms : undefined;
  },
});

/** A signed duration such as `-90s`: how far a clock is off. */
export const offset = textForm({
  expected: 'a duration with a unit, which may be negative, such as 90s or -2h',
  read: (text) => {
    if (/^[+-]?0s?$/.test(text)) return 0;
    const amount = duration.safeParse(text.replace(/^[+-]/, '')).data;
    return amount === undefined ? undefined : text.startsWith('-') ? -amount : amount;
  },
});

/** A percentage such as `80%`, as a share from 0 to 1. */
export const share = textForm({
  expected: 'a percentage from 0% to 100%, such as 80%',
  read: (text) => {
    const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1] ?? Number.NaN);
    return percent <= 100 ? percent / 100 : undefined;
  },
});

/** A percentage above zero, as a share. */
export const positiveShare = textForm({
  expected: 'a percentage above 0% and up to 100%, such as 50%',
  read: (text) => {
    const percent = Number(/^(\d{1,3}(?:\.\d+)?)%$/.exec(text)?.[1] ?? Number.NaN);
    return percent > 0 && percent <= 100 ? percent / 100 : undefined;
  },
});

/** How many requests the explorer sends: `off`, `auto` or a number. */
export const exploration = z.union([z.enum(['off', 'auto']), whole(1)]);

/** One of N disjoint parts, `I/N`, counted from 1. */
export const shard = textForm({
  expected: 'I/N with I from 1 to N, such as 1/4',
  read: (text) => {
    const [, index, total] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
    return index !== undefined && total !== undefined && index >= 1 && index <= total
      ? { index, total }
      : undefined;
  },
});

/** Requests a minute and an hour, such as `60/1000`. */
export const limitPair = textForm({
  expected: 'requests a minute and an hour, such as 60/1000',
  read: (text) => {
    const [, perMinute = 0, perHour = 0] = (/^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []).map(Number);
    return perMinute > 0 && perHour > 0 ? { perMinute, perHour } : undefined;
  },
});

const perSecond: Readonly<Record<string, number>> = { s: 1, m: 1 / 60, min: 1 / 60, h: 1 / 3600 };

/** A rate such as `50/s` or `300/m`, as requests per second; a bare number is per second. */
export const rate = textForm({
  expected: 'requests in a time, such as 50/s, 300/m or 1000/h, at most 100000/s',
  read: (text) => {
    const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,6})?)(?:\/(s|m|min|h))?$/.exec(text) ?? [];
    const value = Number(amount ?? Number.NaN) * (perSecond[unit] ?? Number.NaN);
    return value > 0 && value <= 100_000 ? value : undefined;
  },
});
