import * as z from 'zod';
import type { Parts } from '../parts.ts';
import { legName } from '../flightAlerts/lookup.ts';
import { cleanFlightNumber, documentedCleaning } from '../flightAlerts/flightNumber.ts';
import { mergeChanges } from '../flightAlerts/merge.ts';
import { notifyChange } from '../flightAlerts/notify.ts';
import { arrivalFields, departureFields } from '../flightAlerts/snapshot.ts';
import type { UpstreamLeg } from '../flightAlerts/subscriptions.ts';
import { BadState, defineState, type State } from './state.ts';

const anyOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, z.unknown().optional()]));
const airport = z.string().regex(/^[A-Z]{3}$/);
const date = z.iso.date();
const end = (names: readonly string[]) => z.strictObject({ ...anyOf(names), airportIata: airport });

/** Members of a leg besides its two ends. */
const common = {
  ...anyOf(['flightNumber', 'isCodeshare', 'codeshareFlightNumber', 'status']),
  airline: z.strictObject(anyOf(['name', 'code'])).nullish(),
  stopover: z.strictObject(anyOf(['airportIata', 'city'])).nullish(),
  alternateInfo: z.array(z.unknown()).nullish(),
};
const leg = z.strictObject({ ...common, departure: end(departureFields), arrival: end(arrivalFields) });
const changes = z.strictObject({
  ...common,
  departure: z.strictObject(anyOf(departureFields)).optional(),
  arrival: z.strictObject(anyOf(arrivalFields)).optional(),
});

/** States of the simulated upstream. */
export const flightStates: Readonly<Record<string, State>> = {
  'flights.put': defineState(
    z.strictObject({ flightNumber: z.string(), departureDate: date, legs: z.array(leg) }),
    ({ flightNumber, departureDate, legs }, { flightAlerts }) => {
      flightAlerts.upstream.put(cleaned(flightNumber), departureDate, legs);
      return {};
    },
  ),
  'flights.change': defineState(
    z.strictObject({
      flightNumber: z.string(),
      departureDate: date,
      departureAirportIata: airport,
      arrivalAirportIata: airport,
      changes,
    }),
    (params, parts) => {
      const wanted = {
        flightNumber: cleaned(params.flightNumber),
        date: params.departureDate,
        from: params.departureAirportIata,
        to: params.arrivalAirportIata,
      };
      change(wanted, params.changes, parts);
      return {};
    },
  ),
  'provider.fail': defineState(
    z.strictObject({ mode: z.enum(['unavailable', 'invalid-data', 'subscription']).nullable() }),
    ({ mode }, { flightAlerts }) => {
      flightAlerts.upstream.failure = mode;
      return {};
    },
  ),
};

function cleaned(flightNumber: string): string {
  const clean = cleanFlightNumber(flightNumber, documentedCleaning);
  if (clean === null) throw new BadState('flightNumber is not a flight number.');
  return clean;
}

function change(
  wanted: ReturnType<typeof legName>,
  changed: UpstreamLeg,
  { flightAlerts, clock }: Parts,
): void {
  const { flightNumber, date: day, from, to } = wanted;
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const legs = flightAlerts.upstream.latest(flightNumber, day, today);
  const index = legs.findIndex((one) => {
    const name = legName(one, flightNumber, day);
    return name.from === from && name.to === to;
  });
  const before = legs[index];
  if (!before) throw new BadState('Upstream does not know this leg.');
  const after = mergeChanges(before, changed);
  flightAlerts.upstream.put(flightNumber, day, legs.with(index, flightAlerts.policy.keptLeg(after, before)));
  notifyChange(
    wanted,
    { before: { flightNumber, ...before }, after: { flightNumber, ...after } },
    flightAlerts,
  );
}
