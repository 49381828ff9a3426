import type { WebCheckinPolicy } from './policy.ts';
import type { BookingForm, JourneyRule, TimedLeg } from './policyTerms.ts';
import type { Leg } from './records.ts';
import { findAirport } from '../data/airports.ts';
import { wallAsUtc } from '../shared/localTime.ts';

export interface Journey {
  readonly legs: readonly TimedLeg[];
  /** Why the journey is rejected; null if it is not (States, journey rule). */
  readonly rejection: { readonly rule: JourneyRule; readonly text: string } | null;
}

/** Judges the itinerary as a whole: known airports, one airline, connected, in order by instants, six hours ahead. */
export function judgeJourney(
  legs: readonly Leg[],
  now: number,
  policy: WebCheckinPolicy,
  form: BookingForm,
): Journey {
  const timed = legs.map((leg) => timeLeg(leg, now, policy));
  const broken = brokenRules(timed, now, policy).find(({ rule, index }) =>
    policy.judges(rule, index, legs.length, form),
  );
  return { legs: timed, rejection: broken ?? null };
}

/** An airport that the policy lets pass without a timezone counts as UTC. */
function zoneOf(code: string): string {
  return findAirport(code)?.zone ?? 'UTC';
}

function timeLeg(leg: Leg, now: number, policy: WebCheckinPolicy): TimedLeg {
  const origin = zoneOf(leg.origin);
  const destination = zoneOf(leg.destination);
  return {
    leg,
    departsAt: policy.departureInstant(leg.departure, leg.departureSuffix, origin, now),
    arrivesAt: leg.arrival && policy.arrivalInstant(leg.arrival, leg.arrivalSuffix, destination, origin),
  };
}

interface Broken {
  readonly rule: JourneyRule;
  readonly index: number;
  readonly text: string;
}

function brokenRules(legs: readonly TimedLeg[], now: number, policy: WebCheckinPolicy): readonly Broken[] {
  return legs.flatMap((timed, index) => {
    const previous = legs[index - 1];
    return [
      ...brokenAlone(timed.leg, index, policy),
      ...(previous ? brokenTogether([previous, timed], index, policy) : []),
      ...(index === legs.length - 1 ? brokenAsWhole(legs) : []),
      ...brokenLeadTime(index, timed.departsAt - now, policy),
    ];
  });
}

function brokenAlone(leg: Leg, index: number, policy: WebCheckinPolicy): readonly Broken[] {
  const broken: Broken[] = [];
  if (!policy.supportsAirline(leg.airline))
    broken.push({ rule: 'airline', index, text: `Airline ${leg.airline} is not supported.` });
  if (leg.origin === leg.destination)
    broken.push({ rule: 'route', index, text: `flights[${index}] leads from ${leg.origin} to itself.` });
  if (leg.arrival && wallAsUtc(leg.arrival) < wallAsUtc(leg.departure))
    broken.push({ rule: 'backwards', index, text: `flights[${index}] arrives before it departs.` });
  return broken;
}

function brokenTogether(
  [before, after]: readonly [TimedLeg, TimedLeg],
  index: number,
  policy: WebCheckinPolicy,
): readonly Broken[] {
  const broken: Broken[] = [];
  if (before.leg.airline !== after.leg.airline)
    broken.push({ rule: 'oneAirline', index, text: 'All flights must be operated by one airline.' });
  if (before.leg.destination !== after.leg.origin)
    broken.push({
      rule: 'connected',
      index,
      text: `flights[${index}] does not start where the previous one ends.`,
    });
  if (policy.clockOrder(after) < (before.arrivesAt ?? policy.clockOrder(before)))
    broken.push({ rule: 'order', index, text: `flights[${index}] departs before the previous one ends.` });
  return broken;
}

function brokenAsWhole(legs: readonly TimedLeg[]): readonly Broken[] {
  if (legs.length < 2 || legs[0]?.leg.origin !== legs.at(-1)?.leg.destination) return [];
  return [{ rule: 'oneWay', index: legs.length - 1, text: 'The itinerary must be one-way.' }];
}

function brokenLeadTime(index: number, ahead: number, policy: WebCheckinPolicy): readonly Broken[] {
  const days = ahead / 86_400_000;
  if (policy.bookingHorizonDays !== null && days > policy.bookingHorizonDays)
    return [{ rule: 'horizon', index, text: 'Departure is too far ahead.' }];
  if (policy.leadTimeMet(ahead)) return [];
  return [{ rule: 'leadTime', index, text: 'Departure is less than six hours away.' }];
}
