import { expect, test } from 'vitest';
import { historyWithoutPassUrls, isFilledList, withoutPassUrls } from './passUrls.ts';
import { type WebhookEvent } from '../../spec/world/webhookEvent.ts';
import type { Shown } from '../../spec/world/shown.ts';
import { agreesWith } from './webhookOrder.ts';

const shown = (...passes: readonly string[]): Shown => ({
  status: 'COMPLETED',
  sub_status: 'BOARDING_PASS_AVAILABLE',
  checkin_message: null,
  missing_info: [],
  boarding_passes: passes,
});

const event = (...passes: readonly string[]) =>
  ({ changes: { status: 'COMPLETED', boarding_passes: passes } }) as unknown as WebhookEvent;

const change = (pushed: readonly string[], read: readonly string[]) =>
  withoutPassUrls({ before: shown(), after: shown(...read), events: [event(...pushed)], isOver: true });

test.each([
  { name: 'other URLs of as many passes agree', pushed: ['a', 'b'], read: ['c', 'd'], said: 'holds' },
  { name: 'fewer passes do not', pushed: ['a'], read: ['c', 'd'], said: 'violated' },
  { name: 'nor do none', pushed: [], read: ['c'], said: 'violated' },
])('$name', ({ pushed, read, said }) => {
  expect(agreesWith(change(pushed, read)).status).toBe(said);
});

test('a history keeps how many passes were shown and pushed', () => {
  const [from, to] = [shown(), shown('a')];
  const history = { checkinId: 'c', polled: [from, to], moves: [{ from, to }], updates: 0, isPartial: false };
  const rest = historyWithoutPassUrls({ ...history, events: [event('b')] });
  expect(rest.polled[1]?.boarding_passes).toEqual(rest.events[0]?.changes.boarding_passes);
  expect(rest.moves[0]?.from.boarding_passes).toEqual([]);
});

test('an empty list and what is no list are not filled', () => {
  expect([[1], [], null, 'text', undefined].map(isFilledList)).toEqual([true, false, false, false, false]);
});
