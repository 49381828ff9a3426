import { atLeast, atMost, unbounded, type Bounds } from '../bounds.ts';
import type { Decision } from '../decision.ts';
import { bestPhase, fittingShare } from './phases.ts';
import { countBelow, possibleMembers, type Placed } from './windowCounts.ts';

/** Implementations round the weighted count up, down or not at all. */
const rounding = 1;

/**
 * The count of the current aligned window, plus that of the previous one weighted by the share of it that still lies within the
 * window.
 */
export function slidingCounter(decisions: readonly Decision[], windowMs: number, limit: number): Bounds {
  return bestPhase(decisions, { windowMs, limit, stepMs: windowMs / 300 }, atPhase(windowMs));
}

/** The share of all phases in which it explains everything. */
export function slidingShare(decisions: readonly Decision[], windowMs: number, limit: number): number {
  return fittingShare(decisions, { windowMs, limit }, atPhase(windowMs));
}

function atPhase(windowMs: number) {
  return (placed: readonly Placed[], phase: number): Bounds =>
    refusals(placed, { phase, windowMs }, admissions(placed, phase, windowMs));
}

/** The last request admitted in a window saw the ones before it, and the previous window with its weight at that time. */
function admissions(placed: readonly Placed[], phase: number, windowMs: number): Bounds {
  const certain = new Map<number, Decision[]>();
  for (const { decision, first, last } of placed) {
    if (decision.ruling !== 'admitted' || first !== last) continue;
    const members = certain.get(first);
    if (members) members.push(decision);
    else certain.set(first, [decision]);
  }
  let bounds = unbounded;
  for (const [window, members] of certain) {
    const previous = certain.get(window - 1) ?? [];
    const start = phase + window * windowMs;
    members.sort((a, b) => a.received - b.received);
    for (const [index, { received }] of members.entries()) {
      const weight = Math.max(0, 1 - (received - start) / windowMs);
      const least = index + previous.length * weight - rounding;
      bounds = atLeast(bounds, least, () =>
        [...previous, ...members.slice(0, index + 1)].map(({ id }) => id),
      );
    }
  }
  return bounds;
}

function refusals(
  placed: readonly Placed[],
  { phase, windowMs }: { readonly phase: number; readonly windowMs: number },
  given: Bounds,
): Bounds {
  const members = possibleMembers(placed);
  let bounds = given;
  for (const { decision, first, last } of placed) {
    if (decision.ruling !== 'refused') continue;
    let count = 0;
    for (let window = first; window <= last; window += 1) {
      const start = phase + window * windowMs;
      const weight = Math.min(1, 1 - (Math.max(decision.sent, start) - start) / windowMs);
      const previous = members.get(window - 1)?.length ?? 0;
      const current = countBelow(members.get(window) ?? [], decision.received);
      count = Math.max(count, current + previous * weight);
    }
    bounds = atMost(bounds, count + rounding, () => [decision.id]);
  }
  return bounds;
}
