import { accept, refuse, type Parsed } from './parsed.ts';

const perSecond = { s: 1, m: 1 / 60, min: 1 / 60, h: 1 / 3600 } as const;
const form = 'requests in a time, such as 50/s, 300/m or 1000/h, at most 100000/s';

/** A rate such as `50/s` or `300/m`, as requests a second; a bare number counts seconds. */
export function parseRate(text: string): Parsed<number> {
  const [, amount, unit = 's'] = /^(\d{1,9}(?:\.\d{1,6})?)(?:\/(s|m|min|h))?$/.exec(text) ?? [];
  const rate = Number(amount ?? Number.NaN) * perSecond[unit as keyof typeof perSecond];
  return rate > 0 && rate <= 100_000 ? accept(rate) : refuse(form, text);
}
