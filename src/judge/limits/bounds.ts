/** Ids of requests, computed only when needed: most bounds are raised again at once. */
type Ids = () => readonly string[];

const nobody: Ids = () => [];

/** How many requests a window can hold, as far as a timeline shows, and the requests that prove it. */
export interface Bounds {
  /** Lower bound; 0 if nothing was admitted. */
  readonly least: number;
  readonly leastBy: Ids;
  /** Upper bound; infinite if nothing was refused. */
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

/** The range of whole limits that explain everything; null if there is none. */
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

/** How far a limit is from explaining everything; 0 if it does. */
export function distance({ least, most }: Bounds, limit: number): number {
  return Math.max(0, least - limit, limit - most);
}
