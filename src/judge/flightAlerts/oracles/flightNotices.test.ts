import { describe, expect, test } from 'vitest';
import type { Headers } from '../../../core/evidence.ts';
import { exchange } from '../../../../test/support/judge/exchanges.ts';
import { legRequest } from '../../../../test/support/judge/bodies.ts';
import {
  delivery,
  judgeDeliveries,
  testToken,
  type DeliverySketch,
} from '../../../../test/support/judge/deliveries.ts';
import type { JsonObject } from '../../../trace/json.ts';
import { flightNotices } from './flightNotices.ts';

const fid = '007 Cafe\u0301';
const key = 'fac_aaaaaaaaaaaaaaaa';
const json = ['Content-Type', 'application/json'] as const;

const subscribe = (
  given: { fid?: string; key?: string | null; auth_header?: string; status?: number } = {},
) => {
  const { fid: id = fid, key: returned = key, status = 200, ...more } = given;
  const callbackData = { fid: id, callbackUrl: `https://sink.example.com/${testToken}/hook?x=1`, ...more };
  const body = { success: true, ...(returned === null ? {} : { callbackApiKey: returned }) };
  return exchange({ operation: 'fla.subscribe', sent: legRequest({ callbackData }), status, body });
};

const notice = (
  given: Partial<DeliverySketch> & {
    auth?: string | null;
    more?: Headers;
    changes?: unknown;
    fid?: unknown;
  } = {},
) => {
  const { auth = key, more = [], changes = { departure: { gate: 'B1' } }, ...rest } = given;
  const id = 'fid' in given ? given.fid : fid;
  return delivery({
    headers: [json, ...(auth === null ? [] : [['authorization', auth] as const]), ...more],
    body: { fid: id, changes },
    ...rest,
  });
};

describe('a notification', () => {
  const oracle = flightNotices;

  test('a notification as it ought to be keeps to every rule of it', () => {
    const said = judgeDeliveries(oracle, subscribe(), notice());
    expect(Object.values(said)).not.toEqual([]);
    expect(Object.values(said).every((one) => one === 'holds')).toBe(true);
  });

  test('one that comes before the answer that tells its key is judged with that', () => {
    expect(judgeDeliveries(oracle, notice(), subscribe())).toEqual(
      judgeDeliveries(oracle, subscribe(), notice()),
    );
  });

  test('one of a further registration of the address may come before the answer to that as well', () => {
    const other = { fid: 'another', key: 'fac_bbbbbbbbbbbbbbbb' };
    const early = notice({ fid: other.fid, auth: other.key });
    const said = judgeDeliveries(oracle, subscribe(), early, subscribe(other));
    expect(Object.values(said)).not.toEqual([]);
    expect(Object.values(said).every((one) => one === 'holds')).toBe(true);
  });

  test('so may one of the same callback, which another key registers', () => {
    const other = { key: 'fac_bbbbbbbbbbbbbbbb' };
    const said = judgeDeliveries(
      flightNotices,
      subscribe(),
      notice(),
      notice({ auth: other.key }),
      subscribe(other),
    );
    expect(Object.values(said).every((one) => one === 'holds')).toBe(true);
  });

  test('what neither fid nor key tie to a registration may be of an earlier one at its address', () => {
    const body = { fid: 'another-fid' };
    const said = judgeDeliveries(oracle, subscribe(), notice({ ...body, auth: 'fac_zzzzzzzzzzzzzzzz' }));
    expect(said['FLA-CB-006']).toBeUndefined();
    expect(said['FLA-CB-003']).not.toBe('value');
    expect(judgeDeliveries(oracle, subscribe(), notice(body))['FLA-CB-006']).toBe('altered');
  });

  test('nothing is said of an address that no subscribe registered, or that was refused', () => {
    expect(judgeDeliveries(oracle, notice({ method: 'PUT' }))).toEqual({});
    expect(judgeDeliveries(oracle, subscribe({ status: 409 }), notice({ auth: null }))).toEqual({});
  });
});

