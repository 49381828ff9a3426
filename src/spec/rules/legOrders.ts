import type { Exchange } from '../../core/evidence.ts';
import { onceForEach } from '../../core/latest.ts';
import type { Findings } from '../kernel/findings.ts';
import { text } from '../kernel/value.ts';
import { requestedLeg, routeOf, shownLegs, type ShownLeg } from '../world/legs.ts';

/** The airport codes of a leg: departure, arrival. */
type Codes = readonly string[];

/** Those with a name in FLA-OPN-005, by the code that comes first. */
const names = [['departure-then-arrival', 'departure-descending'], ['arrival-then-departure']] as const;

/** The sort key is not spelled out (FLA-OPN-005): departure or arrival code first, each of them in either direction. */
const orders = [0, 1].flatMap((first) =>
  [1, -1].flatMap((primary) =>
    [1, -1].map((secondary) => ({
      name: names[first]?.[primary > 0 ? 0 : 1] ?? null,
      compare: (one: Codes, other: Codes) =>
        primary * compareAt(first, one, other) || secondary * compareAt(1 - first, one, other),
    })),
  ),
);

/** Whether the legs of each flight, and of all flights alike, are in an order of their airport codes. */
export class LegOrders {
  #left = orders;
  /** The lookups that leave no other orders than these. */
  #because: readonly { readonly id: string }[] = [];

  judge(exchange: Exchange, findings: Findings): void {
    const { routes, fitting, isWhole } = ordersOf(shownLegs(exchange));
    if (!isWhole) return;
    const kept = this.#left.filter((order) => fitting.includes(order));
    if (kept.length > 0) {
      if (kept.length < this.#left.length) this.#because = [...this.#because, { id: exchange.id }];
      this.#left = kept;
      // Any two legs are in some order.
      if (routes.length > 2) findings.keep('FLA-GET-007');
      return;
    }
    const because = [...this.#because, { id: exchange.id }];
    const want = text(
      `the order of airport codes of all flights, such as ${told(routes.toSorted(this.#left[0]?.compare))}`,
    );
    findings.break('FLA-GET-007', { code: 'order', at: 'body', want, got: text(told(routes)), because });
  }
}

/** A subscribe shows the leg that it asks for; a missing code is null or blank, and says nothing about the leg. */
export function judgeShownLeg(exchange: Exchange, findings: Findings): void {
  const [shown] = shownLegs(exchange);
  const asked = requestedLeg(exchange);
  if (!asked || !shown) return;
  const [from = '', to = ''] = routeOf(shown.leg).split('-');
  const isOther = (from !== '' && from !== asked.departure) || (to !== '' && to !== asked.arrival);
  if (!isOther && (from === '' || to === '')) return;
  findings.check('FLA-SUB-002', !isOther, () => ({
    ...{
      code: 'leg',
      at: 'latest_status_snapshot',
      want: text(`the leg ${asked.departure}-${asked.arrival}`),
    },
    got: text(`the leg ${from}-${to}`),
  }));
}

/** The variant of FLA-OPN-005 that an answer shows; null where it may be several. */
export function legOrder(exchange: Exchange): string | null {
  const { fitting } = ordersOf(shownLegs(exchange));
  const [name = null, ...others] = new Set(fitting.map((one) => one.name));
  return others.length > 0 ? null : name;
}

/** The routes of some legs, and the orders that they may be in. */
const ordersOf = onceForEach((legs: readonly ShownLeg[]) => {
  const routes = legs.map(({ leg }): Codes => routeOf(leg).split('-'));
  const fitting = orders.filter(({ compare }) =>
    routes.every((route, at) => at === 0 || compare(routes[at - 1] ?? route, route) <= 0),
  );
  return { routes, fitting, isWhole: routes.length > 1 && !routes.flat().includes('') };
});

function told(routes: readonly Codes[]): string {
  return routes.map((one) => one.join('-')).join(', ');
}

function compareAt(at: number, one: Codes, other: Codes): number {
  const [code, next] = [one[at] ?? '', other[at] ?? ''];
  return code === next ? 0 : code < next ? -1 : 1;
}
