import { describe, expect, test } from 'vitest';
import { errorBody, leg, route } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../../test/support/judge/exchanges.ts';
import { inWords } from '../../../../test/support/judge/inWords.ts';
import { callbackKeys } from './callbackKeys.ts';

const lookup = (body: unknown, headers?: ExchangeSketch['headers']) =>
  judgeLast(exchange({ operation: 'fla.lookup', body, ...(headers ? { headers } : {}) }));

describe('the frame of a lookup', () => {
  test.each([['no-store'], ['no-cache, No-Store, max-age=0'], ['private,no-store']])(
    'may say Cache-Control %s',
    (value) => {
      expect(lookup([leg()], [['cache-control', value]]).violated).toEqual([]);
    },
  );

  test('may spread the directives over several headers', () => {
    expect(
      lookup(
        [leg()],
        [
          ['Cache-Control', 'private'],
          ['Cache-Control', 'no-store'],
        ],
      ).violated,
    ).toEqual([]);
  });

  test.each([
    ['no header', [['Cache-Control', null]]],
    ['no-cache', [['Cache-Control', 'no-cache']]],
    ['another directive', [['Cache-Control', 'x-no-store-please']]],
    [
      'Pragma',
      [
        ['Cache-Control', null],
        ['Pragma', 'no-store'],
      ],
    ],
  ] as readonly [string, ExchangeSketch['headers']][])('does not keep caches away with %s', (_, headers) => {
    expect(lookup([leg()], headers).violated).toEqual(['FLA-GET-004']);
  });

  test('has the type application/json', () => {
    expect(lookup([], [['Content-Type', 'application/json;charset=utf-8']]).violated).toEqual([]);
    expect(lookup([], [['Content-Type', 'text/json']]).violated).toEqual(['FLA-GET-003']);
    expect(lookup([], [['Content-Type', 'application/jsonp']]).violated).toEqual(['FLA-GET-003']);
    expect(lookup([], [['Content-Type', null]]).violated).toEqual(['FLA-GET-003']);
  });

  test('is a bare array of objects', () => {
    for (const body of [{ success: true, data: [leg()] }, leg(), null, 'x', [[leg()]], [null]]) {
      expect(lookup(body).violated).toEqual(['FLA-GET-002']);
    }
  });

  test('of an error need not keep caches away', () => {
    const body = { success: false, error: 'FLIGHT_NOT_FOUND', message: 'No.' };
    expect(
      judgeLast(exchange({ operation: 'fla.lookup', status: 404, body, headers: [['Cache-Control', null]] }))
        .violated,
    ).toEqual([]);
  });
});

