import { expect, test } from 'vitest';
import type { JsonObject } from '../kernel/body.ts';
import { changedBySubscribing } from './subscriptionTraces.ts';

const leg: JsonObject = { flightNumber: 'QR1', departure: { gate: null }, fetchedAt: 1 };

test.each<[string, JsonObject, JsonObject, string, string]>([
  ['nothing', leg, leg, 'holds', 'holds'],
  ['a value that changes with every answer', leg, { ...leg, fetchedAt: 2 }, 'holds', 'holds'],
  ['a member', leg, { ...leg, subscriptionId: 'sub_1' }, 'violated', 'violated'],
  ['a member inside', leg, { ...leg, departure: { gate: null, watched: true } }, 'violated', 'holds'],
  ['a flag', { ...leg, isSubscribed: false }, { ...leg, isSubscribed: true }, 'holds', 'violated'],
  ['a member that goes', { ...leg, note: 1 }, leg, 'violated', 'holds'],
])('a subscription changes %s', (_, before, after, members, traces) => {
  const judged = changedBySubscribing(before, after);
  expect([judged.members.status, judged.traces.status]).toEqual([members, traces]);
});

test('a leg that is not shown tells nothing', () => {
  expect(changedBySubscribing(null, leg).members.status).toBe('unclear');
});
