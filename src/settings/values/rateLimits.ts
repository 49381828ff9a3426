import { accept, refuse, type Parsed } from './parsed.ts';

/** `60/1000`: requests a minute and an hour. */
export function parseRateLimits(text: string): Parsed<{ perMinute: number; perHour: number }> {
  const [, perMinute = '0', perHour = '0'] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  const limits = { perMinute: Number(perMinute), perHour: Number(perHour) };
  return limits.perMinute > 0 && limits.perHour > 0
    ? accept(limits)
    : refuse('requests a minute and an hour, such as 60/1000', text);
}
