import type { Decision } from './decision.ts';

/** The rates of two clocks may differ by this share: certain conclusions are drawn for a slightly shorter window. */
export const drift = 0.001;

/** A store that counts in whole seconds frees a place up to a second or two late, which the documents allow. */
const coarseMs = 2000;

/** Requests this close together are certainly in one window. */
export function certainWindow(windowMs: number): number {
  return windowMs * (1 - drift);
}

/** The same of two requests: what a clock was moved by is no matter of its rate. */
export function areWithin(first: Decision, last: Decision, windowMs: number): boolean {
  const span = last.received - first.sent;
  const passed = span - ((last.movedMs ?? 0) - (first.movedMs ?? 0));
  return span + drift * passed < windowMs;
}

/** Requests further apart than this are never in one window. */
export function possibleWindow(windowMs: number): number {
  return windowMs * (1 + drift) + coarseMs;
}