describe('the request', () => {
  const judged = (given: Parameters<typeof notice>[0]) =>
    judgeDeliveries(flightNotices, subscribe(), notice(given));

  test.each([
    ['FLA-CB-002', 'method', { method: 'PUT' }],
    ['FLA-CB-002', 'content-type', { headers: [['Content-Type', 'text/plain']] }],
    ['FLA-CB-002', 'content-type', { headers: [] }],
    ['FLA-CB-004', 'header', { more: [['X-Hub-Signature-256', 'sha256=00']] }],
    ['FLA-CB-004', 'body', { body: { fid, changes: {}, signature: 'x' } }],
    ['FLA-CB-005', 'object', { raw: '[]' }],
    ['FLA-CB-005', 'fid', { fid: 7 }],
    ['FLA-CB-005', 'changes', { changes: '{}' }],
    ['FLA-CB-007', 'flat', { changes: { 'departure.gate': 'B1' } }],
    ['FLA-CB-007', 'flat', { changes: { gate: 'B1' } }],
    ['FLA-CB-007', 'container', { changes: { stopover: 'KWI' } }],
    ['FLA-CB-007', 'leaf', { changes: { departure: { gate: { from: 'A', to: 'B' } } } }],
    ['FLA-CB-007', 'alternates', { changes: { alternateInfo: { status: 'x' } } }],
    ['FLA-CB-032', 'empty', { changes: {} }],
    ['FLA-CB-022', 'form', { changes: { arrival: { actualTime: '2026-03-20T08:00:00' } } }],
    ['FLA-CB-022', 'form', { changes: { alternateInfo: [{ departure: { scheduledTime: '8:00' } }] } }],
  ] as const)('%s is broken as %s', (rule, code, given) => {
    expect(judged(given as Parameters<typeof notice>[0])[rule]).toBe(code);
  });

  test.each([
    [
      'a charset',
      {
        headers: [
          ['content-type', 'application/json; charset=utf-8'],
          ['authorization', key],
        ],
      },
    ],
    [
      'tracing headers',
      {
        more: [
          ['traceparent', '00-0a'],
          ['X-Request-Id', '1'],
        ],
      },
    ],
    ['further members', { body: { event: 'x', fid, changes: { version: 2, departure: { gate: 'B1' } } } }],
    ['a cleared stopover', { changes: { stopover: null } }],
    ['no alternate routes', { changes: { alternateInfo: null } }],
    [
      'a blank and a zero time',
      { changes: { arrival: { actualTime: '', estimatedTime: '0000-00-00 00:00:00' } } },
    ],
  ] as const)('%s breaks no rule', (_, given) => {
    const said = Object.values(judged(given as Parameters<typeof notice>[0]));
    expect(said.filter((one) => one !== 'holds')).toEqual([]);
  });
});

describe('the key', () => {
  const judged = (...seen: Parameters<typeof judgeDeliveries> extends [unknown, ...infer R] ? R : never) =>
    judgeDeliveries(flightNotices, ...seen);

  test.each([
    ['absent', { auth: null }],
    ['absent', { auth: null, more: [['x-api-key', key]] as Headers }],
    ['value', { auth: `Bearer ${key}` }],
    ['value', { auth: key.toUpperCase() }],
    ['leak', { more: [['X-API-Key', 'secret of primary#1']] as Headers }],
  ])('an Authorization that is wrong is %s', (code, given) => {
    expect(judged(subscribe(), notice(given))['FLA-CB-003']).toBe(code);
  });

  test('a key that was lost with its answer may be any', () => {
    expect(judged(subscribe({ key: null }), notice({ auth: 'other' }))['FLA-CB-003']).toBe('unclear');
  });

  test('the fid tells whose key it is where several subscriptions have one address', () => {
    const both = [subscribe(), subscribe({ fid: 'other', key: 'fac_bbbbbbbbbbbbbbbb' })] as const;
    expect(judged(...both, notice({ fid: 'other' }))['FLA-CB-003']).toBe('value');
    expect(judged(...both, notice({ fid: 'other', auth: 'fac_bbbbbbbbbbbbbbbb' }))['FLA-CB-003']).toBe(
      'holds',
    );
  });

  test('a repetition carries the same key and fid, and one of what was taken is the permission used', () => {
    const failed = notice({ answer: '500' });
    expect(judged(subscribe(), failed, notice())).toMatchObject({ 'FLA-CB-020': 'holds' });
    expect(judged(subscribe(), failed, notice())).not.toHaveProperty('FLA-CB-015');
    expect(judged(subscribe(), notice(), notice())).toMatchObject({ 'FLA-CB-015': 'holds' });
    expect(judged(subscribe(), failed, notice({ auth: null }))['FLA-CB-020']).toBe('authorization');
    expect(judged(subscribe(), failed, notice({ fid: '7' }))['FLA-CB-020']).toBe('fid');
  });

  test('a supplied auth_header is not used', () => {
    const supplied = subscribe({ auth_header: 'Authorization: mine' });
    expect(judged(supplied, notice())['FLA-CBR-016']).toBe('holds');
    expect(judged(supplied, notice({ auth: 'mine' }))['FLA-CBR-016']).toBe('used');
  });
});

