import { flightCallbackTable } from '../../spec/grammar/flightCallbackData.ts';
import { flightSubscribeTable } from '../../spec/grammar/flightSubscribe.ts';
import {
  alternateMembers,
  legMembers,
  legObjects,
  text as legText,
  type ValueForm,
} from '../../spec/grammar/legSnapshot.ts';
import { schemaOfTable, type Named, type Prose } from './grammarSchema.ts';
import { described, nonEmptyText, listOf, object, enumOf, open, orNull, ref, type Schema } from './schema.ts';

const number = 'Airline designator plus digits; spaces, hyphens and leading zeros are removed.';
const date = 'A calendar date, today or later in UTC.';
const address = 'Public HTTPS address, without credentials, IP literal, fragment or internal host.';
/** What is said of the query of a lookup. */
export const lookupProse: Prose = { flightNumber: number, departureDate: date };
const named: Named = new Map([[flightCallbackTable, 'FlightCallbackData']]);

/** A value that the grammar of a snapshot fits, by the types of those that it fits. */
function schemaOfValue({ fits }: ValueForm): Schema {
  const types = [
    ['string', 'x'],
    ['number', 7],
    ['null', null],
  ] as const;
  const fitting = types.flatMap(([type, value]) => (fits(value) ? [type] : []));
  const numbers = fitting.includes('number') ? [] : [0, 1].filter(fits);
  if (fitting.includes('string') || numbers.length === 0) {
    const type = fitting.length === 1 ? fitting[0] : fitting;
    return numbers.length === 0 ? { type } : { anyOf: [{ type }, ...numbers.map((one) => ({ const: one }))] };
  }
  return enumOf(...numbers, ...(fitting.includes('null') ? [null] : []));
}

const clock =
  'YYYY-MM-DD HH:mm:ss on the clock of the departure airport; missing ones are null, blank or zero.';

function memberOf(name: string, form: ValueForm): Schema {
  return name.endsWith('Time') ? described(clock, schemaOfValue(form)) : schemaOfValue(form);
}

/** The members of a leg, or of an object in it. */
function membersOf(holder: string | null): Record<string, Schema> {
  return Object.fromEntries(
    legMembers.filter((one) => one.holder === holder).map(({ name, form }) => [name, memberOf(name, form)]),
  );
}

function requiredOf(holder: string | null): readonly string[] {
  return legMembers.flatMap((one) => (one.holder === holder && one.isRequired ? one.name : []));
}

const legs = Object.keys(legObjects);
const alternates = listOf(ref('AlternateInfo'));
const snapshot = {
  ...membersOf(null),
  alternateInfo: open('FLA-OPN-024', alternates, { type: 'null' }),
  ...Object.fromEntries(legs.map((name) => [name, object(membersOf(name), requiredOf(name))])),
};
const alternateEnd = orNull(
  object(Object.fromEntries([...alternateMembers].map(([name, form]) => [name, memberOf(name, form)]))),
);

/** The schemas of Flight Alerts by name, with the section of the document that each comes from. */
export const flightSchemas: Readonly<Record<string, readonly [section: string, schema: Schema]>> = {
  LegSnapshot: ['Leg snapshot', object(snapshot, [...requiredOf(null), ...legs])],
  AlternateInfo: [
    'alternateInfo item',
    object({ status: schemaOfValue(legText), departure: alternateEnd, arrival: alternateEnd }),
  ],
  FlightCallbackData: [
    'Callback data (subscribe request)',
    schemaOfTable(flightCallbackTable, named, { callbackUrl: address }),
  ],
  FlightSubscribe: [
    'POST /extPartner/api/flight-alerts/subscribe',
    schemaOfTable(flightSubscribeTable(0), named, lookupProse),
  ],
  FlightSubscribed: [
    'POST /extPartner/api/flight-alerts/subscribe',
    object(
      {
        success: { const: true },
        latest_status_snapshot: ref('LegSnapshot'),
        callbackApiKey: open('FLA-OPN-009', nonEmptyText, { type: 'null' }),
      },
      ['success', 'latest_status_snapshot'],
    ),
  ],
  FlightLegs: ['GET /extPartner/api/flight-alerts', listOf(ref('LegSnapshot'))],
  FlightNotice: [
    'Events',
    object(
      {
        fid: nonEmptyText,
        changes: object({
          ...snapshot,
          stopover: open('FLA-OPN-029', object(membersOf('stopover')), { type: 'null' }),
          alternateInfo: open('FLA-OPN-030', alternates, { type: 'null' }),
        }),
      },
      ['fid', 'changes'],
    ),
  ],
};
