import { expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { alternateInfoForm, commonPrefix, storingForbidden } from './openFlightPoints.ts';

test.each([
  [{}, 'absent'],
  [{ alternateInfo: null }, 'null-value'],
  [{ alternateInfo: [] }, 'empty-array'],
  [{ alternateInfo: [{ status: 'diversion' }] }, null],
])('a leg %j shows alternate routes as %s', (leg, form) => {
  expect(alternateInfoForm(leg)).toBe(form);
});

const json = ['Content-Type', 'application/json'] as const;
const noStore = ['cache-control', 'private, No-Store'] as const;
const answer = (status: number, forbids: boolean) =>
  exchange({ operation: 'fla.subscribe', status, body: {}, headers: forbids ? [json, noStore] : [json] });

test.each([
  [false, false, 'lookup-only'],
  [true, false, 'subscribe-too'],
  [true, true, 'everywhere'],
  [false, true, null],
])('no-store on a subscribe %s and on an error %s is %s', (subscribe, error, variant) => {
  expect(storingForbidden(answer(200, subscribe), answer(404, error))).toBe(variant);
});

test('a common prefix is more than one character', () => {
  expect(commonPrefix('fac_abc', 'fac_xyz')).toBe('fac_');
  expect(commonPrefix('fab', 'fxy')).toBeNull();
});
