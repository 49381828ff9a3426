import { describe, expect, test } from 'vitest';
import { errorBody, listBody, statusBody } from '../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../core/evidence.ts';

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
