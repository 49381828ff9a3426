import { describe, expect, test } from 'vitest';
import { faultsOf } from '../../src/spec/rules/legMembers.ts';
import type { JsonObject } from '../../src/judge/kernel/body.ts';
import { exactLegs, legAt, sameLegs } from './flightAnswer.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';

const leg = (departure: string | null, arrival: string | null, more: JsonObject = {}): JsonObject => ({
  flightNumber: 'QR1',
  departure: { airportIata: departure, scheduledTime: '2031-03-04 22:10:00' },
  arrival: { airportIata: arrival, scheduledTime: '2031-03-05 01:10:00' },
  ...more,
});
const shows = (...legs: readonly JsonObject[]) => exchange({ operation: 'fla.lookup', body: legs });
const answers = (status: number, body: unknown) => exchange({ operation: 'fla.lookup', status, body });
const fails = (status: number, error: string, operation: 'fla.lookup' | 'fla.subscribe' = 'fla.subscribe') =>
  exchange({ operation, status, body: { success: false, error, message: 'x' } });
const accepts = (body: JsonObject) =>
  exchange({ operation: 'fla.subscribe', body: { success: true, ...body } });

test('a subscribe shows the leg that was selected, also where its codes are missing', () => {
  const shown = (...codes: Parameters<typeof leg>) => accepts({ latest_status_snapshot: leg(...codes) });
  expect(legAt(shown('DOH', null), ['DOH', 'ZRH'])).not.toBeNull();
  expect(legAt(shown('', ''), ['DOH', 'ZRH'])).not.toBeNull();
  expect(legAt(shown('DOH', 'BKK'), ['DOH', 'ZRH'])).toBeNull();
  expect(legAt(shows(leg('DOH', null)), ['DOH', 'ZRH'])).toBeNull();
});

describe('legs of a lookup', () => {
  const seen = shows(leg('DOH', 'ZRH'), leg('ZRH', 'BKK'));

  test.each([
    ['the same legs', shows(leg('DOH', 'ZRH'), leg('ZRH', 'BKK')), 'holds'],
    [
      'the same legs with other values and members',
      shows(leg('doh', 'ZRH', { x: 1 }), leg('ZRH', 'BKK')),
      'holds',
    ],
    ['a leg less', shows(leg('DOH', 'ZRH')), 'violated'],
    ['another order', shows(leg('ZRH', 'BKK'), leg('DOH', 'ZRH')), 'violated'],
    ['a wrapped list', answers(200, { data: [leg('DOH', 'ZRH')] }), 'violated'],
    ['a refusal', fails(404, 'FLIGHT_NOT_FOUND', 'fla.lookup'), 'violated'],
    ['an upstream failure', fails(502, 'PROVIDER_UNAVAILABLE', 'fla.lookup'), 'unclear'],
  ])('equal answers: %s', (_, other, status) => {
    expect(sameLegs(other, seen).status).toBe(status);
  });

  test('exact legs come in any order, and each of them once', () => {
    const routes = [
      ['ZRH', 'BKK'],
      ['DOH', 'ZRH'],
    ] as const;
    expect(exactLegs(seen, routes).status).toBe('holds');
    expect(exactLegs(shows(leg('DOH', 'ZRH'), leg('DOH', 'ZRH')), routes).status).toBe('violated');
  });
});

describe('a leg as upstream has it', () => {
  const given: JsonObject = {
    ...{
      status: ' circled ',
      isCodeshare: 1,
      airline: { name: 'Gatecheck Air' },
      stopover: { city: 'Vienna' },
    },
    departure: { gate: 'A7', actualTime: '', estimatedTime: null, utcOffsetSeconds: 0, boardingStatus: '' },
    arrival: { scheduledTime: '2031-03-04 09:25:00', estimatedTime: null, terminal: null },
  };
  const within = (holder: string, more: JsonObject) => ({
    [holder]: { ...(given[holder] as JsonObject), ...more },
  });

  test.each<[JsonObject, readonly string[]]>([
    [{}, []],
    [{ stopover: { city: 'Wien' }, airline: { name: 'GCA' }, isCodeshare: '1' }, []],
    [within('departure', { actualTime: null, utcOffsetSeconds: '0.0', boardingStatus: 'web check-in' }), []],
    [{ status: 'circled' }, ['FLA-SNP-010']],
    [{ stopover: { city: '' } }, ['FLA-SNP-030']],
    [{ airline: { name: null } }, ['FLA-SNP-033']],
    [within('departure', { gate: 'A8' }), ['FLA-SNP-030']],
    ...[null, '', '3600'].map((utcOffsetSeconds): [JsonObject, readonly string[]] => [
      within('departure', { utcOffsetSeconds }),
      ['FLA-SNP-030'],
    ]),
    [within('departure', { estimatedTime: '--:--' }), ['FLA-SNP-019']],
    [within('departure', { boardingStatus: 'boarding' }), ['FLA-SNP-020']],
    [within('arrival', { estimatedTime: '2031-03-04 09:25:00' }), ['FLA-SNP-028']],
    [within('arrival', { scheduledTime: '2031-03-04 09:25' }), ['FLA-SNP-017']],
    [within('arrival', { terminal: '-' }), ['FLA-SNP-032']],
    [{ alternateInfo: null }, ['FLA-SNP-031']],
    [{ alternateInfo: [] }, ['FLA-SNP-003']],
  ])('but for %j', (more, broken) => {
    expect(faultsOf({ ...given, ...more }, given).map(({ rule }) => rule)).toEqual(broken);
  });
});
