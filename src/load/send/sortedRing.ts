/** A bounded list of ascending numbers: if it is full, the least one is dropped. Optimized for numbers that arrive nearly in order. */
export class SortedRing {
  readonly #most: number;
  #values = new Float64Array(16);
  #start = 0;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** The number at an index, counted from the least; infinite beyond the last. */
  at(place: number): number {
    return place < this.#size ? (this.#values[this.#slot(place)] ?? 0) : Number.POSITIVE_INFINITY;
  }

  /** Adds a number; returns whether the least was dropped for it. */
  add(value: number): boolean {
    const isFull = this.#size >= this.#most;
    if (isFull && value <= this.at(0)) return true;
    if (isFull) this.#dropFirst();
    if (this.#size === this.#values.length) this.#grow();
    let place = this.#size;
    this.#size += 1;
    for (; place > 0 && this.at(place - 1) > value; place -= 1)
      this.#values[this.#slot(place)] = this.at(place - 1);
    this.#values[this.#slot(place)] = value;
    return isFull;
  }

  /** Drops all numbers up to a value. */
  dropUpTo(value: number): void {
    while (this.#size > 0 && this.at(0) <= value) this.#dropFirst();
  }

  /** How many numbers are above a value. */
  countAbove(value: number): number {
    let [low, high] = [0, this.#size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) <= value) low = middle + 1;
      else high = middle;
    }
    return this.#size - low;
  }

  clone(): SortedRing {
    const copy = new SortedRing(this.#most);
    copy.#values = this.#values.slice();
    [copy.#start, copy.#size] = [this.#start, this.#size];
    return copy;
  }

  get values(): readonly number[] {
    return Array.from({ length: this.#size }, (_, place) => this.at(place));
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  #slot(place: number): number {
    const slot = this.#start + place;
    return slot < this.#values.length ? slot : slot - this.#values.length;
  }

  #dropFirst(): void {
    this.#start = this.#slot(1);
    this.#size -= 1;
  }

  #grow(): void {
    const wider = new Float64Array(Math.min(this.#values.length * 2, Math.max(this.#most, 16)));
    for (let place = 0; place < this.#size; place += 1) wider[place] = this.at(place);
    [this.#values, this.#start] = [wider, 0];
  }
}
