import * as fc from 'fast-check';

/**
 * Lists of a fixed length that shrink to shorter ones: a plan can count their requests, and a failing list still loses
 * everything that does not matter to it. The elements themselves stay as they are, so that a list is plain data.
 */
export function sequence<T>(element: fc.Arbitrary<T>, length: number): fc.Arbitrary<readonly T[]> {
  return new Sequence(fc.array(element, { minLength: length, maxLength: length, size: 'max' }));
}

class Sequence<T> extends fc.Arbitrary<readonly T[]> {
  readonly #lists: fc.Arbitrary<T[]>;

  constructor(lists: fc.Arbitrary<T[]>) {
    super();
    this.#lists = lists;
  }

  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<readonly T[]> {
    return new fc.Value<readonly T[]>(this.#lists.generate(random, biasFactor).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is readonly T[] {
    return Array.isArray(value);
  }

  shrink(value: readonly T[]): fc.Stream<fc.Value<readonly T[]>> {
    return fc.stream(shorter(value)).map((list) => new fc.Value<readonly T[]>(list, undefined));
  }
}

/** The list without a half, a quarter and so on down to one element, starting at the end, which seldom matters. */
function* shorter<T>(list: readonly T[]): Generator<readonly T[], void> {
  for (let size = Math.floor(list.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let to = list.length; to > 0; to -= size) {
      const rest = [...list.slice(0, Math.max(0, to - size)), ...list.slice(to)];
      if (rest.length > 0) yield rest;
    }
  }
}
