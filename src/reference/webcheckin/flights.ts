import { findAirport } from '../data/airports.ts';
import { breakOn } from './breakOn.ts';
import { parseClock } from './clockText.ts';
import { isMissing, isObject, type Inspection } from './inspection.ts';
import type { Leg } from './records.ts';
import { Section } from './section.ts';

const textFields = ['airline', 'flight_number', 'origin', 'destination', 'departure_datetime'] as const;

/** Judges `flights` (Flight) and reads the legs of it that are usable. */
export function inspectFlights(value: unknown, inspection: Inspection): readonly Leg[] {
  const list = new Section(inspection, 'flights');
  if (!list.require(!isMissing(value), 'flights.required', 'is required.')) return [];
  if (!list.require(Array.isArray(value), 'flights.array', 'must be an array.')) return [];
  const flights = value as readonly unknown[];
  list.require(flights.length > 0, 'flights.least', 'must hold at least one flight.');
  list.require(flights.length <= 2, 'flights.most', 'must hold two flights at most.');
  return flights.flatMap((flight, index) => inspectFlight(flight, list.at(`[${index}]`, { index })));
}

function inspectFlight(value: unknown, section: Section): readonly Leg[] {
  breakOn('flights[]', value, section.inspection.policy);
  if (!section.require(isObject(value), 'flights.items', 'must be an object.')) return [];
  const flight = value as Readonly<Record<string, unknown>>;
  for (const field of textFields) inspectText(flight[field], field, section);
  inspectCodes(flight, section);
  return readLeg(flight, section);
}

function inspectText(value: unknown, field: string, section: Section): void {
  const here = section.at(`.${field}`, { field });
  if (!here.at('', { value }).require(!isMissing(value), 'flight.required', 'is required.')) return;
  if (!here.require(typeof value === 'string', 'flight.type', 'must be a string.')) return;
  here.require(value !== '', 'flight.length', 'must not be empty.');
  const digits = field !== 'flight_number' || /^[1-9]\d{0,3}$/.test(value as string);
  here.at('', { value }).require(digits, 'flight.number.digits', 'must be of digits.');
  const isZero = field === 'flight_number' && value === '0';
  here.at('', { value }).require(!isZero, 'flight.number.zero', 'is required.');
}

function inspectCodes(flight: Readonly<Record<string, unknown>>, section: Section): void {
  const { airline } = flight;
  if (typeof airline === 'string' && airline !== '') {
    const { isAirlineCode, readAirline } = section.inspection.policy;
    section
      .at('.airline', { field: 'airline' })
      .require(isAirlineCode(readAirline(airline)), 'flight.airline.format', 'is not an airline code.');
  }
  for (const field of ['origin', 'destination']) {
    const code = flight[field];
    if (typeof code === 'string' && code !== '') inspectAirport(code, section.at(`.${field}`, { field }));
  }
}

/** Timezone validity is checked separately (Flight, departure_datetime). */
function inspectAirport(code: string, section: Section): void {
  const { isAirportCode, canonicalCode } = section.inspection.policy;
  const named = section.at('', { value: code });
  if (!named.require(isAirportCode(code), 'flight.airport.letters', 'must be a three-letter airport code.'))
    return;
  const known = findAirport(canonicalCode(code)) !== undefined;
  section.require(known, 'flight.airport.zone', 'is an airport without known timezone.');
}

function readLeg(flight: Readonly<Record<string, unknown>>, section: Section): readonly Leg[] {
  const clock = section.at('.departure_datetime', { field: 'departure_datetime' });
  const departure = readClock(flight.departure_datetime, clock);
  const arrival = readArrival(
    flight.arrival_datetime,
    section.at('.arrival_datetime', { field: 'arrival_datetime' }),
  );
  const { airline, flight_number, origin, destination } = flight;
  const { policy } = section.inspection;
  const canonical = (code: unknown) => policy.canonicalCode(asText(code));
  if (!departure) return [];
  return [
    {
      airline: policy.readAirline(canonical(airline)),
      flightNumber: asText(flight_number),
      origin: canonical(origin),
      destination: canonical(destination),
      departureText: asText(flight.departure_datetime),
      departure: departure.wall,
      departureSuffix: departure.suffix,
      arrival: arrival?.wall ?? null,
      arrivalSuffix: arrival?.suffix ?? null,
    },
  ];
}

function readArrival(value: unknown, section: Section) {
  section.require(!isMissing(value), 'flight.arrival.required', 'is required.');
  if (isMissing(value)) return null;
  if (!section.require(typeof value === 'string', 'flight.type', 'must be a string or null.')) return null;
  const preferred = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(value as string);
  section.require(preferred, 'flight.arrival.preferred', 'is malformed.');
  return readClock(value, section);
}

function readClock(value: unknown, section: Section) {
  if (typeof value !== 'string') return null;
  const { clockFormat, clockCorners } = section.inspection.policy;
  const reading = parseClock(value, clockFormat, clockCorners);
  section.at('', { value }).require(false, 'flight.clock.combination', 'is in no known form.');
  if (reading.ok) return reading;
  if (reading.reason === 'format')
    section.at('', { value }).require(false, 'flight.clock.format', 'is not a local date and time.');
  else section.require(false, 'flight.clock.calendar', 'does not exist.');
  return null;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
