import { findAirport } from '../data/airports.ts';
import { parseClock } from './clockText.ts';
import { isMissing, isObject, type Inspection } from './inspection.ts';
import type { Leg } from './records.ts';

const textFields = ['airline', 'flight_number', 'origin', 'destination', 'departure_datetime'] as const;

/** Judges `flights` (Flight) and reads the legs of it that are usable. */
export function inspectFlights(value: unknown, inspection: Inspection): readonly Leg[] {
  if (!inspection.require(!isMissing(value), 'flights.required', 'flights is required.')) return [];
  if (!inspection.require(Array.isArray(value), 'flights.array', 'flights must be an array.')) return [];
  const flights = value as readonly unknown[];
  inspection.require(flights.length > 0, 'flights.least', 'flights must hold at least one flight.');
  inspection.require(flights.length <= 2, 'flights.most', 'flights must hold two flights at most.');
  return flights.flatMap((flight, index) => inspectFlight(flight, index, inspection));
}

function inspectFlight(value: unknown, index: number, inspection: Inspection): readonly Leg[] {
  const at = `flights[${index}]`;
  if (!inspection.require(isObject(value), 'flights.items', `${at} must be an object.`, { index })) return [];
  const flight = value as Record<string, unknown>;
  for (const field of textFields) inspectText(flight[field], `${at}.${field}`, { index, field }, inspection);
  inspectCodes(flight, index, inspection);
  return readLeg(flight, index, inspection);
}

function inspectText(
  value: unknown,
  path: string,
  place: { index: number; field: string },
  inspection: Inspection,
): void {
  if (!inspection.require(!isMissing(value), 'flight.required', `${path} is required.`, place)) return;
  if (!inspection.require(typeof value === 'string', 'flight.type', `${path} must be a string.`, place))
    return;
  inspection.require(value !== '', 'flight.length', `${path} must not be empty.`, place);
  const digits = place.field !== 'flight_number' || /^[1-9]\d{0,3}$/.test(value as string);
  inspection.require(digits, 'flight.number.digits', `${path} must be of digits.`, { ...place, value });
}

function inspectCodes(flight: Record<string, unknown>, index: number, inspection: Inspection): void {
  const { airline } = flight;
  if (typeof airline === 'string' && airline !== '') {
    const text = `flights[${index}].airline is not an airline code.`;
    const { isAirlineCode, readAirline } = inspection.policy;
    const holds = isAirlineCode(readAirline(airline));
    inspection.require(holds, 'flight.airline.format', text, { index, field: 'airline' });
  }
  for (const field of ['origin', 'destination']) {
    const code = flight[field];
    if (typeof code !== 'string' || code === '') continue;
    const text = `flights[${index}].${field} must be a three-letter airport code.`;
    const holds = inspection.policy.isAirportCode(code);
    if (inspection.require(holds, 'flight.airport.letters', text, { index, field, value: code }))
      inspectZone(code, index, field, inspection);
  }
}

/** Timezone validity is checked separately (Flight, departure_datetime). */
function inspectZone(code: string, index: number, field: string, inspection: Inspection): void {
  const known = findAirport(inspection.policy.canonicalCode(code)) !== undefined;
  const text = `flights[${index}].${field} is an airport without known timezone.`;
  inspection.require(known, 'flight.airport.zone', text, { index, field });
}

function readLeg(flight: Record<string, unknown>, index: number, inspection: Inspection): readonly Leg[] {
  const departure = readClock(flight.departure_datetime, 'departure_datetime', index, inspection);
  const arrival = readArrival(flight.arrival_datetime, index, inspection);
  const { airline, flight_number, origin, destination } = flight;
  const canonical = (code: unknown) => inspection.policy.canonicalCode(asText(code));
  if (!departure) return [];
  return [
    {
      airline: inspection.policy.readAirline(canonical(airline)),
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

function readArrival(value: unknown, index: number, inspection: Inspection) {
  const place = { index, field: 'arrival_datetime' };
  const path = `flights[${index}].arrival_datetime`;
  inspection.require(!isMissing(value), 'flight.arrival.required', `${path} is required.`, place);
  if (isMissing(value)) return null;
  const text = `${path} must be a string or null.`;
  if (!inspection.require(typeof value === 'string', 'flight.type', text, place)) return null;
  const preferred = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(value as string);
  inspection.require(preferred, 'flight.arrival.preferred', `${path} is malformed.`, place);
  return readClock(value, 'arrival_datetime', index, inspection);
}

function readClock(value: unknown, field: string, index: number, inspection: Inspection) {
  if (typeof value !== 'string') return null;
  const { clockFormat, clockCorners } = inspection.policy;
  const reading = parseClock(value, clockFormat, clockCorners);
  if (reading.ok) return reading;
  const path = `flights[${index}].${field}`;
  if (reading.reason === 'format') {
    inspection.require(false, 'flight.clock.format', `${path} is not a local date and time.`, {
      index,
      field,
      value,
    });
  } else {
    inspection.require(false, 'flight.clock.calendar', `${path} does not exist.`, { index, field });
  }
  return null;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
