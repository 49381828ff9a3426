import { atLeast, atMost, unbounded, type Bounds } from '../bounds.ts';
import type { Decision } from '../decision.ts';
import { countBelow } from './windowCounts.ts';

/** A bucket of N tokens that refills by N per window (a leaky bucket used as a meter is the same). */
export function tokenBucket(decisions: readonly Decision[], windowMs: number): Bounds {
  return refusals(decisions, windowMs, admissions(decisions, windowMs));
}

/** No period can admit more than a full bucket plus what flows in meanwhile. */
function admissions(decisions: readonly Decision[], windowMs: number): Bounds {
  const answered = decisions
    .filter(({ ruling }) => ruling === 'admitted')
    .sort((a, b) => a.received - b.received);
  let bounds = unbounded;
  for (const { sent } of answered) {
    const members = answered.filter((one) => one.sent >= sent);
    for (const [index, { received }] of members.entries()) {
      const least = (index + 1) / (1 + (received - sent) / windowMs);
      bounds = atLeast(bounds, least, () => members.slice(0, index + 1).map(({ id }) => id));
    }
  }
  return bounds;
}

/**
 * A request is refused while there is less than one token: since some earlier time at which the bucket was full, as many tokens
 * were taken as were in it and flowed in since, less one.
 */
function refusals(decisions: readonly Decision[], windowMs: number, given: Bounds): Bounds {
  const takers = decisions.filter(({ ruling }) => ruling !== 'refused');
  let bounds = given;
  for (const one of decisions) {
    if (one.ruling !== 'refused') continue;
    const before = takers.filter(({ sent }) => sent < one.received);
    const answers = before.map(({ received }) => received).sort((a, b) => a - b);
    let below = 0;
    for (const { sent, received } of before) {
      const taken = answers.length - countBelow(answers, sent);
      below = Math.max(below, (1 + taken) / (1 + Math.max(0, one.sent - received) / windowMs));
    }
    bounds = atMost(bounds, below, () => [one.id]);
  }
  return bounds;
}
