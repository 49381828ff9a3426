import { describe, expect, test } from 'vitest';
import { exchange, testStart, type ExchangeSketch } from '../../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../../core/evidence.ts';
import type { JsonObject } from '../../../trace/body.ts';
import type { Note, Step } from '../../../trace/evidence.ts';
import { knownFlights } from './knownFlights.ts';

function said(...evidence: readonly (Exchange | Note)[]) {
  const watch = knownFlights.createWatch({ movedMs: 0 });
  const samples = evidence.flatMap((one) => {
    if (!('type' in one)) return watch.exchange?.(one) ?? [];
    watch.note?.(one);
    return [];
  });
  const all = [...samples, ...(watch.end?.() ?? [])];
  const rows = (status: string) =>
    all.flatMap(({ requirement, judgement }) => (judgement.status === status ? [requirement] : []));
  return { kept: rows('holds'), broken: rows('violated') };
}

const leg = (from: string, to: string, arrival = '2026-03-09 12:25:00') => ({
  flightNumber: 'EK3',
  departure: { airportIata: from, scheduledTime: '2026-03-09 09:25:00' },
  arrival: { airportIata: to, scheduledTime: arrival },
});
const legs = [leg('DXB', 'LHR')];
const notFound = { status: 404, body: { success: false, error: 'FLIGHT_NOT_FOUND', message: 'none' } };
const asked = (flightNumber: string, more: Partial<ExchangeSketch> = {}, departureDate = '2026-03-09') =>
  exchange({
    ...{ operation: 'fla.lookup', body: legs, ...more },
    query: String(new URLSearchParams({ flightNumber, departureDate })).replaceAll('+', '%20'),
  });

function put(made: readonly JsonObject[], at = 0): Note {
  const params = { flightNumber: 'EK3', departureDate: '2026-03-09', legs: made };
  return {
    ...{ type: 'step', id: 's1', operation: 'flights.put', params, outcome: 'done', error: null },
    ...{ startedAt: testStart + at, endedAt: testStart + at, told: {}, movedMs: 0 },
  };
}

function change(changes: JsonObject, at: number): Note {
  const ends = { departureAirportIata: 'DXB', arrivalAirportIata: 'LHR' };
  const params = { flightNumber: 'EK3', departureDate: '2026-03-09', ...ends, changes };
  return { ...(put([], at) as Step), operation: 'flights.change', params };
}

describe('a flight has the same legs', () => {
  const other = { body: [leg('DXB', 'SIN')] };

  test('however its number is spelled', () => {
    expect(said(asked('EK3'), asked('ek3')).broken).toEqual([]);
    expect(said(asked('EK3'), asked('ek-3'), asked('EK3')).kept).toContain('FLA-GET-014');
    expect(said(asked('EK3'), asked('ek3', notFound), asked('EK3')).broken).toEqual(['FLA-GET-011']);
    expect(said(asked('EK3'), asked('EK 03', other), asked('EK3')).broken).toEqual(['FLA-GET-014']);
  });

  test('whoever asks', () => {
    const theirs = { enterprise: 'other' };
    expect(said(asked('EK3'), asked('EK3', theirs)).kept).toContain('FLA-GET-034');
    expect(said(asked('EK3'), asked('EK3', { ...theirs, ...other }), asked('EK3')).broken).toEqual([
      'FLA-GET-034',
    ]);
  });

  test('unless it may have changed since', () => {
    expect(said(asked('EK3'), asked('ek3', other)).broken).toEqual([]);
    expect(said(asked('EK3'), asked('ek3', other), asked('EK3', other), asked('EK3')).broken).toEqual([]);
  });
});

