import { expect, test } from 'vitest';
import { createIdentities } from './identity.ts';
import { unknownLike, unknownNumberLike } from './unknownLike.ts';

const take = (count: number, next: () => string) => Array.from({ length: count }, next);

test('record locators are six upper-case letters and digits, a letter first, all different', () => {
  const pnrs = take(20_000, createIdentities('run-1', 7).pnr);
  expect(pnrs.filter((pnr) => !/^[A-Z][A-Z0-9]{5}$/.test(pnr))).toEqual([]);
  expect(new Set(pnrs).size).toBe(pnrs.length);
});

test('the same run and seed give the same identities, another run gives others', () => {
  const first = take(50, createIdentities('run-1', 7).pnr);
  expect(take(50, createIdentities('run-1', 7).pnr)).toEqual(first);
  const others = [createIdentities('run-2', 7), createIdentities('run-1', 8)].flatMap(({ pnr }) =>
    take(50, pnr),
  );
  expect(others.filter((pnr) => first.includes(pnr))).toEqual([]);
  expect(take(9, createIdentities('a', 1).token)).toEqual(take(9, createIdentities('a', 1).token));
});

test('header values hold no colon, so that the header has exactly one', () => {
  const { authHeader, authValue } = createIdentities('run-1', 7);
  expect(authValue()).toMatch(/^Gatecheck-[a-z0-9]{12}-aZ$/);
  expect(authHeader().split(':')).toHaveLength(2);
});

test('external flight ids begin with zeros and differ', () => {
  const fids = take(1000, createIdentities('run-1', 7).fid);
  expect(fids[0]).toMatch(/^00gatecheck-/);
  expect(new Set(fids).size).toBe(1000);
});

test('flight numbers are clean, all different and never of ZZ, which stands for flights that nobody knows', () => {
  const numbers = take(20_000, createIdentities('run-1', 7).flightNumber);
  expect(numbers.filter((number) => !/^(?!ZZ)[A-Z]{2}[1-9]\d{3}$/.test(number))).toEqual([]);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test.each([
  ['3f2b8c1e-9a77-4d2e-8f00-1a2b3c4d5e6f', /^3f2b8c1e-9a77-4d2e-8f00-[1-9a-f]{12}$/],
  ['3F2B8C1E-9A77-4D2E-8F00-1A2B3C4D5E6F', /^3F2B8C1E-9A77-4D2E-8F00-[1-9A-F]{12}$/],
  ['chk_000123', /^chk_[1-9]{6}$/],
  ['WCI-01HZXK3', /^WCI-\d\d[A-Z]{4}\d$/],
  ['65f1c0ffee65f1c0ffee65f1', /^65f1c0ffee65[1-9a-f]{12}$/],
  ['4711', /^[1-9]{9}$/],
  ['id-7-', /^id-[1-9]{9}-$/],
  ['Zm9vYmFyYmF6', /^[A-Z][a-z]\d[a-z][A-Z][a-z][A-Z][a-z][A-Z][a-z][A-Z]\d$/],
])('an unknown id like %s has its shape, and another value for every salt', (id, shape) => {
  const unknown = [0, 1, 2].map((salt) => unknownLike(id, salt));
  for (const value of unknown) {
    expect(value).toMatch(shape);
    expect(value).not.toBe(id);
  }
  expect(unknownLike(id)).toBe(unknown[0]);
});

test('an unknown booking number is far beyond the real one and exact', () => {
  expect(unknownNumberLike(123)).toBe(900_000_123);
  expect(Number.isSafeInteger(unknownNumberLike(Number.MAX_SAFE_INTEGER))).toBe(true);
});
