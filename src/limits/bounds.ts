/** Ids of requests, gathered only when they are needed: most bounds are raised again at once. */
type Ids = () => readonly string[];

const nobody: Ids = () => [];

/** How many requests a window can hold, as far as a timeline shows, and the requests that show it. */
export interface Bounds {
  /** At least so many; 0 where nothing was admitted. */
  readonly least: number;
  readonly leastBy: Ids;
  /** At most so many; infinite where nothing was refused. */
  readonly most: number;
  readonly mostBy: Ids;
}

export const unbounded: Bounds = {
  least: 0,
  leastBy: nobody,
  most: Number.POSITIVE_INFINITY,
  mostBy: nobody,
};

/** Raises the lower bound. */
export function atLeast(bounds: Bounds, least: number, leastBy: Ids): Bounds {
  return least > bounds.least ? { ...bounds, least, leastBy } : bounds;
}

/** Lowers the upper bound. */
export function atMost(bounds: Bounds, most: number, mostBy: Ids): Bounds {
  return most < bounds.most ? { ...bounds, most, mostBy } : bounds;
}

/** What two timelines show together. */
export function combined(one: Bounds, other: Bounds): Bounds {
  return atMost(atLeast(one, other.least, other.leastBy), other.most, other.mostBy);
}

/** Whole limits that explain everything: from the first to the second; null where none does. */
export function limitsOf({ least, most }: Bounds): readonly [from: number, to: number] | null {
  const from = Math.max(1, Math.ceil(least - 1e-9));
  const to = Math.floor(most + 1e-9);
  return from <= to ? [from, to] : null;
}

/** Whether one limit explains everything. */
export function allows(bounds: Bounds, limit: number): boolean {
  const range = limitsOf(bounds);
  return range !== null && range[0] <= limit && limit <= range[1];
}

/** How far a limit is from explaining everything; 0 where it does. */
export function distance({ least, most }: Bounds, limit: number): number {
  return Math.max(0, least - limit, limit - most);
}
