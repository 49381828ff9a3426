import type { LimiterRuling, KeyDecision } from './accuracy.ts';

/** Decisions by their code. */
const kinds: readonly LimiterRuling[] = ['admitted', 'refused', 'unknown'];

/** Decisions in columns of numbers: as objects, those of a long load would keep the garbage collector busy. */
export class DecisionList implements Iterable<KeyDecision> {
  readonly #keys: string[] = [];
  readonly #places = new Map<string, number>();
  #sent = new Float64Array(1024);
  #received = new Float64Array(1024);
  /** Index of the key and kind of the decision, in one number. */
  #what = new Int32Array(1024);
  #length = 0;

  constructor(decisions: Iterable<KeyDecision> = []) {
    for (const decision of decisions) this.add(decision);
  }

  get length(): number {
    return this.#length;
  }

  add([key, sent, received, decision]: KeyDecision): void {
    if (this.#length === this.#sent.length) this.#grow();
    this.#sent[this.#length] = sent;
    this.#received[this.#length] = received;
    this.#what[this.#length] = this.#placeOf(key) * kinds.length + kinds.indexOf(decision);
    this.#length += 1;
  }

  *[Symbol.iterator](): Generator<KeyDecision> {
    for (let index = 0; index < this.#length; index += 1) {
      const what = this.#what[index] ?? 0;
      yield [
        this.#keys[Math.floor(what / kinds.length)] ?? '',
        this.#sent[index] ?? 0,
        this.#received[index] ?? 0,
        kinds[what % kinds.length] ?? 'unknown',
      ];
    }
  }

  #placeOf(key: string): number {
    let place = this.#places.get(key);
    if (place === undefined) {
      this.#places.set(key, (place = this.#keys.length));
      this.#keys.push(key);
    }
    return place;
  }

  #grow(): void {
    const size = this.#length * 2;
    const wider = <T extends Float64Array | Int32Array>(old: T, next: T): T => {
      next.set(old);
      return next;
    };
    this.#sent = wider(this.#sent, new Float64Array(size));
    this.#received = wider(this.#received, new Float64Array(size));
    this.#what = wider(this.#what, new Int32Array(size));
  }
}

/** Many decisions as text to send between machines: a fifth of their JSON, and quick to parse. */
export interface PackedDecisions {
  /** Milliseconds that all times are relative to. */
  readonly base: number;
  readonly keys: readonly string[];
  /** Four whole numbers per decision (key, sent, duration, kind), in base64. */
  readonly rows: string;
}

/** Steps per millisecond. Intervals are only ever rounded up, so that certain conclusions stay certain. */
const perMs = 100;

export function packDecisions(decisions: DecisionList): PackedDecisions {
  let least = Number.POSITIVE_INFINITY;
  for (const [, sent] of decisions) least = Math.min(least, sent);
  const base = decisions.length === 0 ? 0 : Math.floor(least);
  const places = new Map<string, number>();
  const rows = new Int32Array(decisions.length * 4);
  let index = 0;
  for (const [key, sent, received, decision] of decisions) {
    if (!places.has(key)) places.set(key, places.size);
    const from = Math.floor((sent - base) * perMs);
    const to = Math.ceil((received - base) * perMs);
    rows.set([places.get(key) ?? 0, from, to - from, kinds.indexOf(decision)], index * 4);
    index += 1;
  }
  return { base, keys: [...places.keys()], rows: Buffer.from(rows.buffer).toString('base64') };
}

export function unpackDecisions({ base, keys, rows }: PackedDecisions): readonly KeyDecision[] {
  const bytes = Buffer.from(rows, 'base64');
  return Array.from({ length: bytes.length / 16 }, (_, index) => {
    const at = (place: number) => bytes.readInt32LE(index * 16 + place * 4);
    const sent = base + at(1) / perMs;
    return [keys[at(0)] ?? '', sent, base + (at(1) + at(2)) / perMs, kinds[at(3)] ?? 'unknown'] as const;
  });
}
