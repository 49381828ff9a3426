import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../kernel/body.ts';
import {
  arrivesLater,
  exactLegs,
  holdsNowhere,
  legAt,
  sameLegs,
  sameNumbers,
  subscribed,
  unbroken,
  upstreamFailed,
} from './flightAnswer.ts';
import { sameValuesOf } from './legSnapshot.ts';
import { sameMembersOf } from './legSnapshot.ts';
import { withoutValue } from './legSnapshot.ts';
import { valuedPaths } from './legSnapshot.ts';
import { keepsAirlineName, losesNothing } from './legSnapshot.ts';
import { keepsValues } from './legSnapshot.ts';
import { omitsAlternates } from './legSnapshot.ts';
import { withoutAlternates } from './legSnapshot.ts';
import { passedOn } from './legSnapshot.ts';
import { keyOmission } from './returnedKey.ts';
import { samePrefix } from './returnedKey.ts';
import { oneKeyOf } from './returnedKey.ts';
import { returnsNoKey } from './returnedKey.ts';
import { returnsKey } from './returnedKey.ts';
import { inWords } from '../../../test/support/judge/inWords.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';

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

test('texts for people may differ from place to place, and an offset may be a text or a number', () => {
  const [one, other] = ['Zurich', 'Zürich'].map((city, index) => {
    const offset = index === 0 ? 3600 : '3600';
    return leg('ZRH', 'BKK', {
      departure: { airportIata: 'ZRH', city, utcOffsetSeconds: offset, gate: 'A1' },
    });
  });
  expect(sameValuesOf(one ?? null, other ?? null).status).toBe('holds');
  const departure = { airportIata: 'ZRH', city: 'Zürich', utcOffsetSeconds: '3600', gate: 'A2' };
  expect(sameValuesOf(leg('ZRH', 'BKK', { departure }), other ?? null).status).toBe('violated');
  expect(
    keepsValues({ stopover: { city: 'Wien' } }, { stopover: { city: 'Vienna' } }, ['stopover.city']).status,
  ).toBe('holds');
  expect(
    keepsValues({ stopover: { city: '' } }, { stopover: { city: 'Vienna' } }, ['stopover.city']).status,
  ).toBe('violated');
});

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

  test('the numbers of the same legs are spelt alike', () => {
    const spelt = (flightNumber: string) => shows(leg('DOH', 'ZRH', { flightNumber }));
    expect(sameNumbers(spelt('QR1'), spelt('QR1')).status).toBe('holds');
    expect(sameNumbers(spelt('QR1 '), spelt('QR1')).status).toBe('violated');
    expect(sameNumbers(shows(), spelt('QR1')).status).toBe('holds');
  });

  test('exact legs come in any order, and each of them once', () => {
    const routes = [
      ['ZRH', 'BKK'],
      ['DOH', 'ZRH'],
    ] as const;
    expect(exactLegs(seen, routes).status).toBe('holds');
    expect(exactLegs(shows(leg('DOH', 'ZRH'), leg('DOH', 'ZRH')), routes).status).toBe('violated');
  });

  test('blank values may come with a leg, but not make it disappear', () => {
    const route = ['DOH', 'ZRH'] as const;
    expect(unbroken(shows(leg('DOH', 'ZRH')), route).status).toBe('holds');
    expect(unbroken(shows(), route).status).toBe('violated');
    expect(unbroken(fails(502, 'INVALID_PROVIDER_DATA', 'fla.lookup'), route).status).toBe('violated');
    expect(unbroken(fails(502, 'PROVIDER_UNAVAILABLE', 'fla.lookup'), route).status).toBe('unclear');
    expect(unbroken(answers(200, { success: true }), route).status).toBe('unclear');
  });

  test('an arrival lies after its departure, where both are known', () => {
    const at = (departure: string | null, arrival: string | null) =>
      shows(
        leg('DOH', 'ZRH', { departure: { scheduledTime: departure }, arrival: { scheduledTime: arrival } }),
      );
    expect(arrivesLater(seen).status).toBe('holds');
    expect(arrivesLater(at('2031-03-04 22:10:00', '2031-03-04 21:10:00')).status).toBe('violated');
    expect(arrivesLater(at('2031-03-04 22:10:00', null)).status).toBe('unclear');
    expect(arrivesLater(at('2031-03-04 22:10:00', '0000-00-00 00:00:00')).status).toBe('unclear');
  });
});

