import { describe, expect, test } from 'vitest';
import { exchange, testStart, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { JsonObject } from '../../trace/body.ts';
import { callOf } from '../../trace/call.ts';
import { utcDate } from '../kit/localTime.ts';
import { Flights } from '../world/flights.ts';
import { BetweenLooks } from './betweenLooks.ts';

const departureDate = utcDate(testStart, 5);
const flight = { flightNumber: 'EK3', departureDate };
const ends = { departureAirportIata: 'DXB', arrivalAirportIata: 'LHR' };

const leg = (gate = 'A7', more: JsonObject = {}): JsonObject => ({
  ...{ flightNumber: 'EK3', status: 'schedule', ...more },
  departure: { airportIata: 'DXB', city: gate, gate },
  arrival: { airportIata: 'LHR' },
});
const look = (at: number, body = leg()) =>
  exchange({
    operation: 'fla.lookup',
    body: [body],
    at,
    query: `flightNumber=EK3&departureDate=${departureDate}`,
  });
const subscribe = (at: number, more: Partial<ExchangeSketch> = {}, sent: JsonObject = {}) =>
  exchange({
    ...{ operation: 'fla.subscribe', at, requestHeaders: [['content-type', 'application/json']] },
    sent: { ...flight, ...ends, ...sent },
    body: { success: true, latest_status_snapshot: leg() },
    ...more,
  });
const refused = (status: number, error: string) => ({
  status,
  body: { success: false, error, message: 'x' },
});

function judge(isOfHandler: boolean, ...evidence: readonly Exchange[]) {
  const [between, world, kept] = [new BetweenLooks(), new Flights(), new Set<string>()];
  const step = { type: 'step', id: 's1', operation: 'flights.put', outcome: 'done', error: null } as const;
  const times = { startedAt: testStart, endedAt: testStart, told: {}, movedMs: 0 };
  if (isOfHandler) world.step({ ...step, ...times, params: { ...flight, legs: [leg()] } });
  for (const one of evidence) {
    const call = callOf(one);
    if (call) between.learn(call, world, (...rules) => rules.forEach((rule) => kept.add(rule)));
  }
  return { kept: [...kept], broken: between.end().map(({ rule }) => rule) };
}
const broken = (...evidence: readonly Exchange[]) => judge(false, ...evidence).broken;
const brokenOfHandler = (...evidence: readonly Exchange[]) => judge(true, ...evidence).broken;

describe('a subscribe between two lookups', () => {
  const other = { body: { success: true, latest_status_snapshot: leg('B2') } };

  test('shows the leg as both do', () => {
    expect(judge(false, look(0), subscribe(1000), look(2000)).kept).toContain('FLA-SNP-022');
    expect(broken(look(0), subscribe(1000, other), look(2000))).toEqual(['FLA-SNP-022']);
    // Words may differ, and what changes may have changed back.
    expect(broken(look(0), subscribe(1000, other), look(2000, leg('B2')))).toEqual([]);
    expect(broken(look(0), subscribe(1000, other), look(90_000))).toEqual([]);
    expect(broken(look(0), subscribe(1000, other))).toEqual([]);
  });

  test('is accepted, as the leg is there', () => {
    const none = refused(404, 'FLIGHT_NOT_FOUND');
    expect(broken(look(0), subscribe(1000, none), look(2000))).toEqual(['FLA-SUB-003']);
    const small = { departureAirportIata: 'dxb' };
    expect(broken(look(0), subscribe(1000, none, small), look(2000))).toEqual(['FLA-SUB-021']);
    expect(broken(subscribe(1000, none), look(2000))).toEqual([]);
    const landed = leg('A7', { status: 'landing' });
    expect(broken(look(0, landed), subscribe(1000, none), look(2000, landed))).toEqual([]);
    expect(broken(look(0), subscribe(1000, refused(409, 'AMBIGUOUS_FLIGHT')), look(2000))).toEqual([]);
    expect(broken(look(0), subscribe(1000, none, { callbackData: {} }), look(2000))).toEqual([]);
  });

  test('changes nothing in them, where upstream is known to change nothing', () => {
    const flagged = leg('A7', { isWatched: 1 });
    const counted = [1, 2].map((watchers) => leg('A7', { watchers }));
    expect(judge(true, look(0), subscribe(1000), look(2000)).kept).toContain('FLA-GET-031');
    expect(brokenOfHandler(look(0), subscribe(1000), look(2000, { ...leg(), extra: 1 }))).toEqual([
      'FLA-GET-031',
    ]);
    expect(brokenOfHandler(look(0), subscribe(1000), look(2000, flagged))).toEqual(['FLA-GET-030']);
    expect(brokenOfHandler(look(0, counted[0]), subscribe(1000), look(2000, counted[1]))).toEqual([
      'FLA-GET-030',
    ]);
    expect(broken(look(0), subscribe(1000), look(2000, flagged))).toEqual([]);
    // What changes from answer to answer is no trace of a subscribe.
    expect(brokenOfHandler(look(0), subscribe(1000), look(2000, flagged), look(3000))).toEqual([]);
  });
});
