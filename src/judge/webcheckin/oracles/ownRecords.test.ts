import { expect, test } from 'vitest';
import { errorBody, statusBody, subscribed } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast, type ExchangeSketch } from '../../../../test/support/judge/exchanges.ts';

const headers = [
  ['Content-Type', 'application/json'],
  ['Date', 'Sun, 01 Mar 2026 12:00:00 GMT'],
] as const;
const id = 'chk-own-0001';
const made = { operation: 'wci.subscribe', body: subscribed({ checkin_id: id }), headers, at: 0 } as const;
const status = { operation: 'wci.status', query: `checkin_id=${id}`, headers } as const;
const lost = { ...status, status: 404, body: errorBody('NOT_FOUND') } as const;
const update = { operation: 'wci.update', status: 404, body: errorBody('NOT_FOUND'), headers } as const;

const judge = (...sketches: readonly ExchangeSketch[]) =>
  judgeLast(...(sketches.map(exchange) as [ReturnType<typeof exchange>])).violated;

test('a record that was made is found from then on', () => {
  expect(judge(made, { ...lost, at: 6_000 })).toEqual(['WCI-STS-001']);
  expect(judge(made, { ...lost, at: 150 })).toEqual(['WCI-STS-001']);
  expect(judge(made, { ...lost, query: `checkinId=${id}`, at: 6_000 })).toEqual(['WCI-STS-002']);
  expect(judge(made, { ...update, sent: { checkin_id: id }, at: 6_000 })).toEqual(['WCI-UPD-044']);
  expect(judge(made, { ...update, sent: { webcheckin_id: id }, at: 6_000 })).toEqual(['WCI-UPD-044']);
  const read = { ...status, body: statusBody({ checkin_id: id }), at: 200 };
  expect(judge(made, read, { ...lost, at: 400 })).toEqual(['WCI-STS-001']);
  expect(judge(made, { ...lost, status: 400, body: errorBody('VALIDATION_ERROR'), at: 6_000 })).toEqual([
    'WCI-STS-001',
  ]);
});

test('what was asked for before it was shown, foreign, long ago or asked for by two ids says nothing', () => {
  expect(judge({ ...made, at: 1_000 }, { ...lost, at: 500 })).toEqual([]);
  expect(judge(made, { ...lost, enterprise: 'other', key: 'other#1', at: 6_000 })).toEqual([]);
  const later = [headers[0], ['Date', 'Tue, 03 Mar 2026 12:00:00 GMT']] as const;
  expect(judge(made, { ...lost, headers: later, at: 6_000 })).toEqual([]);
  expect(judge(made, { ...lost, query: `checkin_id=none&checkinId=${id}`, at: 6_000 })).toEqual([]);
  expect(judge(made, { ...update, sent: { checkin_id: id, booking_id: 5 }, at: 6_000 })).toEqual([]);
});
