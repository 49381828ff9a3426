/** As many exchanges as checks run side by side usually; a body is at most a few megabytes, so the memory is bounded. */
export const inFlight = 8;

/**
 * Computes something of a piece of evidence once, and remembers it for the latest few pieces: all oracles and the check
 * itself look at an exchange before many others come. A WeakMap would cost more than most of what is computed.
 */
export function onceForLatest<K extends object, V>(
  compute: (evidence: K) => V,
  size = inFlight,
): (evidence: K) => V {
  const latest: { evidence: K; value: V }[] = [];
  let oldest = 0;
  /** All oracles ask for the same one in turn. */
  let last: { evidence: K; value: V } | null = null;
  return (evidence) => {
    if (last !== null && last.evidence === evidence) return last.value;
    last = latest.find((known) => known.evidence === evidence) ?? null;
    if (last === null) {
      last = { evidence, value: compute(evidence) };
      latest[oldest] = last;
      oldest = (oldest + 1) % size;
    }
    return last.value;
  };
}
