import type { WindowLimit } from '../../core/windowLimit.ts';
import type { KeyDecision } from './accuracy.ts';
import { DecisionList } from './decisionList.ts';
import { KeyAccuracy } from './keyAccuracy.ts';
import type { Accuracy } from '../summary/summarySchema.ts';

/** How long parts of several senders are held to put them in order. */
const orderMs = 30_000;
const bucketMs = 1000;

/** Judges how exact the limiter was while a load runs; stores as much for each key as its limits have slots, but no requests. */
export class LimiterAccuracy {
  readonly #limits: readonly WindowLimit[];
  readonly #keys = new Map<string, KeyAccuracy>();
  /** Decisions of other senders that wait for earlier ones, by the second of their answer. */
  readonly #waiting = new Map<number, DecisionList>();
  #last = Number.NEGATIVE_INFINITY;

  constructor(limits: readonly WindowLimit[]) {
    this.#limits = limits;
  }

  add([key, sent, received, decision]: KeyDecision): void {
    this.#last = Math.max(this.#last, received);
    let known = this.#keys.get(key);
    if (!known) this.#keys.set(key, (known = new KeyAccuracy(key, this.#limits)));
    known.add({ sent, received, decision });
  }

  /** Takes a decision of another sender, whose parts arrive in any order. */
  addInOrder(decision: KeyDecision): void {
    const bucket = Math.floor(decision[2] / bucketMs);
    const isNew = !this.#waiting.has(bucket);
    const list = this.#waiting.get(bucket) ?? new DecisionList();
    this.#waiting.set(bucket, list);
    list.add(decision);
    if (isNew) this.#settle(Math.max(...this.#waiting.keys()) - orderMs / bucketMs);
  }

  /** When the last answer was complete; minus infinity if there was none. */
  get lastReceived(): number {
    this.#settle(Number.POSITIVE_INFINITY);
    return this.#last;
  }

  /** When the latest requests of a key were answered, ascending: as many as matter for its limits. */
  recent(key: string): readonly number[] {
    this.#settle(Number.POSITIVE_INFINITY);
    return this.#keys.get(key)?.recent ?? [];
  }

  /** Average memory per key. */
  get bytesPerKey(): number {
    const sum = [...this.#keys.values()].reduce((total, { bytes }) => total + bytes, 0);
    return Math.round(sum / Math.max(1, this.#keys.size));
  }

  get summary(): Accuracy {
    this.#settle(Number.POSITIVE_INFINITY);
    const keys = [...this.#keys.values()];
    const sum = (of: (key: KeyAccuracy) => number) => keys.reduce((total, key) => total + of(key), 0);
    // The same variant for all keys: a deployment has one limiter.
    const variants = (keys[0]?.expectedRefused ?? [0]).map((_, way) =>
      sum(({ expectedRefused }) => expectedRefused[way] ?? 0),
    );
    return {
      admitted: sum(({ admitted }) => admitted),
      refused: sum(({ refused }) => refused),
      expectedRefused: [Math.min(...variants), Math.max(...variants)],
      overAdmitted: keys.flatMap(({ overAdmitted }) => overAdmitted),
      underAdmitted: keys.flatMap(({ underAdmitted }) => underAdmitted ?? []),
    };
  }

  #settle(before: number): void {
    const due = [...this.#waiting].filter(([bucket]) => bucket < before);
    for (const [bucket, list] of due.sort(([one], [other]) => one - other)) {
      this.#waiting.delete(bucket);
      for (const decision of [...list].sort((one, other) => one[2] - other[2])) this.add(decision);
    }
  }
}
