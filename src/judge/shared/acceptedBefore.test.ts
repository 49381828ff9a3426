import { describe, expect, test } from 'vitest';
import { errorBody, subscribed, updateBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import { acceptedBefore } from './acceptedBefore.ts';

const headers = [['Content-Type', 'application/json']] as const;
const flights = [
  {
    airline: 'EK',
    flight_number: '3',
    origin: 'DXB',
    destination: 'LHR',
    departure_datetime: '2026-04-01T10:00:00',
  },
];
const booking = { pnr: 'ABC123', flights, passengers: [{ first_name: 'A', last_name: 'B' }] };
const leg = {
  flightNumber: 'EK3',
  departureDate: '2026-04-01',
  departureAirportIata: 'DXB',
  arrivalAirportIata: 'LHR',
};
const refused = { status: 400, body: errorBody('VALIDATION_ERROR'), headers };

const requestHeaders = [
  ['X-API-Key', 'k'],
  ['Content-Type', 'application/json'],
] as const;

/** Accepted, refused, and what comes after it; the first again where nothing is said. */
function judgeAgain(first: ExchangeSketch, second: ExchangeSketch, last: ExchangeSketch = first) {
  return judgeLast(
    exchange({ headers, requestHeaders, ...first }),
    exchange({ ...refused, requestHeaders, ...second }),
    exchange({ headers, requestHeaders, ...last }),
  ).violated.filter((row) => acceptedBefore.verifies.includes(row));
}

const subscribe = { operation: 'wci.subscribe', body: subscribed() } as const;
const flight = { operation: 'fla.subscribe', body: { success: true, latest_status_snapshot: {} } } as const;
const lookup = { operation: 'fla.lookup', query: 'flightNumber=EK3&departureDate=2026-04-01' } as const;
const hook = { fid: '007', callbackUrl: 'https://partner.example.com/one' };

test('a day that may have passed since, by whatever clock, is proved to be ahead by one that is no later', () => {
  const again = { operation: 'fla.subscribe', sent: leg } as const;
  const on = (departureDate: string) => ({ ...flight, sent: { ...leg, departureDate } });
  expect(judgeAgain({ ...flight, sent: leg }, again, on('2026-04-02'))).toEqual([]);
  expect(judgeAgain({ ...flight, sent: leg }, again, on('2026-03-31'))).toEqual([]);
  expect(judgeAgain({ ...flight, sent: leg }, again, on('2026-03-30'))).toEqual(['FLA-SUB-003']);
});

test('what becomes of a fid that another leg has, or of a leg to where it came from, is open', () => {
  const of = (more: object) => ({ ...flight, sent: { ...leg, callbackData: hook, ...more } });
  const refusedOf = (more: object) => ({ operation: 'fla.subscribe', sent: of(more).sent }) as const;
  const elsewhere = { arrivalAirportIata: 'SIN', callbackData: { ...hook, fid: '008' } };
  expect(judgeAgain(of({}), refusedOf({ arrivalAirportIata: 'SIN' }), of(elsewhere))).toEqual([]);
  expect(
    judgeAgain(of({}), refusedOf({ arrivalAirportIata: 'DXB', callbackData: { ...hook, fid: '009' } })),
  ).toEqual([]);
  expect(judgeAgain(of({}), refusedOf({}))).toEqual(['FLA-CBR-014']);
});

test('a date between two that were sought is no reason of a refusal', () => {
  const notFound = { status: 404, body: errorBody('FLIGHT_NOT_FOUND') };
  const on = (date: string, more: object = notFound) => ({
    ...{ ...lookup, query: `flightNumber=EK3&departureDate=${date}`, ...more },
  });
  const sent = [on('2028-02-28'), on('2028-03-01'), on('2028-02-29', refused), on('2028-02-20')];
  const { violated } = judgeLast(...sent.map((one) => exchange({ headers, requestHeaders, ...one })));
  expect(violated.filter((row) => acceptedBefore.verifies.includes(row))).toEqual(['FLA-GET-038']);
});

test.each([
  ['was valid before, where a later day had been accepted by then', '2026-04-20', ['FLA-SUB-003']],
  ['may have been beyond a horizon before, where no later day had been', '2026-03-20', []],
])('what is accepted later %s', (_what, departureDate, rows) => {
  const again = { operation: 'fla.subscribe', sent: leg } as const;
  const first = { ...flight, sent: { ...leg, flightNumber: 'EK9', departureDate } };
  const sent = [first, { ...refused, ...again }, { ...flight, sent: leg }];
  const { violated } = judgeLast(...sent.map((one) => exchange({ headers, requestHeaders, ...one })));
  expect(violated.filter((row) => acceptedBefore.verifies.includes(row))).toEqual(rows);
});

test('the same passengers are valid for every record that was shown, and not for what may be no id', () => {
  const { passengers } = booking;
  const update = (checkin_id: string) =>
    ({ operation: 'wci.update', sent: { checkin_id, passengers } }) as const;
  const taken = { ...update('wci_A'), body: updateBody({ checkin_id: 'wci_A' }) };
  const second = (id: string) =>
    judgeLast(
      ...[taken, { ...refused, ...update(id) }].map((one) => exchange({ requestHeaders, ...one })),
    ).violated.filter((row) => row === 'WCI-UPD-001');
  expect(second('nobody')).toEqual([]);
  expect(second('wci_A')).toEqual(['WCI-UPD-001']);
});

describe('what was accepted once', () => {
  test.each<[string, ExchangeSketch, ExchangeSketch, string]>([
    [
      'a booking under another locator, by another enterprise',
      { ...subscribe, sent: booking },
      {
        operation: 'wci.subscribe',
        enterprise: 'other',
        key: 'other#1',
        sent: { ...booking, pnr: 'XYZ789' },
      },
      'WCI-SUB-001',
    ],
    [
      'a leg',
      { ...flight, sent: leg },
      { operation: 'fla.subscribe', sent: { ...leg, callbackData: null } },
      'FLA-SUB-003',
    ],
    [
      'a leg with another path at the same host',
      { ...flight, sent: { ...leg, callbackData: hook } },
      {
        operation: 'fla.subscribe',
        sent: { ...leg, callbackData: { ...hook, callbackUrl: `${hook.callbackUrl}/2` } },
      },
      'FLA-CBR-014',
    ],
    ['a flight', { ...lookup, body: [] }, lookup, 'FLA-GET-001'],
  ])('%s is not refused as invalid', (_, first, second, row) => {
    expect(judgeAgain(first, second)).toEqual([row]);
  });

  test.each<[string, ExchangeSketch, ExchangeSketch]>([
    [
      'a booking of other flights',
      { ...subscribe, sent: booking },
      { operation: 'wci.subscribe', sent: { ...booking, flights: [] } },
    ],
    [
      'a flight with a further parameter',
      { ...lookup, body: [] },
      { ...lookup, query: `${lookup.query}&departureDate=x` },
    ],
    [
      'a flight that was never found',
      { ...lookup, status: 404, body: errorBody('FLIGHT_NOT_FOUND') },
      lookup,
    ],
  ])('%s says nothing', (_, first, second) => {
    expect(judgeAgain(first, second)).toEqual([]);
  });
});

/** The rows that are broken by requests for the booking, changed so, of which `accepted` says which are. */
function contrasted(...requests: readonly (readonly [accepted: boolean, sent: object])[]) {
  const sent = requests.map(([isAccepted, change]) =>
    exchange({
      operation: 'wci.subscribe',
      requestHeaders,
      ...(isAccepted ? { headers, body: subscribed() } : refused),
      sent: { ...booking, ...change },
    }),
  );
  return judgeLast(...sent).violated.filter((row) => acceptedBefore.verifies.includes(row));
}

const [one] = booking.passengers;
const passengers = (change: object) => ({ passengers: [{ ...one, ...change }] });
const callbackData = { callbackUrl: 'https://partner.example.com/hook', auth_header: 'X-API-Key: a' };

describe('of a refused request', () => {
  test.each<[string, ReturnType<typeof contrasted>, readonly (readonly [boolean, object])[]]>([
    [
      'the one form that no accepted one had',
      ['WCI-SUB-045'],
      [
        [true, {}],
        [false, { pnr: '' }],
        [true, {}],
      ],
    ],
    [
      'the one that is left once another was accepted',
      ['WCI-SUB-041'],
      [
        [true, {}],
        [false, { pnr: '', ...passengers({ phone: null }) }],
        [true, { pnr: '' }],
      ],
    ],
    [
      'none of two that were never accepted',
      [],
      [
        [true, {}],
        [false, { pnr: '', ...passengers({ phone: null }) }],
        [true, {}],
      ],
    ],
    [
      'nothing beside a fault',
      [],
      [
        [true, {}],
        [false, { pnr: '', ...passengers({ passport: 'x' }) }],
        [true, {}],
      ],
    ],
    [
      'nothing beside what may lack',
      [],
      [
        [true, {}],
        [false, { pnr: '', ...passengers({ first_name: '' }) }],
        [true, {}],
      ],
    ],
    [
      'nothing beside what is open',
      [],
      [
        [true, {}],
        [false, { pnr: '', extra: 1 }],
        [true, {}],
      ],
    ],
    [
      'nothing of an airline that was never accepted',
      [],
      [
        [true, {}],
        [false, { pnr: '', flights: [{ ...flights[0], airline: 'QR' }] }],
        [true, {}],
      ],
    ],
    ['nothing where no other was accepted', [], [[false, { pnr: '' }]]],
    [
      'nothing of a day that may be past by now',
      [],
      [
        [true, {}],
        [false, { pnr: '' }],
      ],
    ],
    [
      'nothing at a host that was never accepted',
      [],
      [
        [true, {}],
        [false, { callbackData: { ...callbackData, clientId: 'a', clientName: 'b' } }],
        [true, {}],
      ],
    ],
  ])('%s is to blame', (_, rows, requests) => {
    expect(contrasted(...requests)).toEqual(rows);
  });
});

test('a conflict with the status of invalid data says nothing of validity', () => {
  const conflict = { ...flight, status: 400, sent: { ...leg, callbackData: { ...hook, fid: 'other' } } };
  const first = { ...flight, sent: { ...leg, callbackData: hook } };
  expect(judgeAgain(first, { ...conflict, body: errorBody('CALLBACK_ALREADY_REGISTERED') })).toEqual([]);
});

describe('an internal error', () => {
  const told = (sent: object) => {
    const watch = acceptedBefore.createWatch();
    watch.exchange?.(exchange({ headers, requestHeaders, ...subscribe, sent: booking }));
    const failed = {
      operation: 'wci.subscribe',
      status: 500,
      body: errorBody('INTERNAL_ERROR'),
      sent,
    } as const;
    return (watch.suspicion?.(exchange({ headers, requestHeaders, ...failed })) ?? []).map(
      ({ requirement }) => requirement,
    );
  };
  const named = (last_name: string) => ({ ...booking, passengers: [{ first_name: 'A', last_name }] });

  test.each([
    ['of what was accepted', { ...booking, pnr: 'XYZ789' }, ['WCI-SUB-001']],
    ['of a locator', { ...booking, pnr: 'GTCHK'.repeat(60) }, ['WCI-SUB-045']],
    ['of half a character in a locator', { ...booking, pnr: 'GT\0HK1' }, ['WCI-SUB-045']],
    ['of a long name', named('B'.repeat(90)), ['WCI-SUB-080']],
    ['of a name with a NUL', named('B\0'), ['SHR-ERR-007']],
    ['of one of two new things', { ...named('B'.repeat(90)), pnr: '!!' }, []],
    ['on a route that is not known', { ...booking, flights: [{ ...flights[0], origin: 'SIN' }] }, []],
  ])('%s may be an accident, unless it comes again', (_what, sent, rows) => {
    expect(told(sent)).toEqual(rows);
  });
});
