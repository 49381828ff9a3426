import dataset from './airports.json' with { type: 'json' };

interface Airport {
  readonly iata: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** IANA time zone. */
  readonly zone: string;
  readonly city: string;
}

const rows = new Map(dataset.airports.map((row) => [row.slice(0, 3), row]));

/** The airport of an IATA code in upper case; undefined if it has no known time zone. */
export function findAirport(iata: string): Airport | undefined {
  const [code, country, zone, city] = rows.get(iata)?.split('|') ?? [];
  if (!code || !country || !zone || !city) return undefined;
  return { iata: code, country, zone, city };
}
