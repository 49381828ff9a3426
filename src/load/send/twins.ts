/** What pairing needs to know about an arrival. */
interface Pairable {
  readonly index: number;
  readonly operation: string;
  readonly journey?: string;
}

/** In a slice, two of this many subscribes are made for the same booking. */
const every = 8;

/**
 * Makes pairs of some subscribes: both have the same booking and are sent at the same time, next to each other in the order, so
 * that two workers send them. A deployment makes one record of them.
 */
export function withTwins<T extends Pairable>(
  arrivals: readonly T[],
): readonly (T & { readonly twin?: number })[] {
  const subscribes = arrivals.filter(
    ({ operation, journey }) => operation === 'wci.subscribe' && journey === undefined,
  );
  const twins = new Map<number, T & { readonly twin: number }>();
  for (let place = 0; place + 1 < subscribes.length; place += every) {
    const [first, second] = [subscribes[place], subscribes[place + 1]];
    if (first && second) twins.set(first.index, { ...first, index: second.index, twin: first.index });
  }
  const moved = new Set([...twins.values()].map(({ index }) => index));
  return arrivals.flatMap((arrival) => {
    const second = twins.get(arrival.index);
    if (second) return [{ ...arrival, twin: arrival.index }, second];
    return moved.has(arrival.index) ? [] : [arrival];
  });
}
