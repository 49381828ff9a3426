import { atLeast, atMost, unbounded, type Bounds } from '../bounds.ts';
import type { Decision } from '../decision.ts';

/** A decision and the numbers of the first and the last window that it may belong to. */
export interface Placed {
  readonly decision: Decision;
  readonly first: number;
  readonly last: number;
}

/** For a limiter that counts anew in each window, it only matters which requests may be in which window. */
export function countedByWindow(placed: readonly Placed[]): Bounds {
  return refusedByWindow(placed, admittedByWindow(placed));
}

/** Requests that certainly belong to one window, and requests that certainly belong to one window or the next: two windows. */
function admittedByWindow(placed: readonly Placed[]): Bounds {
  const alone = new Map<number, string[]>();
  const inTwo = new Map<number, string[]>();
  for (const { decision, first, last } of placed) {
    if (decision.ruling !== 'admitted' || last > first + 1) continue;
    if (first === last) append(alone, first, decision.id);
    if (first === last) append(inTwo, first - 1, decision.id);
    append(inTwo, first, decision.id);
  }
  let bounds = unbounded;
  for (const members of alone.values()) bounds = atLeast(bounds, members.length, () => members);
  for (const members of inTwo.values()) bounds = atLeast(bounds, members.length / 2, () => members);
  return bounds;
}

function append(members: Map<number, string[]>, window: number, id: string): void {
  const known = members.get(window);
  if (known) known.push(id);
  else members.set(window, [id]);
}

function refusedByWindow(placed: readonly Placed[], given: Bounds): Bounds {
  const sentTimes = possibleMembers(placed);
  let bounds = given;
  for (const { decision, first, last } of placed) {
    if (decision.ruling !== 'refused') continue;
    let count = 0;
    for (let window = first; window <= last; window += 1)
      count = Math.max(count, countBelow(sentTimes.get(window) ?? [], decision.received));
    bounds = atMost(bounds, count, () => [decision.id]);
  }
  return bounds;
}

/** Send times of all requests that may have been admitted in each window; ascending, like the placed requests. */
export function possibleMembers(placed: readonly Placed[]): ReadonlyMap<number, readonly number[]> {
  const members = new Map<number, number[]>();
  for (const { decision, first, last } of placed) {
    if (decision.ruling === 'refused') continue;
    for (let window = first; window <= last; window += 1) {
      const times = members.get(window);
      if (times) times.push(decision.sent);
      else members.set(window, [decision.sent]);
    }
  }
  return members;
}

/** How many of the ascending numbers are below `value`. */
export function countBelow(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? value) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the ascending numbers are at most `value`. */
export function countUpTo(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? value) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
