import {
  described,
  nonEmptyText,
  listOf,
  maybeText,
  object,
  enumOf,
  open,
  orNull,
  ref,
  text,
  type Schema,
} from './schema.ts';

/** Missing values normally are null; blank strings and zero values can appear too. */
const value: Schema = { anyOf: [maybeText, { const: 0 }] };
const offset: Schema = { type: ['string', 'number', 'null'] };
const time = described(
  'YYYY-MM-DD HH:mm:ss on the clock of the departure airport; missing ones are null, blank or zero.',
  value,
);
const place = { airportIata: value, city: value, terminal: value, utcOffsetSeconds: offset };
const times = { scheduledTime: time, estimatedTime: time, actualTime: time };
const stopover = { airportIata: value, city: value };
const departure = object({ ...place, ...times, gate: value, boardingStatus: value });
const arrival = object({ ...place, ...times, baggageBelt: value });
const airportCode: Schema = { type: 'string', pattern: String.raw`^\s*[A-Za-z]{3}\s*$` };
const alternateEnd = orNull(
  object({ city: value, airport: value, scheduledTime: time, actualTime: time, utcOffsetSeconds: offset }),
);

const snapshot = {
  flightNumber: text,
  stopover: object(stopover, ['airportIata', 'city']),
  alternateInfo: open('FLA-OPN-024', listOf(ref('AlternateInfo')), { type: 'null' }),
  ...{ isCodeshare: enumOf(0, 1, null), codeshareFlightNumber: value, status: value },
  airline: object({ name: value, code: value }),
  ...{ departure, arrival },
};

export const flightNumberSchema = described(
  'Airline designator plus digits; spaces, hyphens and leading zeros are removed.',
  {
    type: 'string',
    pattern: String.raw`^[\sA-Za-z0-9-]+$`,
  },
);
export const departureDateSchema = described('A calendar date, today or later in UTC.', {
  type: 'string',
  format: 'date',
  pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
});

/** The schemas of Flight Alerts by name, with the section of the document that each comes from. */
export const flightSchemas: Readonly<Record<string, readonly [section: string, schema: Schema]>> = {
  LegSnapshot: [
    'Leg snapshot',
    object(snapshot, ['flightNumber', 'stopover', 'airline', 'departure', 'arrival']),
  ],
  AlternateInfo: [
    'alternateInfo item',
    object({ status: value, departure: alternateEnd, arrival: alternateEnd }),
  ],
  FlightCallbackData: [
    'Callback data (subscribe request)',
    object(
      {
        fid: { type: 'string', minLength: 1, maxLength: 255, ...open('FLA-OPN-010', {}) },
        callbackUrl: described(
          'Public HTTPS address, without credentials, IP literal, fragment or internal host.',
          { type: 'string', format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://[^/?#@]+([/?][^#]*)?$' },
        ),
      },
      ['fid', 'callbackUrl'],
    ),
  ],
  FlightSubscribe: [
    'POST /extPartner/api/flight-alerts/subscribe',
    object(
      {
        flightNumber: flightNumberSchema,
        departureDate: departureDateSchema,
        departureAirportIata: airportCode,
        arrivalAirportIata: airportCode,
        callbackData: orNull(ref('FlightCallbackData')),
      },
      ['flightNumber', 'departureDate', 'departureAirportIata', 'arrivalAirportIata'],
    ),
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
          stopover: open('FLA-OPN-029', object(stopover), { type: 'null' }),
          alternateInfo: open('FLA-OPN-030', listOf(ref('AlternateInfo')), { type: 'null' }),
        }),
      },
      ['fid', 'changes'],
    ),
  ],
};
