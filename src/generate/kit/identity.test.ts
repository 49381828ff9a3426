import { expect, test } from 'vitest';
import { createIdentities } from './identity.ts';
import { createRandom } from '../../core/random.ts';
import { unknownLike, unknownNumber } from './unknownLike.ts';

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
  ['4711', /^[1-9]\d{8}$/],
  ['id-7-', /^id-[1-9]{9}-$/],
  ['Zm9vYmFyYmF6', /^[A-Z][a-z]\d[a-z][A-Z][a-z][A-Z][a-z][A-Z][a-z][A-Z]\d$/],
])('an unknown id like %s has its shape, and another value for every salt', (id, shape) => {
  const unknown = [0, 1, 2].map((salt) => unknownLike(id, new Set(), salt));
  for (const value of unknown) {
    expect(value).toMatch(shape);
    expect(value).not.toBe(id);
  }
  expect(unknownLike(id)).toBe(unknown[0]);
});

test('an unknown id is none of those that were seen, and a number far from them', () => {
  const first = unknownLike('chk-7f');
  expect(unknownLike('chk-7f', new Set([first]))).not.toBe(first);
  const rising = Array.from({ length: 2000 }, (_, index) => String(345_000 + index));
  const other = Number(unknownLike('345678', new Set(rising)));
  expect([other > 450_000, other < 1_000_000]).toEqual([true, true]);
});

const most = Number.MAX_SAFE_INTEGER;
const random = createRandom(7);

test.each<[how: string, at: (index: number) => number, highest: number]>([
  ['rise from 1', (index) => index + 1, 2 ** 31],
  ['rise from some number', (index) => 712_345 + index, 2 ** 31],
  ['rise from far', (index) => 2 ** 31 - 5000 + index, 2 ** 31],
  ['rise beyond 32 bits', (index) => 2 ** 33 + index, most],
  ['fall from the largest', (index) => most - index, most],
  ['fall from the largest of 32 bits', (index) => 2 ** 31 - 1 - index, 2 ** 31],
  ['are random', () => Math.floor(random() * most), most],
  ['are random of 31 bits', () => Math.floor(random() * 2 ** 31), 2 ** 31],
])('an unknown booking number is far from numbers that %s, and of their size', (_how, at, highest) => {
  const all = Array.from({ length: 4000 }, (_, index) => at(index));
  // A run sees one record in ten; the others are those of others, and of later.
  const seen = all.filter((_, index) => index % 10 === 0 && index < 2000);
  const unknown = [0, 1, 2, 3].map((salt) => unknownNumber(seen, salt));
  expect(new Set(unknown).size).toBe(4);
  for (const number of unknown) {
    expect(Number.isSafeInteger(number) && number > 0 && number < highest).toBe(true);
    expect(all).not.toContain(number);
  }
});
