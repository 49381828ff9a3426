import type { FlightLeg } from './flightSubscription.ts';
import type { JsonObject, JsonValue } from '../../spec/kit/json.ts';

export type Route = readonly [departure: string, arrival: string];

/** Seconds that the clocks of these airports are ahead of UTC; none of them changes in the year. */
const offsets: Readonly<Record<string, number>> = {
  BKK: 25_200,
  DOH: 10_800,
  DXB: 14_400,
  NRT: 32_400,
  SIN: 28_800,
};

/** Routes in the order of a journey, which is not the order of their codes under any reading. */
export const journey: readonly Route[] = [
  ['DOH', 'SIN'],
  ['SIN', 'BKK'],
  ['BKK', 'NRT'],
];

/** Members that replace those of a leg; those of `departure` and `arrival` one by one. */
export interface LegChanges {
  readonly departure?: JsonObject;
  readonly arrival?: JsonObject;
  readonly [member: string]: JsonValue | undefined;
}

/**
 * A leg snapshot as upstream may know it, every member filled but alternateInfo. All times are on the departure
 * airport's clock; the arrival is three hours after the departure.
 */
export function upstreamLeg(leg: FlightLeg, changes: LegChanges = {}, hour = 9): JsonObject {
  const { departure = {}, arrival = {}, ...rest } = changes;
  const time = (after: number) => clockOf(leg.departureDate, hour + after);
  return {
    flightNumber: leg.flightNumber,
    stopover: { airportIata: null, city: null },
    isCodeshare: 1,
    codeshareFlightNumber: 'EK 3',
    status: 'schedule',
    airline: { name: 'Gatecheck Air', code: codeOf(leg.flightNumber) },
    departure: {
      airportIata: leg.departure,
      city: cityOf(leg.departure),
      terminal: '1',
      utcOffsetSeconds: offsets[leg.departure] ?? 0,
      scheduledTime: time(0),
      estimatedTime: time(0),
      actualTime: null,
      gate: 'A7',
      boardingStatus: 'check-in',
      ...departure,
    },
    arrival: {
      airportIata: leg.arrival,
      city: cityOf(leg.arrival),
      terminal: '2',
      utcOffsetSeconds: offsets[leg.arrival] ?? 0,
      scheduledTime: time(3),
      estimatedTime: time(3),
      actualTime: null,
      baggageBelt: '4',
      ...arrival,
    },
    ...(rest as JsonObject),
  };
}

/** With characters that programs damage which confuse encodings or escape texts for a page. */
function cityOf(airport: string): string {
  return `S\u00e3o ${airport} & D'Oro`;
}

/** So many hours and 25 minutes after midnight, which may be on the next day; a date of no calendar stands as it is. */
function clockOf(date: string, hours: number): string {
  const midnight = Date.parse(`${date}T00:25:00Z`);
  if (Number.isNaN(midnight)) return `${date} ${String(hours % 24).padStart(2, '0')}:25:00`;
  return new Date(midnight + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** The prefix of a clean flight number; a letter in third place belongs to it, since only digits follow. */
function codeOf(flightNumber: string): string {
  return /^..[A-Z]?/.exec(flightNumber)?.[0] ?? flightNumber;
}
