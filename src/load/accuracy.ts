import type { WindowLimit } from '../core/windowLimit.ts';
/** What the limiter decided about one request of a key; compact, since a load has many. */
export type KeyDecision = readonly [
  /** Label of the key. */
  key: string,
  /** When it was sent, milliseconds on a clock that all decisions share. */
  sent: number,
  /** When its answer was complete, or given up. */
  received: number,
  decision: LimiterRuling,
];

/**
 * `admitted`: answered 2xx, so that it counts for certain; `refused`: 429; `unknown`: answered otherwise, or not at all
 * though it may have arrived.
 */
export type LimiterRuling = 'admitted' | 'refused' | 'unknown';

/** How exact the limiter was under load, as far as it is certain whatever the network did. */
export interface Accuracy {
  readonly admitted: number;
  readonly refused: number;
  /** What a rolling log would have refused of the same requests: least and most, by what the documents leave open. */
  readonly expectedRefused: readonly [low: number, high: number];
  /** Certainly admitted beyond a limit: a violation, whatever the limiter is. */
  readonly overAdmitted: readonly OverAdmission[];
  /** Refused though certainly below every limit, unless another client uses the key. */
  readonly underAdmitted: readonly UnderAdmission[];
}

interface OverAdmission extends WindowLimit {
  readonly key: string;
  /** The most that were certainly admitted within one window. */
  readonly admitted: number;
  /** When that window began, on the clock of the decisions. */
  readonly from: number;
}

interface UnderAdmission {
  readonly key: string;
  readonly count: number;
  /** When the first of them was sent. */
  readonly first: number;
  /** The most requests that can have counted in the minute before it. */
  readonly atMost: number;
  readonly limit: number;
}

/** A store that counts whole seconds frees a slot so much later, and conforms. */
const storeSlackMs = 2000;

/** Compares all decisions with the limits, key by key. */
export function judgeAccuracy(decisions: readonly KeyDecision[], limits: readonly WindowLimit[]): Accuracy {
  const keys = [...Map.groupBy(decisions, ([key]) => key)].map(([key, own]) => ({ key, own }));
  // Each in both ways: whether refused requests count, and whether those counted whose answer does not show it.
  const variants = [true, false].flatMap((unknownCount) => {
    const seen = keys.map(({ own }) => (unknownCount ? own : own.filter((one) => one[3] !== 'unknown')));
    return [false, true].map((refusedCount) =>
      seen.reduce((sum, own) => sum + refusedByRollingLog(own, limits, refusedCount), 0),
    );
  });
  const count = (decision: LimiterRuling) => decisions.filter((one) => one[3] === decision).length;
  return {
    admitted: count('admitted'),
    refused: count('refused'),
    expectedRefused: [Math.min(...variants), Math.max(...variants)],
    overAdmitted: keys.flatMap(({ key, own }) =>
      limits.flatMap((limit) => overAdmission(key, own, limit) ?? []),
    ),
    underAdmitted: keys.flatMap(({ key, own }) => underAdmission(key, own, limits) ?? []),
  };
}

/**
 * The window with the most certain admissions, if they exceed the limit: all that were sent at or after some instant
 * and answered within less than a window after it were decided inside that window, wherever in their intervals.
 */
function overAdmission(
  key: string,
  decisions: readonly KeyDecision[],
  { limit, windowMs }: WindowLimit,
): OverAdmission | null {
  const admitted = decisions.filter((one) => one[3] === 'admitted').sort((a, b) => b[1] - a[1]);
  const received = admitted.map((one) => one[2]).sort((a, b) => a - b);
  const tree = new CountTree(received.length);
  let most = { admitted: 0, from: 0 };
  admitted.forEach(([, sent, answered], index) => {
    tree.add(countBelow(received, answered));
    // Of equal times of sending, the last one sees all of them.
    if (admitted[index + 1]?.[1] === sent) return;
    const inside = tree.sumBelow(countBelow(received, sent + windowMs));
    if (inside > most.admitted) most = { admitted: inside, from: sent };
  });
  return most.admitted > limit ? { key, limit, windowMs, ...most } : null;
}

/** Refusals at which even the most that can have counted was below each limit: counted over all others, refused or not. */
function underAdmission(
  key: string,
  decisions: readonly KeyDecision[],
  limits: readonly WindowLimit[],
): UnderAdmission | null {
  const sent = decisions.map((one) => one[1]).sort((a, b) => a - b);
  const received = decisions.map((one) => one[2]).sort((a, b) => a - b);
  const inWindow = ([, from, to]: KeyDecision, windowMs: number) =>
    countBelow(sent, to) - countUpTo(received, from - windowMs - storeSlackMs) - (from < to ? 1 : 0);
  const early = decisions
    .filter((one) => one[3] === 'refused')
    .filter((one) => limits.every(({ limit, windowMs }) => inWindow(one, windowMs) < limit))
    .sort((a, b) => a[1] - b[1]);
  const [first] = early;
  const [tightest] = limits;
  if (!first || !tightest) return null;
  const { limit, windowMs } = tightest;
  return { key, count: early.length, first: first[1], atMost: inWindow(first, windowMs), limit };
}

/** What a rolling log refuses of these requests, if it decides each in the middle of its interval. */
function refusedByRollingLog(
  decisions: readonly KeyDecision[],
  limits: readonly WindowLimit[],
  refusedCount: boolean,
): number {
  const times = decisions.map(([, sent, received]) => (sent + received) / 2).sort((a, b) => a - b);
  const counted: number[] = [];
  let refused = 0;
  const oldest = limits.map(() => 0);
  for (const at of times) {
    const isFull = limits.some(({ limit, windowMs }, index) => {
      let from = oldest[index] ?? 0;
      while (from < counted.length && (counted[from] ?? 0) <= at - windowMs) from += 1;
      oldest[index] = from;
      return counted.length - from >= limit;
    });
    if (isFull) refused += 1;
    if (!isFull || refusedCount) counted.push(at);
  }
  return refused;
}

/** How many of ascending numbers are below a value. */
function countBelow(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countUpTo(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts at places, and their sums from the left, both in logarithmic time (a Fenwick tree). */
class CountTree {
  readonly #sums: Int32Array;

  constructor(size: number) {
    this.#sums = new Int32Array(size + 1);
  }

  add(place: number): void {
    for (let index = place + 1; index < this.#sums.length; index += index & -index)
      this.#sums[index] = (this.#sums[index] ?? 0) + 1;
  }

  /** The sum of all places before this one. */
  sumBelow(place: number): number {
    let sum = 0;
    for (let index = place; index > 0; index -= index & -index) sum += this.#sums[index] ?? 0;
    return sum;
  }
}
