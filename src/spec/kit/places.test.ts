import { expect, test } from 'vitest';
import type { Itinerary } from '../../core/settings.ts';
import { dayMs, offsetAt } from './localTime.ts';
import {
  airlines,
  airportOf,
  airports,
  isInternational,
  itinerariesToTry,
  knownAirports,
  relatedItineraries,
  unassignedAirline,
  unassignedAirports,
  withAirlineForm,
  zoneOf,
  type ItineraryKind,
} from './places.ts';

const kinds: readonly ItineraryKind[] = ['international', 'domestic', 'twoLeg', 'dateLine'];
const year = Array.from({ length: 366 }, (_, day) => Date.UTC(2031, 0, 1) + day * dayMs);

function offsetHours(code: string): readonly number[] {
  return [...new Set(year.map((instant) => offsetAt(instant, zoneOf(code)) / 3_600_000))].sort(
    (a, b) => a - b,
  );
}

test.each([
  ['DXB', [4]],
  ['DOH', [3]],
  ['SIN', [8]],
  ['NRT', [9]],
  ['HNL', [-10]],
  ['DEL', [5.5]],
  ['KTM', [5.75]],
  ['LHR', [0, 1]],
  ['JFK', [-5, -4]],
  ['LAX', [-8, -7]],
  ['AKL', [12, 13]],
  ['YYT', [-3.5, -2.5]],
])('%s is %j hours from UTC over a year', (code, hours) => {
  expect(offsetHours(code)).toEqual(hours);
});

test('codes are unique, and every zone is known to this machine', () => {
  expect(new Set(airports.map(({ code }) => code)).size).toBe(airports.length);
  expect(new Set(airlines.flatMap(({ iata, icao }) => [iata, icao])).size).toBe(airlines.length * 2);
  for (const { zone } of airports) expect(() => offsetAt(0, zone)).not.toThrow();
});

test.each(kinds)('built-in %s itineraries connect known airports by a known airline', (kind) => {
  for (const { airline, legs } of itinerariesToTry(kind, null)) {
    expect(airlines.map(({ iata }) => iata)).toContain(airline);
    legs.forEach(({ origin, destination }, index) => {
      expect(airportOf(origin).code).not.toBe(airportOf(destination).code);
      expect(legs[index + 1]?.origin ?? destination).toBe(destination);
    });
  }
});

test('international itineraries leave their country and domestic ones do not', () => {
  expect(itinerariesToTry('international', null).every(isInternational)).toBe(true);
  expect(itinerariesToTry('domestic', null).some(isInternational)).toBe(false);
  expect(itinerariesToTry('twoLeg', null).every(({ legs }) => legs.length === 2)).toBe(true);
});

test('a configured itinerary is the only one to try', () => {
  const configured = { airline: 'XY', legs: [{ flightNumber: '1', origin: 'DXB', destination: 'DOH' }] };
  expect(itinerariesToTry('international', configured)).toEqual([configured]);
});

test('an airline code changes between its two forms, and an unknown one stays', () => {
  const itinerary = { airline: 'EK', legs: [] };
  expect(withAirlineForm(itinerary, 'icao').airline).toBe('UAE');
  expect(withAirlineForm({ ...itinerary, airline: 'UAE' }, 'iata').airline).toBe('EK');
  expect(withAirlineForm({ ...itinerary, airline: 'XY' }, 'icao').airline).toBe('XY');
});

test('an airport without known time zone is an error of the config that names the known ones', () => {
  expect(() => airportOf('QQQ')).toThrow(expect.objectContaining({ code: 'UNKNOWN_AIRPORT', exitCode: 2 }));
});

test('the unassigned codes belong to nobody', () => {
  for (const code of unassignedAirports) expect(() => airportOf(code)).toThrow();
  expect(
    airlines.some(({ iata, icao }) => iata === unassignedAirline.iata || icao === unassignedAirline.icao),
  ).toBe(false);
});

test('what is accepted leads to more: back again, on two legs, and the airline on routes of others', () => {
  const one = (origin: string, destination: string, flightNumber: string): Itinerary => ({
    airline: 'AI',
    legs: [{ flightNumber, origin, destination }],
  });
  const known = [one('DEL', 'BOM', '1'), one('DEL', 'SIN', '2')];
  const routes = (kind: ItineraryKind) =>
    relatedItineraries(kind, known).map(
      ({ airline, legs }) => `${airline} ${legs.map((leg) => `${leg.origin}-${leg.destination}`).join(' ')}`,
    );
  expect(routes('domestic')).toEqual(['AI DEL-BOM', 'AI BOM-DEL', 'AI DEL-BOM', 'AI HND-CTS']);
  expect(routes('twoLeg').slice(0, 2)).toEqual(['AI BOM-DEL DEL-SIN', 'AI SIN-DEL DEL-BOM']);
  expect(routes('dateLine')).toEqual(['AI NRT-HNL HNL-LAX']);
  expect(relatedItineraries('domestic', [])).toEqual([]);
});

test('no airport is named twice, and each has a zone that exists', () => {
  expect(new Set(knownAirports.map(({ code }) => code)).size).toBe(knownAirports.length);
  for (const { code } of knownAirports) expect(offsetAt(0, zoneOf(code))).toEqual(expect.any(Number));
});
