import { expect, test } from 'vitest';
import { errorBody, subscribed } from '../../../../test/support/judge/bodies.ts';
import { exchange } from '../../../../test/support/judge/exchanges.ts';
import { passenger } from '../../../../test/support/judge/passenger.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { knownBookings } from './knownBookings.ts';

const [id, other] = ['chk-1234567890', 'chk-0987654321'];
const leg = { airline: 'EK', flight_number: '3', origin: 'DXB', destination: 'LHR' };
const booking = {
  pnr: 'ABC123',
  flights: [{ ...leg, departure_datetime: '2026-03-29T10:30:00' }],
  passengers: [passenger],
};
const requestHeaders = [['content-type', 'application/json']] as const;
const shown = { status: 'SCHEDULED', missing_info: [] };

function judge(...evidence: readonly Exchange[]): readonly string[] {
  const watch = knownBookings.createWatch();
  for (const one of evidence) watch.exchange?.(one);
  return (watch.end?.() ?? []).map(({ requirement }) => requirement);
}

const subscribe = (at: number, more: object = {}, sent: object = {}) =>
  exchange({
    ...{ operation: 'wci.subscribe', at, requestHeaders, sent: { ...booking, ...sent } },
    body: subscribed({ checkin_id: id, ...shown, ...more }),
  });
const again = (at: number, sent: object = {}) => subscribe(at, { message: 'ALREADY_SUBSCRIBED' }, sent);
const list = (ids: readonly string[]) =>
  exchange({
    ...{ operation: 'wci.list', query: 'page=0&limit=100', at: 90_000 },
    body: {
      success: true,
      data: ids.map((one) => ({ ...booking.flights[0], ...shown, checkin_id: one, pnr: 'ABC123' })),
      pagination: { page: 0, limit: 100, total: ids.length, totalPages: 1 },
    },
  });
const status = (at: number, second: number) =>
  exchange({
    ...{ operation: 'wci.status', query: `checkin_id=${id}`, at },
    body: { success: true, checkin_id: id, ...shown, last_updated: `2026-03-01T12:00:0${second}.123Z` },
  });

test('a repeated subscribe adds no second item', () => {
  expect(judge(subscribe(0), again(60_000), list([id]))).toEqual([]);
  expect(judge(subscribe(0), subscribe(60_000, { checkin_id: other }), list([id, other]))).toContain(
    'WCI-SUB-019',
  );
  // Whether other passengers make another booking is open.
  const poorer = { passengers: [{ ...passenger, passport: null }] };
  const second = subscribe(60_000, { checkin_id: other, missing_info: ['passport'] }, poorer);
  expect(judge(subscribe(0), second, list([id, other]))).not.toContain('WCI-SUB-019');
});

test('a repeated subscribe does not move last_updated, unless that moves by itself', () => {
  const made = [subscribe(0), status(1000, 1)];
  expect(judge(...made, again(2000), status(3000, 1))).toEqual([]);
  expect(judge(...made, again(2000), status(3000, 2))).toEqual(['WCI-SUB-072']);
  expect(judge(...made, status(1500, 2), again(2000), status(3000, 3))).toEqual([]);
  const hooked = { callbackData: { callbackUrl: 'https://example.com', auth_header: 'X-API-Key: x' } };
  expect(judge(...made, again(2000, hooked), status(3000, 2))).toEqual([]);
  expect(judge(...made, again(2000), status(200_000, 2))).toEqual([]);
});

test('whoever can ask again is told of a list that is an internal error', () => {
  const failed = exchange({
    ...{ operation: 'wci.list', query: "status='", status: 500, body: errorBody('INTERNAL_ERROR') },
  });
  const told = knownBookings.createWatch().suspicion?.(failed) ?? [];
  expect(told.map(({ requirement }) => requirement)).toEqual(['WCI-LST-014']);
});
