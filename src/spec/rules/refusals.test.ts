import { expect, test } from 'vitest';
import { errorBody, item, listBody, subscribed } from '../../../test/support/judge/bodies.ts';
import { exchange, type ExchangeSketch } from '../../../test/support/judge/exchanges.ts';
import type { JsonObject } from '../../trace/body.ts';
import { callOf } from '../../trace/call.ts';
import { sightsIn } from '../world/sights.ts';
import { Refusals } from './refusals.ts';

const refused = {
  operation: 'wci.subscribe',
  status: 400,
  body: errorBody('VALIDATION_ERROR'),
  sent: { pnr: 'ABC123', flights: [] },
} as const;
const listed = { operation: 'wci.list', body: listBody([item({ pnr: 'ABC123' })]) } as const;

const judge = (...sketches: readonly ExchangeSketch[]) => {
  const refusals = new Refusals();
  for (const one of sketches.map(exchange)) {
    const call = callOf(one);
    if (call) refusals.learn(call);
    for (const sight of sightsIn(one)) refusals.see(sight);
  }
  return refusals.end().map(([rule]) => rule);
};

test('a booking that was refused is not listed to anybody', () => {
  expect(judge(refused, listed)).toEqual(['WCI-SUB-067']);
  expect(judge({ ...refused, status: 402, body: errorBody('QUOTA_EXHAUSTED') }, listed)).toEqual([
    'WCI-QTA-007',
  ]);
  const unknown = { ...refused, status: 401, body: errorBody('UNAUTHORIZED'), enterprise: null, key: null };
  expect(judge(unknown, listed)).toEqual(['SHR-AUT-013']);
  expect(judge({ ...refused, status: 429, body: errorBody('RATE_LIMITED') }, listed)).toEqual([
    'SHR-LIM-023',
  ]);
  expect(judge(refused, { ...listed, enterprise: 'other', key: 'other#1' })).toEqual(['WCI-SUB-067']);
  const parts = '--x\r\nContent-Disposition: form-data; name="pnr"\r\n\r\nABC123\r\n--x--\r\n';
  expect(judge({ ...refused, sent: undefined, sentRaw: parts }, listed)).toEqual(['WCI-SUB-067']);
});

test('a list keeps the rule of a refusal if it shows whatever was written since, and nothing of it', () => {
  const kept = (...sketches: readonly ExchangeSketch[]) => {
    const [refusals, said] = [new Refusals(), new Set<string>()];
    for (const one of sketches.map(exchange)) {
      const call = callOf(one);
      if (!call) continue;
      refusals.learn(call);
      for (const sight of sightsIn(one)) refusals.see(sight);
      refusals.judge(call, ([rule]) => void said.add(rule));
    }
    return [...said];
  };
  const list = (items: readonly JsonObject[], more: JsonObject, at: number) =>
    ({ operation: 'wci.list', body: listBody(items, more), at }) as const;
  const one = (checkin_id: string, day: number) =>
    item({ checkin_id, pnr: 'XYZ789', created_at: `2026-07-0${day}T00:00:00.000Z` });
  const sent = { ...refused, at: 1000 };
  expect(kept(sent, list([one('a', 1)], {}, 2000))).toEqual(['WCI-SUB-067']);
  expect(kept(list([one('a', 1)], {}, 0), { ...refused, at: 1000 })).toEqual([]);
  const half = { limit: 2, total: 4, totalPages: 2 };
  const newest = list([one('c', 3), one('a', 1)], half, 2000);
  expect(kept(sent, newest)).toEqual([]);
  expect(kept(list([one('b', 2), one('a', 1)], half, 0), sent, newest)).toEqual(['WCI-SUB-067']);
  expect(kept(sent, { ...listed, at: 2000 })).toEqual([]);
});

test('one that may have been taken as well, by whatever enterprise, may be', () => {
  const taken = { operation: 'wci.subscribe', body: subscribed(), sent: { pnr: 'ABC123' } } as const;
  expect(judge(taken, refused, listed)).toEqual([]);
  expect(judge(refused, taken, listed)).toEqual([]);
  expect(judge(refused, { ...taken, lost: true }, listed)).toEqual([]);
  const renamed = {
    operation: 'wci.update',
    sent: { payload: { pnr: 'ABC123' } },
    status: 422,
    body: errorBody('REJECTED'),
  } as const;
  expect(judge(refused, renamed, listed)).toEqual([]);
  expect(judge(refused, { ...taken, enterprise: 'other', key: 'other#1' }, listed)).toEqual([]);
});

test('a booking that was refused for its key, or for lack of a unit, is new to the next subscribe', () => {
  const unknown = { ...refused, status: 401, body: errorBody('UNAUTHORIZED'), enterprise: null, key: null };
  const subscribe = (message: string) =>
    ({ operation: 'wci.subscribe', body: subscribed({ message }), sent: { pnr: 'ABC123' } }) as const;
  expect(judge(unknown, subscribe('ALREADY_SUBSCRIBED'))).toEqual(['SHR-AUT-013']);
  const unpaid = { ...refused, status: 402, body: errorBody('QUOTA_EXHAUSTED') };
  expect(judge(unpaid, subscribe('ALREADY_SUBSCRIBED'))).toEqual(['WCI-QTA-007']);
  expect(judge(unknown, subscribe('SCHEDULED'), subscribe('ALREADY_SUBSCRIBED'))).toEqual([]);
  expect(judge(refused, subscribe('ALREADY_SUBSCRIBED'))).toEqual([]);
  expect(judge(subscribe('ALREADY_SUBSCRIBED'), unknown)).toEqual([]);
});

test('a rejected journey may be listed as one that failed', () => {
  const failed = { ...listed, body: listBody([item({ pnr: 'ABC123', status: 'FAILED' })]) };
  expect(judge(refused, failed)).toEqual([]);
});

test('a request that is answered after the list may have made it, unless it was sent after the list', () => {
  const taken = (at: number) =>
    ({
      operation: 'wci.subscribe',
      body: subscribed(),
      sent: { pnr: 'ABC123' },
      at,
      until: at + 900,
    }) as const;
  const list = { ...listed, at: 1000, until: 1100 };
  expect(judge(refused, list, taken(900))).toEqual([]);
  expect(judge(refused, list, taken(2000))).toEqual(['WCI-SUB-067']);
});
