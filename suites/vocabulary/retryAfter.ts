import { holds, unclear, type Judgement, differs } from '../../src/judge/kernel/judgement.ts';
import * as is from '../../src/spec/kernel/value.ts';
import type { Decision } from '../../src/judge/limits/decision.ts';

/** A refusal, with the oldest request in its window. */
export interface RefusedRequest {
  /** Seconds. */
  readonly retryAfter: number | null;
  readonly at: Decision;
  readonly oldest: Decision;
}

/** Seconds gained by rounding up, and by counting from a second that has already begun. */
const roundingS = 1;

/**
 * How many windows a wait in seconds may last. A limiter that counts in coarse steps, or adds a margin, announces more than the
 * window, and a key that waits this long is served; a value far beyond it is in another unit.
 */
const mostWindows = 2;

/** Whether a wait is in seconds: positive while there is something to wait for, and not far longer than the window that was hit. */
export function judgeRetryAfter(refusal: RefusedRequest, windowMs: number): Judgement {
  const { retryAfter } = refusal;
  if (retryAfter === null) return unclear('there is no retryAfter');
  const [, longest] = restOf(refusal, windowMs);
  const before = `at most ${longest.toFixed(1)} s before a place comes free`;
  const got = is.noted(is.value(retryAfter), before);
  const windowS = windowMs / 1000;
  if (retryAfter > mostWindows * windowS) {
    const note = `for a window of ${windowS} s, ${mostWindows * windowS} at most`;
    const want = is.noted(is.type('wait in seconds'), note);
    return differs('beyond-window', 'retryAfter', want, got);
  }
  if (retryAfter > 0) return holds;
  const [least] = restOf(refusal, windowMs);
  // Less than a second may have been rounded down.
  if (least < 1) return unclear(`retryAfter is ${retryAfter}, ${before}`);
  return differs('not-positive', 'retryAfter', is.type('positive number of seconds'), got);
}

/** What the value means, as far as can be seen; null if it fits none of the meanings. */
export function meaningOf(refusal: RefusedRequest, windowMs: number): string | null {
  const { retryAfter } = refusal;
  const [least, longest] = restOf(refusal, windowMs);
  if (retryAfter === null) return null;
  if (retryAfter === windowMs / 1000) return 'constant';
  if (retryAfter >= least && retryAfter < longest + roundingS) return 'remainder';
  return retryAfter > least - 1 && retryAfter < longest ? 'rounded-down' : null;
}

/** Seconds until the oldest request leaves the window: minimum and maximum. */
function restOf({ at, oldest }: RefusedRequest, windowMs: number): readonly [least: number, most: number] {
  return [(oldest.sent + windowMs - at.received) / 1000, (oldest.received + windowMs - at.sent) / 1000];
}
