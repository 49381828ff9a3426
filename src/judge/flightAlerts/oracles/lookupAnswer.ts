import type { Exchange, RecordedResponse } from '../../../core/evidence.ts';
import { bodyOf, headerOf, isObject, responseOf, type Json } from '../../kernel/body.ts';
import { isOrdered, legOrders } from '../../../spec/rules/legOrders.ts';
import { shownLegs, type ShownLeg } from '../../../spec/world/legs.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { describeValue } from '../../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { isApplicationJson } from '../../shared/success.ts';

/** The frame of a lookup answer, and the order of its legs. */
export const lookupAnswer: Oracle = {
  id: 'lookup-answer',
  title: 'A lookup is a bare JSON array in the order of airport codes, which no cache may store',
  verifies: ['FLA-GET-002', 'FLA-GET-003', 'FLA-GET-004', 'FLA-GET-007'],
  operations: ['fla.lookup'],
  answers: 'accepted',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (exchange.operation !== 'fla.lookup' || response?.status !== 200) return noSamples;
  const samples = [...judgeArray(response), judgeType(response), judgeCaching(response)];
  const order = judgeOrder(shownLegs(exchange));
  return order ? [...samples, order] : samples;
}

function judgeArray(response: RecordedResponse): readonly Sample[] {
  if (response.truncated) return [];
  const body = bodyOf(response);
  const expected = 'a bare JSON array of objects';
  if (body.kind === 'none') return [sampleOf('FLA-GET-002', violated('shape', expected, body.why))];
  const isLegs = Array.isArray(body.value) && body.value.every(isObject);
  return [
    isLegs
      ? sampleOf('FLA-GET-002', holds)
      : sampleOf('FLA-GET-002', violated('shape', expected, describeValue(body.value))),
  ];
}

function judgeType(response: RecordedResponse): Sample {
  const type = headerOf(response, 'content-type');
  if (isApplicationJson(type)) return sampleOf('FLA-GET-003', holds);
  return sampleOf(
    'FLA-GET-003',
    violated('content-type', 'Content-Type application/json', type ?? 'no Content-Type'),
  );
}

function judgeCaching(response: RecordedResponse): Sample {
  // The usual form.
  if (headerOf(response, 'cache-control') === 'no-store') return sampleOf('FLA-GET-004', holds);
  const values = response.headers
    .filter(([name]) => name.toLowerCase() === 'cache-control')
    .map(([, value]) => value);
  const directives = values
    .join(',')
    .split(',')
    .map((directive) => directive.trim().toLowerCase());
  if (directives.includes('no-store')) return sampleOf('FLA-GET-004', holds);
  const actual = values.length === 0 ? 'no Cache-Control' : `Cache-Control ${values.join(', ')}`;
  return sampleOf('FLA-GET-004', violated('cache-control', 'Cache-Control no-store', actual));
}

type Route = readonly [departure: string, arrival: string];

/** The sort key is not spelled out: departure or arrival code first, each of them in either direction. */
function judgeOrder(legs: readonly ShownLeg[]): Sample | null {
  if (legs.length < 3) return null;
  const routes = legs.map(routeOf).filter((route) => route !== null);
  if (routes.length < legs.length) return null;
  const fits = legOrders.some((order) => isOrdered(routes, order));
  if (fits) return sampleOf('FLA-GET-007', holds);
  const sorted = [...routes].sort(legOrders[0]);
  const expected = `legs in the order of their airport codes, such as ${tellRoutes(sorted)}`;
  const byDeparture = isOrdered(routes, ([one = ''], [other = '']) => (one > other ? 1 : 0));
  const note = byDeparture ? ' (departures are in order, arrivals from the same airport are not)' : '';
  return sampleOf('FLA-GET-007', violated('order', expected, `${tellRoutes(routes)}${note}`));
}

function tellRoutes(routes: readonly Route[]): string {
  return routes.map(([departure, arrival]) => `${departure}-${arrival}`).join(', ');
}

function routeOf({ leg }: ShownLeg): Route | null {
  const departure = codeOf(leg.departure);
  const arrival = codeOf(leg.arrival);
  return departure !== null && arrival !== null ? [departure, arrival] : null;
}

function codeOf(end: Json | undefined): string | null {
  const code = isObject(end) ? end.airportIata : null;
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code) ? code : null;
}
