import {
  answered,
  fixed,
  flightNotFound,
  invalid,
  list,
  lookup,
  notFound,
  ok,
  status,
  suite,
  type ApiRequest,
  type CheckContext,
  type Exchange,
} from '../checks.ts';
import { anyFlight } from '../support/flights.ts';

/** What browsers, caches, proxies and libraries send besides; none of it asks for another answer. */
const ordinary: readonly { readonly name: string; readonly headers: ApiRequest['headers'] }[] = [
  {
    name: 'the headers of a browser',
    headers: [
      ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'],
      ['Accept-Language', 'de-DE,de;q=0.9,en;q=0.5'],
      ['Accept-Encoding', 'gzip, deflate, br, zstd'],
      ['Upgrade-Insecure-Requests', '1'],
    ],
  },
  { name: 'Accept: text/html', headers: [['Accept', 'text/html']] },
  { name: 'Accept: application/xml', headers: [['Accept', 'application/xml']] },
  {
    name: 'the headers of a cache',
    headers: [
      ['If-None-Match', '"gatecheck-1"'],
      ['If-Modified-Since', 'Mon, 01 Jan 2001 00:00:00 GMT'],
      ['Cache-Control', 'no-cache'],
    ],
  },
  { name: 'Range', headers: [['Range', 'bytes=0-9']] },
  {
    name: 'the headers of a proxy',
    headers: [
      ['X-Forwarded-For', '203.0.113.7'],
      ['X-Forwarded-Proto', 'https'],
      ['Via', '1.1 gatecheck'],
    ],
  },
  {
    name: 'a content type without a body',
    headers: [
      ['Content-Type', 'application/json'],
      ['Accept-Encoding', 'identity'],
    ],
  },
];

export default suite('Requests as clients write them', [
  fixed({
    id: 'wci.clients.headers',
    title: 'headers that clients send besides change neither a list nor the error of a status',
    verifies: ['WCI-LST-001', 'WCI-STS-004'],
    run: async (t) => {
      const unknown = t.unknown.checkinId('gatecheck-nobody');
      const ask = (headers: ApiRequest['headers']) => [
        { row: 'WCI-LST-001', request: list({ limit: '1' }, { headers }), wanted: [ok] },
        { row: 'WCI-STS-004', request: status({ checkin_id: unknown }, { headers }), wanted: [notFound] },
      ];
      await asPlainly(t, ask);
    },
  }),

  fixed({
    id: 'fla.clients.headers',
    title: 'headers that clients send besides do not change the error of a lookup',
    verifies: ['SHR-ERR-022'],
    run: async (t) => {
      const { flightNumber } = await anyFlight(t);
      const query = { flightNumber, departureDate: 'tomorrow' };
      await asPlainly(t, (headers) => [
        { row: 'SHR-ERR-022', request: lookup(query, { headers }), wanted: [invalid] },
      ]);
    },
  }),

  fixed({
    id: 'wci.clients.percent',
    title: 'a broken percent-encoding is no reason for anything but an answer of the API',
    verifies: ['SHR-ERR-007'],
    run: async (t) => {
      for (const query of broken('checkin_id')) {
        const x = await t.send({ ...status({}), query });
        t.judge(x, { 'SHR-ERR-007': answered(x, invalid, notFound) });
      }
      for (const query of broken('status')) {
        const x = await t.send({ ...list(), query });
        t.judge(x, { 'SHR-ERR-007': answered(x, ok, invalid) });
      }
    },
  }),

  fixed({
    id: 'fla.clients.percent',
    title: 'a flight number in a broken percent-encoding is refused by the API itself',
    verifies: ['SHR-ERR-022'],
    run: async (t) => {
      const { departureDate } = await anyFlight(t);
      for (const query of broken('flightNumber')) {
        const x = await t.send({ ...lookup({}), query: `${query}&departureDate=${departureDate}` });
        t.judge(x, { 'SHR-ERR-022': answered(x, invalid, flightNotFound) });
      }
    },
  }),
]);

interface Question {
  readonly row: string;
  readonly request: ApiRequest;
  readonly wanted: Parameters<typeof answered>[1][];
}

/** Asks once without further headers, and where that is answered as it should be, with each kind of them. */
async function asPlainly(
  t: CheckContext,
  ask: (headers: ApiRequest['headers']) => readonly Question[],
): Promise<void> {
  const isRight = ({ wanted }: Question, x: Exchange) => answered(x, ...wanted).status === 'holds';
  const plain = await Promise.all(ask([]).map(async (one) => isRight(one, await t.send(one.request))));
  await t.each(ordinary, async ({ headers }) => {
    for (const [at, { row, request, wanted }] of ask(headers).entries()) {
      if (plain[at] !== true) continue;
      const x = await t.send(request);
      t.judge(x, { [row]: answered(x, ...wanted) });
    }
  });
}

/** An escape that is none, and one that is no UTF-8. */
function broken(name: string): readonly string[] {
  return [`${name}=%ZZ`, `${name}=%E0%A4`];
}
