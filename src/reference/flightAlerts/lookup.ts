import type { Operation } from '../shared/call.ts';
import { invalid, Refusal } from '../shared/refusal.ts';
import { refuseUnknown } from '../shared/unknownMembers.ts';
import type { FlightAlerts } from './context.ts';
import { chargeFlights } from './entitlement.ts';
import { airports, type UpstreamLeg, type LegName } from './subscriptions.ts';
import { demanding, readDate, readFlightNumber } from './rules.ts';
import { snapshotOf } from './snapshot.ts';
import type { FlightPlace, UpstreamFailure } from './policy.ts';

interface LookupQuery {
  readonly flightNumber: string;
  readonly date: string;
  readonly from: string | null;
  readonly to: string | null;
}

const airportParameters = ['departureAirportIata', 'arrivalAirportIata'];

/** GET /extPartner/api/flight-alerts */
export function lookupOperation(service: FlightAlerts): Operation<LookupQuery> {
  const { policy, subscriptions } = service;
  return {
    prepare: ({ query }) => readQuery(query, service),
    run: (caller, query) => {
      chargeFlights(caller, 'lookup', service);
      const { flightNumber, date } = query;
      const legs = findLegs(query, service);
      const snapshots = legs.map((leg) => snapshotOf(leg, policy));
      const names = legs.map((leg) => legName(leg, flightNumber, date));
      const body = policy.lookupBody(snapshots, names, subscriptions.ofFlight(flightNumber, date));
      return { status: 200, body, headers: policy.lookupHeaders };
    },
  };
}

function readQuery(query: URLSearchParams, service: FlightAlerts): LookupQuery {
  const { policy } = service;
  refuseUnknown(query.keys(), ['flightNumber', 'departureDate', ...airportParameters], policy);
  for (const [field, rule] of [
    ['flightNumber', 'flightNumber.scalar'],
    ['departureDate', 'date.scalar'],
  ] as const) {
    const values = query.getAll(field);
    const demand = demanding({ operation: 'lookup', field, value: values }, service);
    const isOnce = values.length <= 1 || policy.repeatedParameter === 'first';
    demand(isOnce, rule, `${field} must be given once.`);
  }
  if (policy.lookupAirports === 'refused' && airportParameters.some((name) => query.has(name)))
    throw invalid('Airport codes are not accepted here.');
  if (policy.lookupAirports === 'required' && !airportParameters.every((name) => query.has(name)))
    throw invalid('Airport codes are required.');
  return {
    flightNumber: readFlightNumber(query.get('flightNumber'), 'lookup', service),
    date: readDate(query.get('departureDate'), 'lookup', service),
    from: query.get('departureAirportIata'),
    to: query.get('arrivalAirportIata'),
  };
}

function findLegs(query: LookupQuery, service: FlightAlerts): readonly UpstreamLeg[] {
  const { policy } = service;
  const legs = fetchLegs(query, 'lookup', service);
  const wanted = policy.lookupAirports === 'filter' ? legs.filter((leg) => isWanted(leg, query)) : legs;
  if (wanted.length === 0 && policy.emptyLookup === 'not-found')
    throw flightNotFound('lookup', legs.length > 0, service);
  return [...policy.lookupLegs(wanted)].sort((one, other) => policy.legOrder(one, other));
}

function isWanted(leg: UpstreamLeg, { from, to }: LookupQuery): boolean {
  const [departure, arrival] = airports(leg);
  return (from === null || from === departure) && (to === null || to === arrival);
}

/** What upstream knows about a flight on a date; throws the 502 of a failing upstream (Errors). */
export function fetchLegs(
  { flightNumber, date }: { readonly flightNumber: string; readonly date: string },
  operation: FlightPlace['operation'],
  service: FlightAlerts,
): readonly UpstreamLeg[] {
  const { upstream, policy, clock } = service;
  const { failure } = upstream;
  if (failure === 'unavailable' || failure === 'invalid-data')
    throw upstreamRefusal({ failure, operation }, service);
  if (failure === 'subscription' && operation === 'lookup' && policy.lookupTracks)
    throw upstreamRefusal({ failure, operation }, service);
  const now = clock.now();
  const kept = policy.upstreamKept({ operation });
  const exact = upstream.legs(
    flightNumber,
    date,
    { today: policy.today(now), now },
    typeof kept === 'string' ? [kept, Infinity] : kept,
  );
  const isLonger = exact.length === 0 && policy.findsLongerNumbers;
  const legs = isLonger ? upstream.beginningWith(flightNumber, date) : exact;
  if (policy.unfinishedLegs === 'refused' && legs.some(isUnfinished))
    throw upstreamRefusal({ failure: 'invalid-data', operation }, service);
  return legs.map((leg) => ({ flightNumber, ...leg }));
}

export function upstreamRefusal(
  { failure, operation }: { failure: UpstreamFailure; operation: FlightPlace['operation'] },
  { policy }: FlightAlerts,
  extra: Readonly<Record<string, unknown>> = {},
): Refusal {
  const { status, code } = policy.failureCode(failure, operation);
  return new Refusal(status, code, failureTexts[failure], extra);
}

export function flightNotFound(
  operation: 'lookup' | 'subscribe',
  flightKnown: boolean,
  { policy }: FlightAlerts,
): Refusal {
  const { status, code } = policy.notFoundCode(operation, flightKnown);
  return new Refusal(status, code, 'No such flight or leg on this date.');
}

export function legName(leg: UpstreamLeg, flightNumber: string, date: string): LegName {
  const [from, to] = airports(leg);
  return { flightNumber, date, from, to };
}

function isUnfinished(leg: UpstreamLeg): boolean {
  const departure = leg.departure as Record<string, unknown> | undefined;
  return departure?.scheduledTime === undefined;
}

const failureTexts = {
  unavailable: 'The flight status could not be retrieved; retry later.',
  'invalid-data': 'The flight data received is invalid.',
  subscription: 'The tracking of the flight could not be confirmed; retry the same request.',
} as const;
