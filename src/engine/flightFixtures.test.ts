import { expect, test } from 'vitest';
import type { Exchange } from '../core/evidence.ts';
import type { KnownFlight, Settings } from '../core/settings.ts';
import { createIdentities } from '../generate/kit/identity.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { KeyRing } from '../send/keyRing.ts';
import type { ApiRequest } from '../send/request.ts';
import { noStateHandler } from '../target/stateHandler.ts';
import { createFlightFixtures } from './flightFixtures.ts';
import { firstKeyOf } from './sharedKeys.ts';
import { CaseUnclear, CheckSkipped } from './signals.ts';

const now = Date.UTC(2031, 2, 4, 12);
const leg = (departure: string | null, arrival: string) => ({
  departure: { airportIata: departure },
  arrival: { airportIata: arrival },
});
const unknown = { status: 404, body: { success: false, error: 'FLIGHT_NOT_FOUND', message: 'x' } };

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/** Fixtures of a target that answers lookups by flight number and date, and every subscribe in the same way. */
function fixturesOf(
  lookups: Readonly<Record<string, Answer>>,
  subscribe: (body: { departureDate?: string; callbackData?: { callbackUrl: string } }) => Answer = () => ({
    body: { success: true },
  }),
  flights: readonly KnownFlight[] = [],
  publicUrl: string | null = null,
  inDoubt: readonly string[] = [],
) {
  const sent: ApiRequest[] = [];
  const send = (request: ApiRequest): Promise<Exchange> => {
    sent.push(request);
    const query = new URLSearchParams(request.query);
    const name = `${query.get('flightNumber') ?? ''} ${query.get('departureDate') ?? ''}`;
    const body = JSON.parse(Buffer.from(request.body ?? []).toString() || '{}') as Parameters<
      typeof subscribe
    >[0];
    const answer = request.operation === 'fla.lookup' ? (lookups[name] ?? unknown) : subscribe(body);
    return Promise.resolve(exchange({ operation: request.operation, ...answer }));
  };
  const fixtures = createFlightFixtures({
    settings: { flights, sink: { publicUrl } } as unknown as Settings,
    identities: createIdentities('run', 1),
    state: noStateHandler,
    keys: firstKeyOf(KeyRing.of({ primary: ['k1', 'k2'], other: [], special: {} })),
    now: () => now,
    ...{ send, inDoubt },
  })(1);
  return { fixtures, sent };
}

test('without a named flight, familiar ones are tried one by one, and the first that is served is taken', async () => {
  const { fixtures, sent } = fixturesOf({ 'EK3 2031-03-05': { body: [leg('DXB', 'LHR')] } });
  expect(await fixtures.namedFlight()).toBeNull();
  expect(await fixtures.knownLeg()).toMatchObject({ flightNumber: 'EK3', departure: 'DXB', source: 'found' });
  await fixtures.knownLeg();
  expect(sent).toHaveLength(2);
});

test('where none is served the check is skipped, and the reason says what was tried', async () => {
  const { fixtures } = fixturesOf({});
  const failure: unknown = await fixtures.knownLeg().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CheckSkipped);
  expect(String(failure)).toContain('AA100 on 2031-03-05: HTTP 404 FLIGHT_NOT_FOUND (x); EK3');
});

test('two failures of upstream end the search, undecided', async () => {
  const down = { status: 502, body: { success: false, error: 'PROVIDER_UNAVAILABLE', message: 'x' } };
  const { fixtures, sent } = fixturesOf({ 'AA100 2031-03-05': down, 'EK3 2031-03-05': down });
  await expect(fixtures.knownLeg()).rejects.toBeInstanceOf(CaseUnclear);
  expect(sent).toHaveLength(2);
});

test('a flight of the config counts from the day of the run, and one of the past is passed over', async () => {
  const named = [
    { flightNumber: 'LH1', departureDate: '2031-03-01', legs: [] },
    { flightNumber: 'LH2', departureDate: 3, legs: [{ departure: 'FRA', arrival: 'JFK' }] },
  ];
  const { fixtures } = fixturesOf({ 'LH2 2031-03-07': { body: [leg('FRA', 'JFK')] } }, undefined, named);
  expect(await fixtures.namedFlight()).toEqual({
    flightNumber: 'LH2',
    departureDate: '2031-03-07',
    routes: [['FRA', 'JFK']],
    source: 'config',
  });
  expect(await fixtures.knownLeg()).toMatchObject({ flightNumber: 'LH2', source: 'config' });
});

test('a leg without codes or with a twin cannot be named', async () => {
  const legs = [leg(null, 'LHR'), leg('DOH', 'LHR'), leg('doh ', 'LHR'), leg('LHR', 'JFK')];
  const { fixtures } = fixturesOf({ 'EK3 2031-03-05': { body: legs } });
  expect(await fixtures.knownLeg()).toMatchObject({ departure: 'LHR', arrival: 'JFK' });
});

