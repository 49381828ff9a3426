import type { Outcome } from '../core/evidence.ts';

/** Reads `retryAfter` of a JSON body: seconds as a number, or as a decimal number in a string; null if there is none. */
export function parseRetryAfter(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('retryAfter' in body)) return null;
  const { retryAfter } = body;
  const value = typeof retryAfter === 'string' && decimal.test(retryAfter) ? Number(retryAfter) : retryAfter;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** What else JavaScript reads as a number, such as 0x10 or 1e3, nobody writes for seconds. */
const decimal = /^\s*[+-]?\d+(\.\d+)?\s*$/;

/** How long a refused client has to wait, in milliseconds, by the body or else the `Retry-After` header. */
export function retryAfterMs(outcome: Outcome): number | null {
  if (outcome.kind !== 'response') return null;
  const seconds = parseRetryAfter(parse(outcome.response.body)) ?? headerSeconds(outcome.response.headers);
  return seconds === null || seconds < 0 ? null : seconds * 1000;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return null;
  }
}

function headerSeconds(headers: readonly (readonly [string, string])[]): number | null {
  const value = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  return value !== undefined && /^\d+$/.test(value.trim()) ? Number(value) : null;
}
