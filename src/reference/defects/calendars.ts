import { findAirport } from '../data/airports.ts';
import { instantInZone, offsetAt, type WallClock } from '../shared/localTime.ts';
import { breaking, partsIn, reading, refusing, type Found } from './handlers.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const checkin = defectsOf('webcheckin');
const flights = defectsOf('flight-alerts');
const dayMs = 86_400_000;

const passports = ({ body }: Found): readonly Part[] =>
  partsIn(body, 'passengers').map(({ passport }) => (isPart(passport) ? passport : {}));
const expiresAfter2038 = (found: Found) =>
  passports(found).some(({ expiry_date: day }) => typeof day === 'string' && day > '2038-01-19');
const bornBefore1970 = ({ body }: Found) =>
  partsIn(body, 'passengers').some(({ date_of_birth: day }) => typeof day === 'string' && day < '1970');

/** The departures of a subscribe, with the zones of their origins. */
function departures({ at, body }: Found): readonly (readonly [WallClock, string])[] {
  if (at !== 'subscribe') return [];
  return partsIn(body, 'flights').flatMap(({ origin, departure_datetime: clock }) => {
    const parts = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)/.exec(String(clock))?.slice(1).map(Number);
    const zone = findAirport(String(origin).trim().toUpperCase())?.zone;
    if (!parts || zone === undefined) return [];
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts;
    return [[{ year, month, day, hour, minute, second: 0, millisecond: 0 }, zone] as const];
  });
}

/** How far the clocks there go forward in the hours around a departure. */
function shift([wall, zone]: readonly [WallClock, string], hours: number): number {
  const at = instantInZone(wall, zone);
  return offsetAt(zone, at + hours * 3_600_000) - offsetAt(zone, at - hours * 3_600_000);
}

const offset = ([wall, zone]: readonly [WallClock, string]) =>
  offsetAt(zone, instantInZone(wall, zone)) / 60_000;

const dateOf = ({ query, body }: Found) => query.get('departureDate') ?? String(body.departureDate);

/** The date by the year of its week, as YYYY means in the patterns of Java. */
function byWeekYear(date: string): string {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return date;
  const sunday = at - new Date(at).getUTCDay() * dayMs;
  return `${new Date(sunday + 6 * dayMs).getUTCFullYear()}${date.slice(4)}`;
}

/** Days and hours that programs of calendars stumble over. */
export const calendarDefects: readonly Defect[] = [
  checkin.sometimes('passport-beyond-2038-refused', 'A passport expires before 2038.', 'WCI-SUB-092', {
    front: refusing(expiresAfter2038),
  }),
  checkin.sometimes(
    'passport-beyond-2038-500',
    'An expiry of more than 31 bits of seconds is an internal error.',
    'WCI-SUB-092',
    {
      front: breaking(expiresAfter2038),
    },
  ),
  checkin.sometimes('birth-before-1970-refused', 'Nobody is born before 1970.', 'WCI-SUB-092', {
    front: refusing(bornBefore1970),
  }),
  checkin.sometimes(
    'clock-repeated-hour-500',
    'A clock in the hour that comes twice is an internal error.',
    'WCI-DT-001',
    {
      front: breaking((found) => departures(found).some((one) => shift(one, 2) < 0)),
    },
  ),
  checkin.sometimes(
    'clock-skipped-hour-500',
    'A clock in the hour that is left out is an internal error.',
    'WCI-DT-001',
    {
      front: breaking((found) => departures(found).some((one) => shift(one, 2) > 0)),
    },
  ),
  checkin.sometimes(
    'clock-half-hour-zone-500',
    'A zone of half an hour is an internal error.',
    'WCI-DT-001',
    {
      front: breaking((found) => departures(found).some((one) => offset(one) % 60 !== 0)),
    },
  ),
  checkin.sometimes('clock-far-zone-500', 'A zone beyond +12:00 is an internal error.', 'WCI-DT-001', {
    front: breaking((found) => departures(found).some((one) => offset(one) > 720)),
  }),
  flights.sometimes(
    'lookup-year-end-missing',
    'There is no flight on the last day of a year.',
    'FLA-GET-001 also FLA-SUB-001',
    {
      front: refusing((found) => dateOf(found).endsWith('-12-31'), 404, 'FLIGHT_NOT_FOUND'),
    },
  ),
  flights.sometimes(
    'lookup-by-week-year',
    'In its last week a year is taken for the next one.',
    'FLA-GET-001',
    {
      front: reading('departureDate', byWeekYear),
    },
  ),
  flights.sometimes(
    'lookup-leap-day-missing',
    'There is no flight on the 29th of February.',
    'FLA-GET-001 also FLA-SUB-001',
    {
      front: refusing((found) => dateOf(found).endsWith('-02-29'), 404, 'FLIGHT_NOT_FOUND'),
    },
  ),
  flights.sometimes(
    'lookup-new-year-missing',
    'There is no flight on the first day of a year.',
    'FLA-GET-001',
    {
      front: refusing((found) => dateOf(found).endsWith('-01-01'), 404, 'FLIGHT_NOT_FOUND'),
    },
  ),
];