describe('a subscribe to a known leg', () => {
  test.each([
    ['success', accepts({}), 'state', 'holds'],
    ['no success', accepts({ success: false }), 'state', 'violated'],
    ['an unknown leg', fails(404, 'FLIGHT_NOT_FOUND'), 'config', 'violated'],
    ['a missing partner', fails(404, 'NOT_FOUND'), 'state', 'unclear'],
    ['two flights of the world', fails(409, 'AMBIGUOUS_FLIGHT'), 'found', 'unclear'],
    ['two flights where one was made', fails(409, 'AMBIGUOUS_FLIGHT'), 'state', 'violated'],
  ] as const)('%s', (_, answer, source, status) => {
    expect(subscribed(answer, source).status).toBe(status);
  });
});

describe('callback keys', () => {
  const first = accepts({ callbackApiKey: 'fac_1' });

  test.each([
    ['absent', accepts({}), 'absent'],
    ['null', accepts({ callbackApiKey: null }), 'null-value'],
    ['blank', accepts({ callbackApiKey: '' }), null],
  ])('a key that is %s is not returned', (_, answer, form) => {
    expect([returnsKey(answer).status, returnsNoKey(answer).status]).toEqual(['violated', 'holds']);
    expect(keyOmission(answer)).toBe(form);
  });

  test('a returned key does not stand in a judgement', () => {
    expect(returnsKey(first).status).toBe('holds');
    expect(JSON.stringify(returnsNoKey(first))).not.toContain('fac_1');
  });

  test('simultaneous subscribes may return the same key twice, but not two, and not none', () => {
    expect(oneKeyOf([first, accepts({}), first]).status).toBe('holds');
    expect(oneKeyOf([first, accepts({ callbackApiKey: 'fac_2' })]).status).toBe('violated');
    expect(oneKeyOf([accepts({}), accepts({})]).status).toBe('violated');
  });

  test('a common prefix of any length will do', () => {
    expect([samePrefix('fac_1', 'fac_2').status, samePrefix('fac_1', 'xyz').status]).toEqual([
      'holds',
      'violated',
    ]);
  });
});

test.each([
  ['the code asked for', fails(502, 'PROVIDER_UNAVAILABLE'), 'holds'],
  ['another code', fails(502, 'SUBSCRIPTION_FAILED'), 'violated'],
  ['another status with a body of the API', fails(503, 'PROVIDER_UNAVAILABLE'), 'violated'],
  ['no failure', accepts({}), 'violated'],
  ['a page of a gateway', exchange({ operation: 'fla.subscribe', status: 502, raw: '<html>' }), 'unclear'],
  ['an overload of a gateway', exchange({ operation: 'fla.subscribe', status: 503, raw: '' }), 'unclear'],
])('a provoked failure of upstream: %s', (_, answer, status) => {
  expect(upstreamFailed(answer, 'PROVIDER_UNAVAILABLE').status).toBe(status);
});

