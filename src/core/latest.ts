/** How many exchanges are usually in flight at once; a body is at most a few megabytes, so the memory is bounded. */
export const inFlight = 8;

/**
 * Computes something from a piece of evidence once, and remembers it for the latest few pieces: all oracles and the check itself
 * look at an exchange before many others come. A WeakMap would cost more than most of the computations.
 */
export function onceForLatest<K extends object, V>(
  compute: (evidence: K) => V,
  size = inFlight,
): (evidence: K) => V {
  const keys: K[] = [];
  const values: V[] = [];
  let oldest = 0;
  /** All oracles ask for the same one, one after another. */
  let last = 0;
  return (evidence) => {
    if (keys[last] === evidence) return values[last] as V;
    // Written by hand: `indexOf` and `find` take twice as long for this few.
    for (let at = 0; at < keys.length; at += 1) {
      if (keys[at] !== evidence) continue;
      last = at;
      return values[at] as V;
    }
    const value = compute(evidence);
    // Computing one may have computed others, so the slot is only taken now.
    last = oldest;
    keys[last] = evidence;
    values[last] = value;
    oldest = (oldest + 1) % size;
    return value;
  };
}

/** Computes something from an object that is read again and again, and remembers it as long as the object is in memory. */
export function onceForEach<K extends object, V>(compute: (thing: K) => V): (thing: K) => V {
  const values = new WeakMap<K, V>();
  return (thing) => {
    let value = values.get(thing);
    if (value === undefined) values.set(thing, (value = compute(thing)));
    return value;
  };
}

/** Most texts of a kind whose meaning is kept, and the longest: clocks, hosts and codes come again and again. */
const mostTexts = 512;
const longestText = 120;

/** Computes something from a text, and remembers it for short ones. */
export function keptTexts<V>(compute: (text: string) => V): (text: string) => V {
  const kept = keptFor(compute, mostTexts);
  return (text) => (text.length > longestText ? compute(text) : kept(text));
}

/** Computes something once for each of a few hundred things that come again and again; beyond `most` it starts anew. */
export function keptFor<K, V>(compute: (thing: K) => V, most: number): (thing: K) => V {
  const kept = new Map<K, V>();
  return (thing) => {
    let value = kept.get(thing);
    if (value === undefined) {
      value = compute(thing);
      if (kept.size >= most) kept.clear();
      kept.set(thing, value);
    }
    return value;
  };
}