test('a callback goes to another leg than the known one, with one key, and to the same address in every run', async () => {
  const served = { body: [leg('DOH', 'LHR')] };
  const lookups = { 'EK3 2031-03-05': served, 'EK3 2031-03-07': served };
  const { fixtures, sent } = fixturesOf(lookups);
  const { leg: found, body } = await fixtures.callbackSubscription();
  expect(found.departureDate).toBe('2031-03-07');
  expect(body.callbackData).toEqual({
    fid: '00gatecheck-EK3-2031-03-07-DOH-LHR',
    callbackUrl: 'https://gatecheck-sink.example.com/gatecheck/EK3-2031-03-07-DOH-LHR?from=gatecheck',
  });
  expect(sent.at(-1)?.key).toMatchObject({ kind: 'key', key: { label: 'primary#1' } });
});

test('a leg that may have got its callback when the run was cut short is passed over for another day of the flight', async () => {
  const served = { body: [leg('DOH', 'LHR')] };
  const days = ['05', '06', '07', '08'].map((day) => [`EK3 2031-03-${day}`, served] as const);
  const dayWith = async (...inDoubt: readonly string[]) => {
    const { fixtures } = fixturesOf(Object.fromEntries(days), undefined, [], null, inDoubt);
    return (await fixtures.callbackSubscription()).leg.departureDate;
  };
  const lost = ['06', '07', '08'].map((day) => `primary EK3 DOH LHR 2031-03-${day}`);
  expect(await dayWith('primary EK31 DOH LHR 2031-03-06')).toBe('2031-03-06');
  expect(await dayWith(...lost.slice(0, 1))).toBe('2031-03-07');
  expect(await dayWith(...lost.slice(0, 2))).toBe('2031-03-08');
  expect(await dayWith(...lost)).toBe('2031-03-06');
});

test('a leg that has another callback already gives way to another day, once', async () => {
  const served = { body: [leg('DOH', 'LHR')] };
  const days = Object.fromEntries(['05', '06', '07'].map((day) => [`EK3 2031-03-${day}`, served] as const));
  const conflict = {
    status: 409,
    body: { success: false, error: 'CALLBACK_ALREADY_REGISTERED', message: 'x' },
  };
  const withTaken = async (...taken: readonly string[]) => {
    const { fixtures, sent } = fixturesOf(days, ({ departureDate = '' }) =>
      taken.includes(departureDate) ? conflict : { body: { success: true } },
    );
    const { leg: found, subscribed } = await fixtures.callbackSubscription();
    const requests = sent.filter(({ operation }) => operation === 'fla.subscribe').length;
    return [found.departureDate, responseOf(subscribed)?.status, requests];
  };
  expect(await withTaken('2031-03-06')).toEqual(['2031-03-07', 200, 3]);
  expect(await withTaken('2031-03-06', '2031-03-07')).toEqual(['2031-03-07', 409, 4]);
});

test('where names without an address are refused, one that has an address is tried', async () => {
  const served = { body: [leg('DOH', 'LHR')] };
  const { fixtures } = fixturesOf(
    { 'EK3 2031-03-05': served, 'EK3 2031-03-06': served },
    ({ callbackData }) =>
      callbackData?.callbackUrl.startsWith('https://example.com/')
        ? { body: { success: true } }
        : { status: 400, body: { success: false, error: 'VALIDATION_ERROR', message: 'x' } },
  );
  const { subscribed } = await fixtures.callbackSubscription();
  expect(subscribed.outcome).toMatchObject({ response: { status: 200 } });
});

test.each([
  ['https://sink.example.org/hooks/', 200, 'https://sink.example.org/hooks/gatecheck/'],
  ['https://sink.example.org/hooks/', 409, 'https://gatecheck-sink.example.com/gatecheck/'],
  ['http://sink.example.org', 200, 'https://gatecheck-sink.example.com/gatecheck/'],
])(
  'below a sink at %s, where that is answered %i, the callback goes to %s',
  async (publicUrl, status, below) => {
    const served = { body: [leg('DOH', 'LHR')] };
    const { fixtures } = fixturesOf(
      { 'EK3 2031-03-05': served, 'EK3 2031-03-06': served },
      ({ callbackData }) =>
        callbackData?.callbackUrl.startsWith('https://sink.example.org/') === true && status !== 200
          ? { status, body: { success: false, error: 'CALLBACK_ALREADY_REGISTERED', message: 'x' } }
          : { body: { success: true } },
      [],
      publicUrl,
    );
    const { body } = await fixtures.callbackSubscription();
    expect(JSON.stringify(body.callbackData)).toContain(`"${below}`);
  },
);