describe('the order of legs', () => {
  const order = (...routes: readonly string[]) =>
    lookup(routes.map((one) => route(one.slice(0, 3), one.slice(4)))).violated;

  test.each([
    [['DOH-LHR']],
    [['DOH-LHR', 'AMS-DOH']],
    [['AMS-DOH', 'AMS-LHR', 'DOH-LHR']],
    [['DOH-LHR', 'AMS-DOH', 'AMS-LHR']],
    [['AMS-DOH', 'AMS-LHR', 'DOH-LHR'].reverse()],
    [['ZZZ-AAA', 'AAA-BBB', 'MMM-CCC']],
    [['ZZZ-AAA', 'AAA-BBB', 'MMM-CCC'].reverse()],
    [['AMS-LHR', 'AMS-DOH', 'DOH-LHR']],
    [['AMS-DOH', 'AMS-DOH', 'AMS-DOH']],
  ])('may be %j', (routes) => {
    expect(order(...routes)).toEqual([]);
  });

  test.each([
    [['LHR-DOH', 'DOH-SYD', 'SYD-AKL']],
    [['AMS-CCC', 'AMS-AAA', 'AMS-BBB']],
    [['MMM-AAA', 'AAA-ZZZ', 'ZZZ-MMM']],
  ])('may not be %j', (routes) => {
    expect(order(...routes)).toEqual(['FLA-GET-007']);
  });

  test('is told with an order that would be right, and with what is in order', () => {
    const watch = callbackKeys.createWatch();
    const legs = ['AMS-CCC', 'AMS-AAA', 'AMS-BBB'].map((one) => route(one.slice(0, 3), one.slice(4)));
    const told = watch.exchange?.(exchange({ operation: 'fla.lookup', body: legs }));
    expect(told?.map(({ judgement }) => inWords(judgement))).toContainEqual(
      expect.objectContaining({
        expected: 'the order of airport codes of all flights, such as AMS-AAA, AMS-BBB, AMS-CCC',
        actual: 'AMS-CCC, AMS-AAA, AMS-BBB',
      }),
    );
  });

  test('is one for all flights', () => {
    const show = (...legs: readonly string[]) =>
      exchange({ operation: 'fla.lookup', body: legs.map((one) => route(one.slice(0, 3), one.slice(4))) });
    const [up, down] = [show('AMS-BBB', 'DOH-CCC'), show('DOH-CCC', 'AMS-BBB')];
    expect(judgeLast(up, down).violated).toEqual(['FLA-GET-007']);
    expect(judgeLast(up, up).violated).toEqual([]);
  });

  test('is not judged where a code is missing', () => {
    const legs = [
      route('LHR', 'DOH'),
      route('DOH', 'SYD'),
      { ...route('SYD', 'AKL'), departure: { airportIata: null } },
    ];
    expect(lookup(legs).violated).toEqual(['FLA-SNP-026']);
  });
});

describe('what a lookup says of subscriptions', () => {
  const key = 'fak_0123456789abcdef';
  const callback = { fid: '0099887766', callbackUrl: 'https://sink.example.com/x' };
  const subscribe = exchange({
    operation: 'fla.subscribe',
    sent: {
      flightNumber: 'QR1',
      departureDate: '2026-03-20',
      departureAirportIata: 'DOH',
      arrivalAirportIata: 'LHR',
      callbackData: callback,
    },
    body: { success: true, latest_status_snapshot: leg(), callbackApiKey: key },
  });
  const after = (more: object) =>
    judgeLast(subscribe, exchange({ operation: 'fla.lookup', body: [leg(), { ...leg(), ...more }] }));

  test.each([
    { callbackApiKey: key },
    { meta: { token: key } },
    { airline: { name: key, code: 'QR' } },
    { externalId: callback.fid },
    { hook: callback.callbackUrl },
  ])('is too much: %j', (more) => {
    expect(after(more).violated).toEqual(['FLA-GET-030']);
  });

  test('is nothing', () => {
    expect(after({}).holds).toContain('FLA-GET-030');
    expect(after({ aircraft: 'A350' }).violated).toEqual([]);
  });

  test.each(['subscribed', 'subscriptionId', 'history', 'fid', 'callbackUrl'])(
    'is suspected of a member named %s',
    (name) => {
      const { violated, unclear } = after({ [name]: null });
      expect({ violated, unclear }).toEqual({ violated: [], unclear: ['FLA-GET-030'] });
    },
  );
});

const refusable = { operation: 'fla.subscribe' } as const;
const conflict = errorBody('CALLBACK_ALREADY_REGISTERED');

test.each([
  ['without a key', 409, conflict, 'holds'],
  ['with a key of null', 409, { ...conflict, callbackApiKey: null }, 'holds'],
  ['with a key', 409, { ...conflict, callbackApiKey: 'key-1234' }, 'violated'],
] as const)('a refused subscribe %s', (_, status, body, verdict) => {
  const judged = judgeLast(exchange({ ...refusable, status, body }));
  expect(judged[verdict]).toContain('FLA-SUB-042');
});

test('a failure of upstream may return a key', () => {
  const body = { ...errorBody('SUBSCRIPTION_FAILED'), callbackApiKey: 'key-1234' };
  const { holds, violated } = judgeLast(exchange({ ...refusable, status: 502, body }));
  expect([...holds, ...violated]).not.toContain('FLA-SUB-042');
});
