import { atLeast, atMost, unbounded, type Bounds } from '../bounds.ts';
import { bySending, type Decision } from '../decision.ts';

/** Lets requests wait and answers them one by one, N per window; refuses only if N are already waiting. */
export function leakyQueue(decisions: readonly Decision[], windowMs: number): Bounds {
  const ordered = bySending(decisions);
  return refusals(ordered, admissions(ordered, windowMs));
}

/** Answers leave one by one: if many leave in a short time, the queue is at least that fast. */
function admissions(ordered: readonly Decision[], windowMs: number): Bounds {
  const answered = ordered
    .filter(({ ruling }) => ruling === 'admitted')
    .sort((a, b) => a.received - b.received);
  let bounds = unbounded;
  for (const { sent } of answered) {
    const members = answered.filter((one) => one.sent >= sent);
    for (const [index, { received }] of members.entries()) {
      if (index < 2) continue;
      const least = (index * windowMs) / Math.max(1, received - sent);
      bounds = atLeast(bounds, least, () => members.slice(0, index + 1).map(({ id }) => id));
    }
  }
  return bounds;
}

function refusals(ordered: readonly Decision[], given: Bounds): Bounds {
  let bounds = given;
  for (const one of ordered) {
    if (one.ruling !== 'refused') continue;
    const waiting = ordered.filter(
      (other) => other.ruling !== 'refused' && other.sent < one.received && other.received > one.sent,
    ).length;
    // One may be leaving without having waited.
    bounds = atMost(bounds, waiting + 1, () => [one.id]);
  }
  return bounds;
}
