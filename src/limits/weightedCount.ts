/**
 * What a sliding-window counter counts of requests of these ages, at least over all ways in which its windows can be aligned: those
 * of the current window, which is up to a window old, and those of the one before by its share that is still within a window.
 */
export function leastWeighted(ages: readonly number[], windowMs: number): number {
  return Math.min(
    ...turns(ages, windowMs).map((turned) => countAt(ages, { turned, windowMs, isOpen: true })),
  );
}

/** The same, at most. */
export function mostWeighted(ages: readonly number[], windowMs: number): number {
  return Math.max(
    ...turns(ages, windowMs).map((turned) => countAt(ages, { turned, windowMs, isOpen: false })),
  );
}

/** How long ago the current window can have begun: between these the count only falls. */
function turns(ages: readonly number[], windowMs: number): readonly number[] {
  const edges = ages.flatMap((age) => [age, age - windowMs]);
  return [0, windowMs, ...edges.filter((edge) => edge > 0 && edge < windowMs)];
}

/** Whether a request at the very edge falls into the older window, which counts less. */
interface Turn {
  readonly turned: number;
  readonly windowMs: number;
  readonly isOpen: boolean;
}

function countAt(ages: readonly number[], { turned, windowMs, isOpen }: Turn): number {
  const isYounger = (age: number, edge: number) => (isOpen ? age < edge : age <= edge);
  const current = ages.filter((age) => isYounger(age, turned)).length;
  const within = ages.filter((age) => isYounger(age, turned + windowMs)).length;
  return current + (within - current) * (1 - turned / windowMs);
}
