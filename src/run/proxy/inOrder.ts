/** Hands things on in the order in which their places were taken, whenever each of them is there. */
export class InOrder<T> {
  readonly #take: (thing: T) => void;
  readonly #places: { thing: T | null; isThere: boolean }[] = [];

  constructor(take: (thing: T) => void) {
    this.#take = take;
  }

  /** Takes a place; returns what fills it. Null leaves it empty. */
  place(): (thing: T | null) => void {
    const own = { thing: null as T | null, isThere: false };
    this.#places.push(own);
    return (thing) => {
      if (own.isThere) return;
      own.thing = thing;
      own.isThere = true;
      this.#flush();
    };
  }

  #flush(): void {
    for (let [first] = this.#places; first?.isThere === true; [first] = this.#places) {
      this.#places.shift();
      if (first.thing !== null) this.#take(first.thing);
    }
  }
}
