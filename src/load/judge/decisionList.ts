import type { LimiterRuling, KeyDecision } from './accuracy.ts';

/** Decisions by their code. */
export const kinds: readonly LimiterRuling[] = ['admitted', 'refused', 'unknown'];

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
