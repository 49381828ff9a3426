import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../spec/kit/json.ts';
import type { LegChanges } from './upstreamLeg.ts';

/** The statuses that the documents know; the set is open. */
export const knownStatuses: readonly string[] = [
  'schedule',
  'delay',
  'cancel',
  'diversion',
  'return',
  'departure',
  'arrival',
  'diverted flight departure',
  'diverted flight cancel',
  'diverted flight arrival',
  'returned flight departure',
  'returned flight cancel',
  'returned flight arrival',
  'cancel in advance',
  'circling',
  'circled',
  'climbing',
  'cruising',
  'descending',
  'landing',
];

/** Statuses that are not on the list: other words, white space, letter case, and look-alikes of listed ones. */
export const unfamiliarStatuses: readonly string[] = [
  ' circled ',
  'new thing',
  'scheduled',
  'Delay',
  'CANCEL',
  'delay  ',
  'diverted  flight arrival',
  'étape',
  'on_time',
  '7',
  'null',
];

const unfamiliarStatus: fc.Arbitrary<string> = fc.constantFrom(...unfamiliarStatuses);

export const knownBoardingStatuses: readonly string[] = [
  'check-in',
  'check-in closed',
  'boarding',
  'last call',
  'gate closed',
  'web check-in',
];

const boardingStatus: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  ...knownBoardingStatuses,
  null,
  '',
  'Boarding',
  'final call ',
  'remote stand',
);

/** A time after the scheduled one of a leg that departs at 9:25 and arrives at 12:25, consistent with its other times. */
function timeAt(date: string, hours: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...hours), fc.constantFrom('30', '59'))
    .map(([hour, minute]) => `${date} ${hour}:${minute}:00`);
}

const noTime: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(null, '', '0000-00-00 00:00:00');
const noText: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(null, '', '0', ' ');

/**
 * Unusual values of a leg that upstream may send: open sets, missing, blank and zero values, in members that a
 * schedule can be without. Its scheduled times and airport codes are whole.
 */
export function unusualLeg(departureDate: string): fc.Arbitrary<LegChanges> {
  const departed = fc.oneof(timeAt(departureDate, ['09', '10', '11']), noTime);
  const arrived = fc.oneof(timeAt(departureDate, ['12', '22', '23']), noTime);
  const text = fc.oneof(fc.constantFrom<JsonValue>('T1', 'Ñ-é', '007'), noText);
  const departure = {
    terminal: text,
    gate: text,
    boardingStatus,
    estimatedTime: departed,
    actualTime: departed,
  };
  const arrival = {
    terminal: text,
    baggageBelt: text,
    estimatedTime: arrived,
    actualTime: arrived,
  };
  return fc.record(
    {
      status: fc.oneof(
        fc.constantFrom<JsonValue>(...knownStatuses),
        unfamiliarStatus,
        fc.constant<JsonValue>(null),
      ),
      isCodeshare: fc.constantFrom<JsonValue>(0, 1, null),
      codeshareFlightNumber: fc.constantFrom<JsonValue>('', null, 'EK 3'),
      departure: fc.record(departure, { noNullPrototype: true }),
      arrival: fc.record(arrival, { noNullPrototype: true }),
    },
    { noNullPrototype: true },
  );
}

/** Alternate routes as upstream may send them: one whole, one that names its status only, one of nulls. */
export function alternateRoutes(departureDate: string): readonly JsonObject[] {
  const end = (airport: string, hour: string): JsonObject => ({
    city: `City of ${airport}`,
    airport,
    scheduledTime: `${departureDate} ${hour}:10:00`,
    actualTime: `${departureDate} ${hour}:40:00`,
    utcOffsetSeconds: 10_800,
  });
  return [
    { status: 'diversion', departure: end('DOH', '10'), arrival: end('DXB', '23') },
    { status: 'new thing' },
    {
      status: null,
      departure: null,
      arrival: { city: null, airport: 'AUH', scheduledTime: null, actualTime: '' },
    },
  ];
}
