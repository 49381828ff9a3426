import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../catalogue/packageRoot.ts';
import { readYaml } from '../../catalogue/readYaml.ts';
import { usageError } from '../../core/errors.ts';
import type { Itinerary } from '../../core/settings.ts';

const airportSchema = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/),
  city: z.string().min(1),
  country: z.string().regex(/^[A-Z]{2}$/),
  zone: z.string().min(1),
});

const zoneSchema = airportSchema.pick({ country: true, zone: true }).extend({
  codes: z.array(airportSchema.shape.code).min(1),
});

const airlineSchema = z.strictObject({
  iata: z.string().regex(/^[A-Z0-9]{2}$/),
  icao: z.string().regex(/^[A-Z]{3}$/),
  name: z.string().min(1),
});

const legSchema = z.strictObject({
  flightNumber: z.string().min(1),
  origin: airportSchema.shape.code,
  destination: airportSchema.shape.code,
});

const itinerariesSchema = z
  .array(z.strictObject({ airline: airlineSchema.shape.iata, legs: z.array(legSchema).min(1) }))
  .min(1);

const itinerariesFileSchema = z.strictObject({
  international: itinerariesSchema,
  domestic: itinerariesSchema,
  twoLeg: itinerariesSchema,
  dateLine: itinerariesSchema,
});

export type Airport = Readonly<z.infer<typeof airportSchema>>;
export type Airline = Readonly<z.infer<typeof airlineSchema>>;
export type ItineraryKind = keyof z.infer<typeof itinerariesFileSchema>;

const folder = join(packageRoot(), 'fixtures', 'places');

export const airports: readonly Airport[] = read('airports.yaml', z.array(airportSchema));
/** Those that payloads are built from, and others that bookings may name. */
export const knownAirports: readonly Airport[] = [
  ...airports,
  ...read('more-airports.yaml', z.array(zoneSchema)).flatMap(({ codes, ...place }) =>
    codes.map((code) => ({ code, city: code, ...place })),
  ),
];
export const airlines: readonly Airline[] = read('airlines.yaml', z.array(airlineSchema));
const itineraries = read('itineraries.yaml', itinerariesFileSchema);

/** Airlines of the bookings to try: if one of them is supported, others probably are, too. */
export const triedAirlines: readonly Airline[] = airlines.filter(({ iata }) =>
  Object.values(itineraries).some((kind) => kind.some(({ airline }) => airline === iata)),
);

/** Codes of no airport and no airline, for rules about unknown ones. Many codes with X, Q or Z name railway stations with a timezone. */
export const unassignedAirports = ['QQQ', 'JQQ'] as const;
export const unassignedAirline = { iata: 'ZZ', icao: 'ZZZ' } as const;

const airportByCode = new Map(knownAirports.map((airport) => [airport.code, airport]));

/** The airport of a code; a code that Gatecheck does not know is an error of the config. */
export function airportOf(code: string): Airport {
  const airport = airportByCode.get(code);
  if (airport !== undefined) return airport;
  throw usageError(
    'UNKNOWN_AIRPORT',
    `Expected the code of an airport whose time zone is known, found ${JSON.stringify(code)}.`,
    `Use one of ${knownAirports.map((known) => known.code).join(', ')}.`,
  );
}

export function zoneOf(code: string): string {
  return airportOf(code).zone;
}

/** The bookings to try for this purpose: the configured one alone, or else the built-in ones in order. */
export function itinerariesToTry(kind: ItineraryKind, configured: Itinerary | null): readonly Itinerary[] {
  return configured === null ? itineraries[kind] : [configured];
}

/** Bookings that a deployment may take because it is known to take others: of their airlines, on their legs, back again, or connected. */
export function relatedItineraries(kind: ItineraryKind, known: readonly Itinerary[]): readonly Itinerary[] {
  const legs = known.flatMap(({ airline, legs: each }) => each.flatMap((leg) => thereAndBack(airline, leg)));
  const found: Readonly<Record<ItineraryKind, readonly Itinerary[]>> = {
    domestic: legs.filter((one) => !isInternational(one)),
    international: legs.filter(isInternational),
    twoLeg: legs.flatMap((one) => legs.flatMap((other) => connected(one, other))),
    dateLine: [],
  };
  const names = [...new Set(known.map(({ airline }) => airline))];
  const renamed = names.flatMap((airline) => itineraries[kind].map((one) => ({ ...one, airline })));
  return [...found[kind], ...renamed].slice(0, mostRelated);
}

const mostRelated = 4;

function thereAndBack(airline: string, leg: Itinerary['legs'][number]): readonly Itinerary[] {
  const { flightNumber, origin, destination } = leg;
  return [leg, { flightNumber, origin: destination, destination: origin }].map((one) => ({
    airline,
    legs: [one],
  }));
}

/** Two legs as one journey, unless it ends where it began. */
function connected(one: Itinerary, other: Itinerary): readonly Itinerary[] {
  const [first, second] = [one.legs[0], other.legs[0]];
  if (!first || !second || one.airline !== other.airline) return [];
  const connects = first.destination === second.origin && first.origin !== second.destination;
  return connects ? [{ airline: one.airline, legs: [first, second] }] : [];
}

/** Whether any leg leaves its country, which makes passport data necessary. */
export function isInternational({ legs }: Itinerary): boolean {
  return legs.some(({ origin, destination }) => airportOf(origin).country !== airportOf(destination).country);
}

/** The itinerary with its airline code in the two- or three-character form; an airline not in the table is left alone. */
export function withAirlineForm(itinerary: Itinerary, form: 'iata' | 'icao'): Itinerary {
  const known = airlines.find(({ iata, icao }) => [iata, icao].includes(itinerary.airline));
  return known === undefined ? itinerary : { ...itinerary, airline: known[form] };
}

function read<T>(file: string, schema: z.ZodType<T>): T {
  return schema.parse(readYaml(join(folder, file)));
}
