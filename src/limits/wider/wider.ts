import type { Decision } from '../decision.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';

/** Ids of the limiters that take more than one number to describe, and of the log that is not what it should be. */
export type WiderId =
  | 'burst-bucket'
  | 'bucket-before-log'
  | 'burst-queue'
  | 'late-log'
  | 'instances'
  | 'forgetful-log'
  | 'shorter-log'
  | 'longer-log';

/** A limiter of more than one number that explains a timeline. */
export interface Explanation {
  readonly id: WiderId;
  /** In words, such as `token bucket of 10 that refills 60 a minute`. */
  readonly name: string;
  /** Products and set-ups that behave like that. */
  readonly like: string;
}

/** What an explanation is made of. */
export interface Timeline {
  readonly decisions: readonly Decision[];
  /** The same, one timeline for each key. */
  readonly budgets: readonly (readonly Decision[])[];
  readonly window: WindowLimit;
  /** Milliseconds to add to a decision's instant for the deployment's wall clock; null where it is not known. */
  readonly epochMs: number | null;
}

/**
 * Tried in turn, only where no limiter of one number explains a timeline: what can be fitted in many ways may be named
 * only where nothing plainer would do.
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
