import type { Route } from './flightAnswer.ts';
import { holds, unclear, violated, type Judgement } from '../kernel/judgement.ts';

type OrderName = 'departure-then-arrival' | 'arrival-then-departure' | 'departure-descending';

const sorts: readonly {
  readonly name: OrderName | null;
  readonly compare: (a: Route, b: Route) => number;
}[] = [
  { name: 'departure-then-arrival', compare: (a, b) => text(a[0], b[0]) || text(a[1], b[1]) },
  { name: 'arrival-then-departure', compare: (a, b) => text(a[1], b[1]) || text(a[0], b[0]) },
  { name: 'departure-descending', compare: (a, b) => text(b[0], a[0]) || text(b[1], a[1]) },
  { name: null, compare: (a, b) => text(b[1], a[1]) || text(b[0], a[0]) },
];

/** Whether legs are in an order of their airport codes. Fewer than three, or a missing code, prove nothing. */
export function orderedBy(routes: readonly Route[]): Judgement {
  if (routes.length < 3 || routes.flat().includes(''))
    return unclear('too few legs, or codes, to have an order');
  if (sorts.some(({ compare }) => isSorted(routes, compare))) return holds;
  const sorted = [...routes].sort(sorts[0]?.compare);
  return violated('order', `an order of the airport codes, such as ${describe(sorted)}`, describe(routes));
}

/** Whether one order of the codes explains several flights. Any two legs are in some order, but not all flights in the same one. */
export function orderedAlike(flights: readonly (readonly Route[])[]): Judgement {
  if (flights.some((routes) => routes.length < 2 || routes.flat().includes('')))
    return unclear('too few legs, or codes, to have an order');
  if (sorts.some(({ compare }) => flights.every((routes) => isSorted(routes, compare)))) return holds;
  return violated('order', 'one order of the airport codes in all flights', flights.map(describe).join('; '));
}

/** The variants of FLA-OPN-005 that an order fits, if it fits only one. */
export function legOrders(routes: readonly Route[]): readonly OrderName[] {
  const fitting = sorts.filter(({ compare }) => isSorted(routes, compare));
  return fitting.length === 1 ? fitting.flatMap(({ name }) => (name === null ? [] : [name])) : [];
}

function isSorted(routes: readonly Route[], compare: (a: Route, b: Route) => number): boolean {
  return routes.every((route, index) => index === 0 || compare(routes[index - 1] ?? route, route) <= 0);
}

function text(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function describe(routes: readonly Route[]): string {
  return routes.map((route) => route.join('-')).join(', ');
}
