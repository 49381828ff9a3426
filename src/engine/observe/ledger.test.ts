import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../core/evidence.ts';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import {
  flightSubscribe,
  list,
  otherKey,
  status,
  subscribe,
  update,
  type ApiRequest,
} from '../../send/request.ts';
import { Ledger } from './ledger.ts';

const booking = subscribe({});
const leg = {
  flightNumber: 'EK3',
  departureDate: '2026-08-01',
  departureAirportIata: 'DXB',
  arrivalAirportIata: 'LHR',
};
const created = { success: true, message: 'ACCEPTED', checkin_id: 'c-1', quota: { consumed_units: 1 } };

function answer(operation: ExchangeSketch['operation'], sketch: Omit<ExchangeSketch, 'operation'>): Exchange {
  return exchange({ operation, ...sketch });
}

function kindsOf(ledger: Ledger): readonly string[] {
  return ledger.sideEffects.map(({ kind, certainty }) => `${kind} ${certainty}`);
}

test.each<[what: string, request: ApiRequest, kind: string | null]>([
  ['a check-in subscribe', booking, 'quota'],
  ['a flight subscribe', flightSubscribe(leg), 'subscription'],
  ['an update', update({}), null],
  ['a read', status({}), null],
  ['a list', list(), null],
])('before it is sent, %s may cost %s', (_what, request, kind) => {
  expect(new Ledger().kindOf(request)).toBe(kind);
});

describe('a check-in subscribe', () => {
  test.each<[what: string, sketch: Omit<ExchangeSketch, 'operation'>, effects: string[]]>([
    ['accepted', { body: created }, ['checkin certain', 'quota certain']],
    ['refused', { status: 400, body: { success: false } }, []],
    ['refused by quota', { status: 402, body: { success: false } }, []],
    ['redirected', { status: 302 }, []],
    ['rejected with 200', { body: { success: false, message: 'REJECTED' } }, []],
    ['rejected with 422', { status: 422, body: { error: 'REJECTED' } }, []],
    ['failing inside', { status: 500 }, ['checkin possible', 'quota possible']],
    ['failing in front', { status: 503 }, ['checkin possible', 'quota possible']],
    ['never answered', { lost: true }, ['checkin possible', 'quota possible']],
    ['answered with garbage', { raw: '<html>' }, ['checkin possible', 'quota possible']],
  ])('%s leaves behind %2$j', (_what, sketch, effects) => {
    const ledger = new Ledger();
    expect(ledger.wasSpent(booking, answer('wci.subscribe', sketch))).toBe(effects.length > 0);
    expect(kindsOf(ledger)).toEqual(effects);
  });

  test('that is answered with an id made of a key is told without the key', () => {
    const ledger = new Ledger((text) => text.replaceAll('gk_live_1', '‹key›'));
    ledger.wasSpent(booking, answer('wci.subscribe', { body: { ...created, checkin_id: 'wci-gk_live_1' } }));
    expect(ledger.sideEffects.map(({ id }) => id)).toEqual(['wci-‹key›', 'wci-‹key›']);
  });

  test('that is answered with an id of a megabyte is told with its beginning', () => {
    const ledger = new Ledger();
    ledger.wasSpent(booking, answer('wci.subscribe', { body: { ...created, checkin_id: 'i'.repeat(1e6) } }));
    expect(ledger.sideEffects.map(({ id }) => id?.length)).toEqual([301, 301]);
  });

  test('that never left this machine costs nothing', () => {
    const ledger = new Ledger();
    const failure = { reason: 'refused', message: '', maybeDelivered: false } as const;
    const lost = {
      ...answer('wci.subscribe', { lost: true }),
      outcome: { kind: 'failure', failure } as const,
    };
    expect(ledger.wasSpent(booking, lost)).toBe(false);
  });

  test.each<[what: string, quota: object | undefined, spent: boolean]>([
    ['the count of units went up', { consumed_units: 2 }, true],
    ['it did not', { consumed_units: 1 }, false],
    ['nobody shows it', undefined, true],
  ])('that is repeated costs %2$j where %s', (_what, quota, spent) => {
    const ledger = new Ledger();
    ledger.wasSpent(booking, answer('wci.subscribe', { body: created }));
    const again = answer('wci.subscribe', { body: { ...created, quota } });
    expect(ledger.wasSpent(booking, again)).toBe(spent);
    expect(kindsOf(ledger).filter((kind) => kind.startsWith('checkin'))).toHaveLength(1);
  });
});