describe('values of upstream', () => {
  const given: JsonObject = {
    status: ' circled ',
    departure: {
      gate: '',
      actualTime: '0000-00-00 00:00:00',
      estimatedTime: null,
      scheduledTime: '2031-03-04 09:25:00',
    },
  };

  test('come back as they are', () => {
    expect(passedOn(given, given, ['status', 'departure.gate']).status).toBe('holds');
    expect(inWords(passedOn({ ...given, status: 'circled' }, given, ['status']))).toMatchObject({
      status: 'violated',
      expected: 'status " circled ", as upstream has it',
      actual: 'status "circled"',
    });
    expect(passedOn(null, given, ['status']).status).toBe('unclear');
  });

  test('blank and zero ones may become null where that is allowed, and nothing else', () => {
    const shown: JsonObject = { status: null, departure: { gate: null, actualTime: null } };
    const lenient = { nothingMayDiffer: true };
    expect(passedOn(shown, given, ['departure.gate', 'departure.actualTime'], lenient).status).toBe('holds');
    expect(passedOn(shown, given, ['departure.gate']).status).toBe('violated');
    expect(passedOn(shown, given, ['status'], lenient).status).toBe('violated');
  });

  test('are those that are neither null nor blank nor zero', () => {
    const paths = ['gate', 'actualTime', 'estimatedTime', 'scheduledTime'].map((name) => `departure.${name}`);
    expect(valuedPaths(given, paths)).toEqual(['departure.scheduledTime']);
  });

  test('that are missing are not made up', () => {
    const path = ['departure.estimatedTime'];
    for (const estimatedTime of [null, undefined, '', '0000-00-00 00:00:00'])
      expect(withoutValue({ departure: { estimatedTime } }, path).status).toBe('holds');
    for (const estimatedTime of ['2031-03-04 09:25:00', '-', '--:--'])
      expect(withoutValue({ departure: { estimatedTime } }, path).status).toBe('violated');
  });

  test('leave alternate routes out, and null says none as well', () => {
    for (const leg of [{}, { alternateInfo: null }]) expect(withoutAlternates(leg).status).toBe('holds');
    for (const alternateInfo of [[], [{}]])
      expect(withoutAlternates({ alternateInfo }).status).toBe('violated');
    expect(omitsAlternates({ alternateInfo: null }).status).toBe('violated');
    expect(omitsAlternates({}).status).toBe('holds');
  });

  test('are not lost, and a number may be shown as text', () => {
    const given = { isCodeshare: 0, departure: { city: 'Doha', utcOffsetSeconds: 10800, gate: 'A7' } };
    const shown = { isCodeshare: 0, departure: { city: 'DOHA', utcOffsetSeconds: '10800', gate: 'A7' } };
    expect(losesNothing(shown, given).status).toBe('holds');
    const named = { ...given, airline: { name: 'Gatecheck Air' } };
    expect(losesNothing({ ...shown, airline: { name: null } }, named).status).toBe('holds');
    expect(keepsAirlineName({ ...shown, airline: { name: null } }, named).status).toBe('violated');
    expect(keepsAirlineName({ ...shown, airline: { name: 'GCA' } }, named).status).toBe('holds');
    expect(losesNothing({ ...shown, isCodeshare: null }, given)).toMatchObject({ code: 'lost' });
    expect(
      inWords(losesNothing({ ...shown, departure: { ...shown.departure, city: '' } }, given)),
    ).toMatchObject({
      expected: 'departure.city "Doha"',
    });
    expect(losesNothing({ ...shown, departure: { ...shown.departure, gate: 'A8' } }, given)).toMatchObject({
      code: 'other',
    });
  });

  test.each<[Json, Json, boolean]>([
    [0, '0', true],
    [0, '0.0', true],
    [10800, '10800.0', true],
    [0, '', false],
    [0, null, false],
    [0, '3600', false],
  ])('an offset of %j that is shown as %j', (given, shown, isKept) => {
    const one = losesNothing(
      { arrival: { utcOffsetSeconds: shown } },
      { arrival: { utcOffsetSeconds: given } },
    );
    expect(one.status).toBe(isKept ? 'holds' : 'violated');
  });
});

test('two snapshots have the same documented members, and any others', () => {
  const one: JsonObject = { flightNumber: 'QR1', departure: { gate: null }, x: 1 };
  expect(sameMembersOf(one, { ...one, departure: { gate: 'A1', y: 2 }, x: undefined }).status).toBe('holds');
  expect(inWords(sameMembersOf({ ...one, departure: {} }, one))).toMatchObject({
    expected: 'departure.gate',
    actual: 'no departure.gate',
  });
});

test('a text is found wherever it stands in a body, also escaped', () => {
  const seen = shows(leg('DOH', 'ZRH', { notes: { fid: 'a"b' } }));
  expect(holdsNowhere(seen, 'a"b', 'the fid').status).toBe('violated');
  expect(holdsNowhere(seen, 'other', 'the fid').status).toBe('holds');
});