describe('a number that was made up', () => {
  const madeUp: Note = { type: 'claim', at: testStart, claim: 'made-up', ids: ['ZZ7'] };

  test('is not found', () => {
    expect(said(madeUp, asked('ZZ7', notFound))).toEqual({ kept: ['FLA-GET-027'], broken: [] });
    expect(said(madeUp, asked('ZZ7', { body: [] })).broken).toEqual(['FLA-GET-027']);
    const code = { status: 404, body: { success: false, error: 'NOT_FOUND', message: 'none' } };
    expect(said(madeUp, asked('ZZ7', code)).broken).toEqual([]);
    expect(said(madeUp, asked('EK3'), asked('ZZ7', code)).broken).toEqual(['FLA-GET-027']);
  });

  test('is not found by a subscribe either, unless a lookup finds it', () => {
    const sent = { flightNumber: 'ZZ7', departureDate: '2026-03-09', departureAirportIata: 'DXB' };
    const subscribed = (more: Partial<ExchangeSketch> = {}) =>
      exchange({
        ...{ operation: 'fla.subscribe', requestHeaders: [['content-type', 'application/json']] },
        ...{ sent: { ...sent, arrivalAirportIata: 'LHR' }, body: { success: true }, ...more },
      });
    expect(said(madeUp, subscribed(notFound)).kept).toContain('FLA-SUB-023');
    expect(said(madeUp, subscribed(), asked('ZZ7', notFound)).broken).toEqual(['FLA-SUB-023']);
    expect(said(madeUp, subscribed(), asked('ZZ7')).broken).toEqual([]);
    expect(said(madeUp, subscribed()).broken).toEqual([]);
  });

  test('may be flown, and any other may have no leg to show', () => {
    expect(said(madeUp, asked('ZZ7')).broken).toEqual([]);
    expect(said(asked('ZZ7', { body: [] })).broken).toEqual([]);
  });
});

test('a single leg stands in an array', () => {
  expect(said(put(legs), asked('EK3', { body: legs[0], at: 1000 })).broken).toEqual(['FLA-GET-005']);
  const two = [...legs, leg('LHR', 'JFK')];
  expect(said(put(two), asked('EK3', { body: { data: two }, at: 1000 })).broken).toEqual([]);
});

test('a lookup holds no history of a leg', () => {
  const gated = (gate: string, more = {}) => ({ ...leg('DXB', 'LHR'), ...more, status: gate });
  const changed = [put([gated('GATE-FORMER')]), change({ status: 'GATE-LATEST' }, 500)];
  const seen = (more: object) => asked('EK3', { body: [gated('GATE-LATEST', more)], at: 1000 });
  expect(said(...changed, seen({ was: 'something' })).broken).toEqual([]);
  expect(said(...changed, seen({ was: ['GATE-FORMER'] })).broken).toEqual(['FLA-GET-030']);
});

test('a leg is scheduled to arrive after it departs, unless the handler has made it otherwise', () => {
  const early = [leg('DXB', 'LHR', '2026-03-09 08:00:00')];
  expect(said(asked('EK3')).kept).toContain('FLA-SNP-027');
  expect(said(asked('EK3', { body: early })).broken).toEqual(['FLA-SNP-027']);
  expect(said(put(early), asked('EK3', { body: early, at: 1000 })).broken).toEqual([]);
});

describe('the day is that of UTC', () => {
  const hourMs = 3_600_000;
  const on = (departureDate: string, hour: number, isTaken: boolean) =>
    asked(
      'EK3',
      { at: (hour - 12) * hourMs, ...(isTaken ? notFound : { status: 400, body: {} }) },
      departureDate,
    );

  test('where yesterday is refused early in it, and today is taken late', () => {
    expect(said(on('2026-02-28', 1, false)).kept).not.toContain('FLA-GET-026');
    expect(said(on('2026-02-28', 1, false), on('2026-03-01', 23, true)).kept).toContain('FLA-GET-026');
  });

  test('or that of a zone, where yesterday is taken that is over in no zone', () => {
    const before = on('2026-02-28', 11, false);
    expect(said(before, on('2026-02-28', 1, true)).broken).toEqual(['FLA-GET-026']);
    expect(said(before, on('2026-02-28', 13, true)).broken).toEqual(['FLA-GET-024']);
  });
});
