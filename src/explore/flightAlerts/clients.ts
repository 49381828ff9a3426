import { brokenEscapes, ordinaryHeaders } from '../../generate/kit/clientHeaders.ts';
import { lookup, type Query } from '../../send/request.ts';
import { hasFlights, queryOf, unknown, type Fla } from './lookups.ts';

/** Lookups with headers that clients, proxies and caches send besides: none of it asks for another answer. */
const headers: readonly Fla[] = [
  ...ordinaryHeaders.flatMap(({ name, headers: more }) =>
    (['a flight', 'no flight', 'a fault'] as const).map((of): Fla => ({
      name: `lookup of ${of} with ${name}`,
      family: 'headers',
      cells: ['headers', `headers ${name}`, `headers ${of}`, `headers ${name} ${of}`],
      price: 1,
      worth: 1,
      isPossible: (stage) => of !== 'a flight' || hasFlights(stage),
      bring: async (stage) => {
        const flight = stage.oneOf(stage.known);
        const plain = of === 'a flight' && flight ? queryOf(flight) : unknown(stage);
        const query = of === 'a fault' ? { ...plain, departureDate: 'tomorrow' } : plain;
        await stage.send(lookup(query, { headers: more }));
      },
    })),
  ),
  ...['x-api-key', 'X-API-KEY'].map((keyHeader): Fla => ({
    name: `lookup with ${keyHeader}`,
    family: 'headers',
    cells: ['key header', `key header ${keyHeader}`],
    price: 1,
    worth: 1,
    isPossible: hasFlights,
    bring: async (stage) => {
      const flight = stage.oneOf(stage.known);
      if (flight) await stage.look(flight, { keyHeader });
    },
  })),
];

/** The same query in another way, or with what no sentence names. */
const rewritten: Readonly<Record<string, (query: Readonly<Record<string, string>>) => Query | string>> = {
  'the date first': ({ flightNumber = '', departureDate = '' }) => ({ departureDate, flightNumber }),
  'airport codes': (query) => ({ ...query, departureAirportIata: 'DOH', arrivalAirportIata: 'SIN' }),
  'an unknown parameter': (query) => ({ ...query, page: '1' }),
  ...Object.fromEntries(
    brokenEscapes.map((escape) => [
      `the escape ${escape}`,
      ({ departureDate = '' }: Readonly<Record<string, string>>) =>
        `flightNumber=${escape}&departureDate=${departureDate}`,
    ]),
  ),
};

const queries: readonly Fla[] = Object.entries(rewritten).map(([name, write]) => ({
  name: `lookup with ${name}`,
  family: 'headers',
  cells: ['query', `query ${name}`],
  price: 1,
  worth: 0.8,
  isPossible: hasFlights,
  bring: async (stage) => {
    const flight = stage.oneOf(stage.known);
    if (!flight) return;
    const query = write(queryOf(flight));
    await stage.send(typeof query === 'string' ? { ...lookup(queryOf(flight)), query } : lookup(query));
  },
}));

/** Lookups as clients, proxies and caches write them. */
export const clients: readonly Fla[] = [...headers, ...queries];
