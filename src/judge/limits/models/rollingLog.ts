import { atLeast, atMost, unbounded, type Bounds } from '../bounds.ts';
import { bySending, type Decision } from '../decision.ts';
import { areWithin, possibleWindow } from '../tolerance.ts';

/** The documented limiter and the two that are close to it. */
interface RollingRules {
  /** Whether refused requests take a place as well (an open point). */
  readonly countsRefused: boolean;
  /** Whether deciding and counting are two steps, so that simultaneous requests may slip through. */
  readonly racy: boolean;
}

/** What counts as being in a window. */
interface Standing extends Pick<RollingRules, 'countsRefused'> {
  readonly windowMs: number;
}

/** At most N requests in any period as long as the window. */
export function rollingLog(decisions: readonly Decision[], windowMs: number, rules: RollingRules): Bounds {
  const ordered = bySending(decisions);
  const admitted = rules.racy
    ? admittedInTurn(ordered, windowMs)
    : admittedTogether(ordered, windowMs, rules);
  return refusedAtAll(ordered, { ...rules, windowMs }, admitted);
}

/**
 * Most requests that certainly share a window. The last of them to be decided saw all others and, if refused ones count, those
 * that were refused before it was sent.
 */
function admittedTogether(
  ordered: readonly Decision[],
  windowMs: number,
  { countsRefused }: RollingRules,
): Bounds {
  const admitted = ordered.filter(({ ruling }) => ruling === 'admitted');
  const refused = countsRefused ? ordered.filter(({ ruling }) => ruling === 'refused') : [];
  let bounds = unbounded;
  for (const first of countsRefused ? [...admitted, ...refused] : admitted) {
    const members = admitted.filter((one) => one.sent >= first.sent && areWithin(first, one, windowMs));
    const last = members.at(-1)?.sent ?? Number.NEGATIVE_INFINITY;
    const before = refused.filter((one) => one.sent >= first.sent && one.received < last);
    bounds = atLeast(bounds, members.length + before.length, () => ids([...members, ...before]));
  }
  return bounds;
}

/** A store may count a moment after the answer was given: only requests sent later than that were certainly sent in turn. */
const raceMs = 80;

/** Most requests each of which was sent after the answers to the ones before it. */
function admittedInTurn(ordered: readonly Decision[], windowMs: number): Bounds {
  const admitted = ordered.filter(({ ruling }) => ruling === 'admitted');
  let bounds = unbounded;
  for (const one of admitted) {
    const before = admitted.filter(
      (other) => other.received + raceMs < one.sent && areWithin(other, one, windowMs),
    );
    bounds = atLeast(bounds, before.length + 1, () => ids([...before, one]));
  }
  return bounds;
}

/** If a request was refused, the limit is at most the number that can have been in its window. */
function refusedAtAll(ordered: readonly Decision[], rules: Standing, given: Bounds): Bounds {
  const { countsRefused } = rules;
  const refused = ordered.filter(({ ruling }) => ruling === 'refused');
  const groups = countsRefused ? overlapping(refused) : refused.map((one) => [one]);
  let bounds = given;
  for (const group of groups) {
    const standing = countsRefused ? ordered.filter((one) => !group.includes(one)) : ordered;
    const counts = group.map((one) => standingBefore(one, standing, rules));
    bounds = atMost(bounds, Math.max(...counts), () => ids(group));
  }
  return bounds;
}

/** Refusals at about the same time: the first of them to be decided, whichever it was, saw none of the others. */
function overlapping(refused: readonly Decision[]): readonly (readonly Decision[])[] {
  const groups: Decision[][] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const one of refused) {
    const last = groups.at(-1);
    if (last && one.sent <= until) last.push(one);
    else groups.push([one]);
    until = Math.max(until, one.received);
  }
  return groups;
}

/** Most other requests that can have been in the window of one. */
export function standingBefore(
  one: Decision,
  decisions: readonly Decision[],
  { windowMs, countsRefused }: Standing,
): number {
  const window = possibleWindow(windowMs);
  return decisions.filter(
    (other) =>
      other !== one &&
      (countsRefused || other.ruling !== 'refused') &&
      other.received > one.sent - window &&
      other.sent < one.received,
  ).length;
}

function ids(decisions: readonly Decision[]): readonly string[] {
  return decisions.map(({ id }) => id);
}
