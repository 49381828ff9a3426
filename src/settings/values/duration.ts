import { accept, refuse, type Parsed } from './parsed.ts';

const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
const form = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** A duration such as `90s`, `15m`, `1h30m` or `500ms`, in milliseconds; more than nothing, at most a week. */
export function parseDuration(text: string): Parsed<number> {
  const [, ...amounts] = form.exec(text) ?? [];
  const ms = Object.values(units).reduce((sum, unit, index) => sum + unit * Number(amounts[index] ?? 0), 0);
  return ms > 0 && ms <= 7 * 24 * units.h ? accept(ms) : refuse(`a duration ${durationForm}`, text);
}

/** The accepted form, for error messages and help. */
export const durationForm = 'with its unit, up to a week, such as 90s, 15m or 1h30m';

/** A signed duration such as `-90s`: how far a clock is off. */
export function parseOffset(text: string): Parsed<number> {
  const sign = text.startsWith('-') ? -1 : 1;
  const amount = /^[+-]?0s?$/.test(text) ? accept(0) : parseDuration(text.replace(/^[+-]/, ''));
  return amount.ok
    ? accept(amount.value === 0 ? 0 : sign * amount.value)
    : refuse('a duration with its unit, perhaps with a minus, such as 90s or -2h', text);
}