test('units of repeated subscribes are unproven until a snapshot comes', () => {
  const ledger = new Ledger();
  const bare = { ...created, quota: undefined };
  ledger.wasSpent(booking, answer('wci.subscribe', { body: bare }));
  expect(ledger.unproven()).toBe(0);
  ledger.wasSpent(booking, answer('wci.subscribe', { body: bare }));
  ledger.wasSpent(booking, answer('wci.subscribe', { body: bare }));
  expect(ledger.unproven()).toBe(2);
  ledger.wasSpent(booking, answer('wci.subscribe', { body: created }));
  expect(ledger.unproven()).toBe(0);
});

test('a repeated subscribe after which the count went up may have taken a unit, or others did', () => {
  const ledger = new Ledger();
  ledger.wasSpent(booking, answer('wci.subscribe', { body: created }));
  ledger.wasSpent(booking, answer('wci.subscribe', { body: { ...created, quota: { consumed_units: 5 } } }));
  expect(kindsOf(ledger)).toEqual(['checkin certain', 'quota certain', 'quota possible']);
  expect(ledger.unproven()).toBe(1);
});

describe('a flight subscribe', () => {
  const accepted = answer('fla.subscribe', { body: { success: true } });

  test('leaves one subscription per leg and enterprise, however it is spelled', () => {
    const ledger = new Ledger();
    expect(ledger.wasSpent(flightSubscribe(leg), accepted)).toBe(true);
    for (const same of [leg, { ...leg, flightNumber: 'ek 0003' }, { ...leg, arrivalAirportIata: 'lhr' }]) {
      expect(ledger.kindOf(flightSubscribe(same))).toBeNull();
      expect(ledger.wasSpent(flightSubscribe(same), accepted)).toBe(false);
    }
    for (const another of [
      flightSubscribe({ ...leg, departureDate: '2026-08-02' }),
      flightSubscribe({ ...leg, arrivalAirportIata: 'LGW' }),
      flightSubscribe(leg, { key: otherKey }),
    ])
      expect(ledger.kindOf(another)).toBe('subscription');
    expect(kindsOf(ledger)).toEqual(['subscription certain']);
  });

  test('in doubt counts, and its repetition does not count twice', () => {
    const ledger = new Ledger();
    expect(ledger.wasSpent(flightSubscribe(leg), answer('fla.subscribe', { lost: true }))).toBe(true);
    expect(ledger.wasSpent(flightSubscribe(leg), accepted)).toBe(false);
    expect(kindsOf(ledger)).toEqual(['subscription possible']);
  });

  test('without a readable body is a leg of its own kind', () => {
    const ledger = new Ledger();
    const raw = { ...flightSubscribe(leg), body: Buffer.from('{') };
    expect(ledger.kindOf(raw)).toBe('subscription');
    expect(ledger.wasSpent(raw, answer('fla.subscribe', { status: 400 }))).toBe(false);
  });
});

test('what the state handler did is on record with its time', () => {
  const ledger = new Ledger();
  ledger.state('provider.fail', 0);
  expect(ledger.sideEffects).toEqual([
    {
      kind: 'state',
      certainty: 'certain',
      id: 'provider.fail',
      key: null,
      createdAt: '1970-01-01T00:00:00.000Z',
      exchange: null,
    },
  ]);
});