describe('the recipient', () => {
  const judged = (given: Parameters<typeof notice>[0]) =>
    judgeDeliveries(flightNotices, subscribe(), notice(given));

  test.each([
    ['FLA-CB-006', 'altered', { fid: '7 Cafe\u0301' }],
    ['FLA-CB-006', 'altered', { fid: fid.normalize('NFC') }],
    ['FLA-CB-006', 'type', { fid: 7 }],
    ['FLA-CB-030', 'address', { target: `/${testToken}/hook` }],
    ['FLA-CB-030', 'address', { target: `/${testToken}/hook/?x=1` }],
  ])('%s is broken as %s', (rule, code, given) => {
    expect(judged(given)[rule]).toBe(code);
  });

  test('what a proxy puts before the token is no part of the address', () => {
    expect(judged({ target: `/tunnel/${testToken}/hook?x=1` })['FLA-CB-030']).toBe('holds');
  });
});

describe('a callback that was notified before', () => {
  const again = () => notice({ changes: { departure: { gate: 'C2' } } });
  const asked = (callbackData: JsonObject | null, status = 200) =>
    exchange({
      ...{ operation: 'fla.subscribe', status, body: status === 200 ? { success: true } : {} },
      sent: legRequest(callbackData === null ? {} : { callbackData }),
    });
  const other = { fid, callbackUrl: 'https://sink.example.com/tokenOfNobodyElse/hook' };
  const rotated = notice({ auth: `${key}2`, changes: { departure: { gate: 'C2' } } });

  test.each([
    ['FLA-SUB-007', subscribe({ key: null })],
    ['FLA-CB-019', asked(null)],
    ['FLA-SUB-011', asked({ ...other, fid: 'another' }, 409)],
  ] as const)('has its key and fid still: %s', (rule, between) => {
    expect(judgeDeliveries(flightNotices, subscribe(), notice(), between, again())[rule]).toBe('holds');
    const said = judgeDeliveries(flightNotices, subscribe(), notice(), between, rotated);
    expect(said).toMatchObject({ [rule]: 'value' });
    expect(said['FLA-CB-003']).toBeUndefined();
  });

  test('is not notified where a refused change would have it', () => {
    const strayed = notice({ token: 'tokenOfNobodyElse' });
    const said = judgeDeliveries(flightNotices, subscribe(), asked(other, 409), strayed);
    expect(said['FLA-SUB-011']).toBe('strayed');
    expect(judgeDeliveries(flightNotices, subscribe(), strayed, asked(other, 409))['FLA-SUB-011']).toBe(
      undefined,
    );
  });
});

test('each enterprise has a key of its own', () => {
  const callbackData = { fid: 'theirs', callbackUrl: 'https://sink.example.com/tokenOfTheOtherOne/hook' };
  const theirs = exchange({
    ...{ operation: 'fla.subscribe', enterprise: 'other', sent: legRequest({ callbackData }) },
    body: { success: true, callbackApiKey: 'fac_bbbbbbbbbbbbbbbb' },
  });
  const judged = (auth: string) =>
    judgeDeliveries(flightNotices, subscribe(), theirs, notice({ auth }))['FLA-CB-021'];
  expect(judged(key)).toBe('holds');
  expect(judged('fac_bbbbbbbbbbbbbbbb')).toBe('enterprise');
});

test('a few notifications that all come twice are a habit', () => {
  const twice = ['A', 'B', 'C'].flatMap((gate) => {
    const one = notice({ changes: { departure: { gate } } });
    return [one, one];
  });
  expect(judgeDeliveries(flightNotices, subscribe(), ...twice)['FLA-CB-031']).toBe('habit');
});
