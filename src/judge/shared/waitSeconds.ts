import type { Json } from '../kernel/body.ts';

/** Seconds of a `retryAfter`: a number, or a number as text (an open point); NaN for anything else. */
export function secondsOf(value: Json | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : Number.NaN;
}
