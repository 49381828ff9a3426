import { breaking, refusing, type Found } from './handlers.ts';
import { defectsOf, type Defect } from './row.ts';

const shared = defectsOf('shared');
const checkin = defectsOf('webcheckin');
const flights = defectsOf('flight-alerts');

const isSubscribe = ({ at, request }: Found) => at === 'subscribe' && request.url.includes('webcheckin');
const pnrOf = (found: Found) =>
  isSubscribe(found) && typeof found.body.pnr === 'string' ? found.body.pnr : '';
const nameOfFlight = ({ query, body }: Found) =>
  query.get('flightNumber') ?? (typeof body.flightNumber === 'string' ? body.flightNumber : '');
const airportsOf = ({ body }: Found) =>
  `${String(body.departureAirportIata)}${String(body.arrivalAirportIata)}`;
const half = /[\ud800-\udbff](?![\udc00-\udfff])/;
const idOf = ({ query, body }: Found) =>
  [query.get('checkin_id'), query.get('checkinId'), body.checkin_id, body.webcheckin_id]
    .map(String)
    .join(' ');

/** Texts and numbers on which stores, parsers and drivers break. */
export const breakageDefects: readonly Defect[] = [
  checkin.sometimes('pnr-long-500', 'A pnr longer than its column is an internal error.', 'WCI-SUB-045', {
    front: breaking((found) => pnrOf(found).length > 64),
  }),
  checkin.sometimes('pnr-long-refused', 'A pnr longer than its column is refused.', 'WCI-SUB-045', {
    front: refusing((found) => pnrOf(found).length > 64),
  }),
  checkin.sometimes('pnr-zero-character-500', 'A pnr with a NUL is an internal error.', 'WCI-SUB-045', {
    front: breaking((found) => pnrOf(found).includes('\0')),
  }),
  checkin.sometimes('pnr-emoji-500', 'A pnr with an emoji is an internal error.', 'WCI-SUB-045', {
    front: breaking((found) => /[\u{10000}-\u{10ffff}]/u.test(pnrOf(found))),
  }),
  checkin.sometimes(
    'booking-id-of-32-bits-500',
    'A booking_id beyond 32 bits is an internal error.',
    'SHR-ERR-007',
    {
      front: breaking(({ body }) => Number(body.booking_id) > 2 ** 31),
    },
  ),
  checkin.sometimes(
    'booking-id-number-of-64-bits-500',
    'A booking_id that is a number beyond 64 bits is an internal error.',
    'SHR-ERR-007',
    {
      front: breaking(({ body }) => typeof body.booking_id === 'number' && body.booking_id > 2 ** 63),
    },
  ),
  checkin.sometimes('name-zero-character-500', 'A name with a NUL is an internal error.', 'SHR-ERR-007', {
    front: breaking((found) => isSubscribe(found) && /_name":"[^"]*\\u0000/.test(found.text)),
  }),
  checkin.sometimes(
    'name-half-character-500',
    'A name with half a character is an internal error.',
    'SHR-ERR-007',
    {
      front: breaking(
        (found) =>
          isSubscribe(found) &&
          half.test(
            JSON.stringify(found.body.passengers).replaceAll(/\\u(d[89ab]..)/g, (_, code: string) =>
              String.fromCharCode(Number.parseInt(code, 16)),
            ),
          ),
      ),
    },
  ),
  checkin.sometimes(
    'name-very-long-500',
    'A name of more than a thousand characters is an internal error.',
    'WCI-SUB-080',
    {
      front: breaking((found) => isSubscribe(found) && /_name":"[^"]{1000}/.test(found.text)),
    },
  ),
  checkin.sometimes('alias-zero-character-500', 'A NUL in checkinId is an internal error.', 'SHR-ERR-007', {
    front: breaking(({ query }) => query.get('checkinId')?.includes('\0') ?? false),
  }),
  checkin.sometimes(
    'webcheckin-id-quote-500',
    'A quote in webcheckin_id is an internal error.',
    'SHR-ERR-007',
    {
      front: breaking(({ body }) => String(body.webcheckin_id).includes("'")),
    },
  ),
  checkin.sometimes('id-path-500', 'A path as checkin_id is an internal error.', 'SHR-ERR-007', {
    front: breaking((found) => idOf(found).includes('../')),
  }),
  checkin.sometimes('filter-zero-character-500', 'A NUL in a filter is an internal error.', 'WCI-LST-014', {
    front: breaking(({ query }) => query.get('status')?.includes('\0') ?? false),
  }),
  checkin.sometimes('filter-quote-500', 'A quote in a filter is an internal error.', 'WCI-LST-014', {
    front: breaking(({ query }) => query.get('status')?.includes("'") ?? false),
  }),
  checkin.sometimes(
    'filter-long-500',
    'A filter longer than its column is an internal error.',
    'WCI-LST-014',
    {
      front: breaking(({ query }) => (query.get('status')?.length ?? 0) > 255),
    },
  ),
  flights.sometimes(
    'flight-number-zero-character-500',
    'A flight number with a NUL is an internal error.',
    'FLA-GET-019 FLA-SUB-018',
    {
      front: breaking((found) => nameOfFlight(found).includes('\0')),
    },
  ),
  flights.sometimes(
    'flight-number-quote-500',
    'A flight number with a quote is an internal error.',
    'FLA-GET-019 also FLA-SUB-018',
    {
      front: breaking((found) => nameOfFlight(found).includes("'")),
    },
  ),
  flights.sometimes(
    'flight-number-long-500',
    'A flight number of a thousand characters is an internal error.',
    'FLA-GET-017 also FLA-SUB-018',
    {
      front: breaking((found) => nameOfFlight(found).length > 255),
    },
  ),
  flights.sometimes(
    'airport-zero-character-500',
    'An airport code with a NUL is an internal error.',
    'FLA-SUB-020',
    {
      front: breaking((found) => airportsOf(found).includes('\0')),
    },
  ),
  flights.sometimes(
    'airport-long-500',
    'An airport code longer than its column is an internal error.',
    'FLA-SUB-020',
    {
      front: breaking((found) => airportsOf(found).length > 64),
    },
  ),
  shared.sometimes(
    'deep-json-500',
    'JSON of hundreds of levels is an internal error.',
    'SHR-ERR-013 SHR-ERR-027',
    {
      front: breaking(({ text }) => /(\[|\{"\w*":){200}/.test(text)),
    },
  ),
  shared.sometimes(
    'mark-before-json-page',
    'JSON behind a byte order mark is answered with a page.',
    'SHR-ERR-001 SHR-ERR-012 also SHR-ERR-020 SHR-ERR-027',
    {
      front: async (request, answer) => {
        const bytes = request.method === 'POST' ? Buffer.from(await request.clone().arrayBuffer()) : null;
        if (bytes?.[0] !== 0xef) return answer();
        return new Response('<h1>Bad Request</h1>', {
          status: 400,
          headers: { 'content-type': 'text/html' },
        });
      },
    },
  ),
];
