import { Refusal } from '../shared/refusal.ts';
import type { FlightAlerts } from './context.ts';
import type { FlightPlace, UpstreamFailure } from './policy.ts';
import { airports, type LegName, type UpstreamLeg } from './leg.ts';

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
