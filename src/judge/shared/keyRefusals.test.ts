import { describe, expect, test } from 'vitest';
import { errorBody, listBody, statusBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../core/evidence.ts';
import { keyRefusals } from './keyRefusals.ts';

const read = (sketch: Partial<ExchangeSketch>) =>
  exchange({
    ...{ operation: 'wci.status', query: 'checkin_id=a', enterprise: null, key: null },
    ...(sketch.status === undefined ? { body: statusBody({ checkin_id: 'a' }) } : { body: errorBody('NO') }),
    ...sketch,
  });
const withHeaders = (...requestHeaders: (readonly [string, string])[]) => ({ requestHeaders });
const upload = withHeaders(['Content-Type', 'multipart/form-data; boundary=b']);
const refused = (sketch: Partial<ExchangeSketch> = {}) => read({ status: 401, ...sketch });

const ofKeys = (...all: readonly Exchange[]) =>
  judgeLast(...all).violated.filter((id) => id.startsWith('SHR-AUT') || id === 'WCI-MP-017');

describe('what lets a request in that has no usable key breaks the row of its kind', () => {
  test.each<[string, Partial<ExchangeSketch>, string]>([
    ['no key', {}, 'SHR-AUT-001'],
    ['no key to flights', { operation: 'fla.lookup', query: 'flightNumber=EK3', body: [] }, 'SHR-AUT-002'],
    ['no key, and an error of the record', { status: 404 }, 'SHR-AUT-001'],
    ['an empty key', { key: 'empty', ...withHeaders(['X-API-Key', '']) }, 'SHR-AUT-003'],
    ['an unknown key', { key: 'unknown' }, 'SHR-AUT-004'],
    [
      'a key in quotation marks',
      { key: 'quotation marks', ...withHeaders(['X-API-Key', '"k"']) },
      'SHR-AUT-005',
    ],
    ['no key, with an upload', { operation: 'wci.update', ...upload }, 'WCI-MP-017'],
  ])('%s', (_kind, sketch, row) => {
    expect(ofKeys(read(sketch))).toEqual([row]);
    expect(ofKeys(read({ ...sketch, status: 429 }))).toEqual([]);
    expect(ofKeys(read({ ...sketch, status: 503 }))).toEqual([]);
    expect(judgeLast(read({ ...sketch, status: 401 })).holds).toContain(row);
  });
});

test('one value near a key may be a key as well, two of a kind are none', () => {
  const near = (value: string) =>
    read({ key: 'last character changed', ...withHeaders(['X-API-Key', value]) });
  expect(ofKeys(near('abc1'), near('abc1'))).toEqual([]);
  expect(ofKeys(near('abc1'), near('abc2'))).toEqual(['SHR-AUT-005']);
});

test('a revoked key has a minute from the first exchange on', () => {
  const active = exchange({ operation: 'wci.list', body: listBody([]), at: 0 });
  const revoked = (at: number) => read({ key: 'revoked', at });
  expect(ofKeys(active, revoked(58_000))).toEqual([]);
  expect(ofKeys(active, revoked(60_000))).toEqual(['SHR-AUT-006']);
  expect(ofKeys(active, read({ key: 'disabled', at: 60_000 }))).toEqual(['SHR-AUT-007']);
  expect(ofKeys(revoked(60_000))).toEqual([]);
});

test('a 400 comes before the key where the same is refused with 401 otherwise, before or after it', () => {
  const invalid = read({ status: 400 });
  expect(ofKeys(invalid)).toEqual([]);
  expect(ofKeys(refused(), invalid)).toEqual(['SHR-AUT-010']);
  expect(ofKeys(invalid, refused())).toEqual(['SHR-AUT-010']);
  expect(ofKeys(refused({ key: 'unknown' }), invalid)).toEqual([]);
});

test('a key in another place opens what is closed without a key', () => {
  const bearer = read(withHeaders(['Authorization', 'Bearer k']));
  expect(ofKeys(bearer)).toEqual([]);
  expect(ofKeys(bearer, refused())).toEqual(['SHR-AUT-011']);
  expect(ofKeys(refused(), bearer)).toEqual(['SHR-AUT-011']);
});

test.each(['letter case changed', 'recorded#1', 'primary#1', 'exhausted'])('nothing is said of %s', (key) => {
  expect(ofKeys(read({ key }))).toEqual([]);
});

test('a request that is refused for its key although it is invalid as well keeps the order of processing', () => {
  expect(judgeLast(refused({ query: '' })).holds).toContain('SHR-AUT-010');
  expect(judgeLast(refused()).holds).not.toContain('SHR-AUT-010');
});

test('a flawless read that is answered 400 breaks the row of its key', () => {
  const list = { operation: 'wci.list', query: 'limit=1', key: 'empty' } as const;
  expect(ofKeys(read({ ...list, status: 400, ...withHeaders(['X-API-Key', '']) }))).toEqual(['SHR-AUT-003']);
});

test.each(['/', ';a=1', '.json'])(
  'a path with %s behind it opens nothing that is closed without a key',
  (end) => {
    const list = refused({ operation: 'wci.list', query: 'limit=1' });
    const spelled = (status: number) => {
      const one = read({ operation: 'wci.list', query: 'limit=1', status, body: listBody([]) });
      const target = one.request.target.replace('?', `${end}?`);
      return { ...one, operation: null, request: { ...one.request, target } };
    };
    expect(ofKeys(spelled(200))).toEqual([]);
    expect(ofKeys(list, spelled(200))).toEqual(['SHR-AUT-001']);
    expect(ofKeys(list, spelled(404))).toEqual([]);
  },
);

test('an operation that is never there breaks the rule for paths, at the end', () => {
  const watch = keyRefusals.createWatch();
  const absent = exchange({ operation: 'wci.list', status: 404, body: '' });
  const judge = (...all: readonly Exchange[]) => {
    for (const one of all) watch.exchange?.(one);
    return watch.end?.().map(({ requirement }) => requirement);
  };
  expect(judge(absent)).toEqual(['SHR-AUT-023']);
  expect(judge(exchange({ operation: 'wci.list', status: 415, raw: '<html></html>' }))).toEqual([
    'SHR-AUT-023',
  ]);
  expect(judge(exchange({ operation: 'wci.list', body: listBody([]) }))).toEqual([]);
});
