import { countBelow, countUpTo } from './models/windowCounts.ts';

/**
 * What a sliding-window counter counts of requests of these ages, at least over all ways in which its windows can be aligned: those
 * of the current window, which is up to a window old, and those of the one before by its share that is still within a window.
 */
export function leastWeighted(ages: readonly number[], windowMs: number): number {
  // A request at the very edge falls into the older window, which counts less.
  return Math.min(...countsAt(ages, windowMs, countBelow));
}

/** The same, at most. */
export function mostWeighted(ages: readonly number[], windowMs: number): number {
  return Math.max(...countsAt(ages, windowMs, countUpTo));
}

/** The count by how long ago the current window began. */
function countsAt(
  ages: readonly number[],
  windowMs: number,
  countYounger: typeof countBelow,
): readonly number[] {
  const ascending = ages.toSorted((a, b) => a - b);
  return turns(ages, windowMs).map((turned) => {
    const current = countYounger(ascending, turned);
    const within = countYounger(ascending, turned + windowMs);
    return current + (within - current) * (1 - turned / windowMs);
  });
}

/** How long ago the current window can have begun: between these the count only falls. */
function turns(ages: readonly number[], windowMs: number): readonly number[] {
  const edges = ages.flatMap((age) => [age, age - windowMs]);
  return [0, windowMs, ...edges.filter((edge) => edge > 0 && edge < windowMs)];
}
