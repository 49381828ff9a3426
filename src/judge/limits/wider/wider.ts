import type { Decision } from '../decision.ts';
import type { WindowLimit } from '../../../core/windowLimit.ts';

/** Ids of the limiters that take more than one number to describe, and of faulty logs. */
export type WiderId =
  | 'burst-bucket'
  | 'bucket-before-log'
  | 'burst-queue'
  | 'late-log'
  | 'instances'
  | 'forgetful-log'
  | 'shorter-log'
  | 'longer-log';

/** A limiter with more than one number that explains a timeline. */
export interface Explanation {
  readonly id: WiderId;
  /** In words, such as `token bucket of 10 that refills 60 a minute`. */
  readonly name: string;
  /** Products and set-ups that behave like this. */
  readonly like: string;
}

/** What an explanation is derived from. */
export interface Timeline {
  readonly decisions: readonly Decision[];
  /** The same, one timeline for each key. */
  readonly budgets: readonly (readonly Decision[])[];
  readonly window: WindowLimit;
  /** Milliseconds to add to a decision's instant for the deployment's wall clock; null if unknown. */
  readonly epochMs: number | null;
}

/**
 * Tried in turn, only if no limiter with one number explains a timeline: what can be fitted in many ways may be named only if
 * nothing simpler fits.
 */
export type Explain = (timeline: Timeline) => Explanation | null;

/** `a minute`, `an hour`, or the seconds. */
export function perWindow(windowMs: number): string {
  if (windowMs === 60_000) return 'a minute';
  return windowMs === 3_600_000 ? 'an hour' : `in ${windowMs / 1000} s`;
}

/** `10`, or `10 to 12`. */
export function rangeText(from: number, to: number): string {
  return from === to ? String(from) : `${from} to ${to}`;
}
