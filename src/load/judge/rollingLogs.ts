import type { WindowLimit } from '../../core/windowLimit.ts';
import type { KeyEvent } from './accuracy.ts';
import { SortedRing } from '../send/sortedRing.ts';

/** One variant of a rolling log; null until a variant point makes a difference. */
interface Log {
  readonly countsRefused: boolean | null;
  readonly countsUnknown: boolean | null;
  readonly counted: SortedRing;
  refused: number;
}

/** Whether refused requests count, and whether those count whose answer does not show it. */
const variants = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

/**
 * What a rolling log refuses of these requests, if it decides each in the middle of its interval, in every variant that the
 * documents leave open: whether refused requests count, and whether those count whose answer does not show it.
 */
export class RollingLogs {
  readonly #limits: readonly WindowLimit[];
  #logs: readonly Log[];

  constructor(limits: readonly WindowLimit[]) {
    this.#limits = limits;
    const counted = new SortedRing(Math.max(1, ...limits.map(({ limit }) => limit)));
    this.#logs = [{ countsRefused: null, countsUnknown: null, counted, refused: 0 }];
  }

  add({ sent, received, decision }: KeyEvent): void {
    if (this.#limits.length === 0) return;
    const isUnknown = decision === 'unknown';
    if (isUnknown && this.#logs.some(({ countsUnknown }) => countsUnknown === null))
      this.#logs = this.#logs.flatMap((log) => apart(log, 'countsUnknown'));
    const at = (sent + received) / 2;
    for (const log of this.#logs) if (!isUnknown || log.countsUnknown === true) this.#decide(log, at);
  }

  /** How many it refused, by each of `variants` in order. */
  get refused(): readonly number[] {
    return variants.map(([countsRefused, countsUnknown]) => {
      const log = this.#logs.find(
        (one) =>
          (one.countsRefused ?? countsRefused) === countsRefused &&
          (one.countsUnknown ?? countsUnknown) === countsUnknown,
      );
      return log?.refused ?? 0;
    });
  }

  get bytes(): number {
    return this.#logs.reduce((sum, { counted }) => sum + counted.bytes, 0);
  }

  #decide(log: Log, at: number): void {
    const isFull = this.#limits.some(({ limit, windowMs }) => log.counted.countAbove(at - windowMs) >= limit);
    if (!isFull) {
      log.counted.add(at);
      return;
    }
    log.refused += 1;
    if (log.countsRefused === true) log.counted.add(at);
    if (log.countsRefused !== null) return;
    const both = apart(log, 'countsRefused');
    both[0]?.counted.add(at);
    this.#logs = this.#logs.flatMap((one) => (one === log ? both : [one]));
  }
}

/** A log in both variants of a point, the counting one first. */
function apart(log: Log, point: 'countsRefused' | 'countsUnknown'): readonly Log[] {
  return [
    { ...log, [point]: true },
    { ...log, [point]: false, counted: log.counted.clone() },
  ];
}
