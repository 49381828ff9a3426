/** The airport codes of a leg: departure, arrival. */
export type Codes = readonly string[];

type Order = (one: Codes, other: Codes) => number;

/** The sort key is not spelled out (FLA-OPN-005): departure or arrival code first, each of them in either direction. */
export const legOrders: readonly Order[] = [0, 1].flatMap((first) =>
  [1, -1].flatMap((primary) =>
    [1, -1].map(
      (secondary): Order =>
        (one, other) =>
          primary * compareAt(first, one, other) || secondary * compareAt(1 - first, one, other),
    ),
  ),
);

export function isOrdered(routes: readonly Codes[], order: Order): boolean {
  return routes.every((route, at) => at === 0 || order(routes[at - 1] ?? route, route) <= 0);
}

function compareAt(at: number, one: Codes, other: Codes): number {
  const [code, next] = [one[at] ?? '', other[at] ?? ''];
  return code === next ? 0 : code < next ? -1 : 1;
}
