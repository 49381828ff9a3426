import { describe, expect, test } from 'vitest';
import { scheduled, started, webhookEvents } from '../../test/support/judge/webhookEvents.ts';
import { type Shown } from '../checks.ts';
import { historyWithoutPassUrls, pushesNothingElse, type WebhookHistory } from './webhookHistory.ts';

const failed: Shown = { ...scheduled, status: 'FAILED', sub_status: 'REFUSED' };

/** A record that was started and failed, and the events of it, a second apart. */
function tale(changes: readonly object[], given: Partial<WebhookHistory> = {}): WebhookHistory {
  const events = webhookEvents(changes);
  return {
    checkinId: 'wci_first_of_all',
    polled: [scheduled, started, failed],
    moves: [
      { from: scheduled, to: started },
      { from: started, to: failed },
    ],
    updates: 0,
    events,
    isPartial: false,
    ...given,
  };
}

const toStarted = { status: 'IN_PROGRESS', sub_status: 'STARTED' };
const toFailed = { status: 'FAILED', sub_status: 'REFUSED' };

describe('pushesNothingElse', () => {
  test('a tale of every change is true', () => {
    expect(pushesNothingElse(tale([toStarted, toFailed])).status).toBe('holds');
  });

  test('values that were never polled together are no truth', () => {
    expect(pushesNothingElse(tale([{ ...toStarted, sub_status: 'REFUSED' }])).status).toBe('violated');
  });

  test('an event without changes is no lie', () => {
    expect(pushesNothingElse(tale([{}])).status).toBe('holds');
  });
});

test('a history keeps how many passes were shown and pushed', () => {
  const [from, to]: readonly Shown[] = [scheduled, { ...scheduled, boarding_passes: ['a'] }];
  if (!from || !to) return;
  const events = webhookEvents([{ boarding_passes: ['b'] }]);
  const history = { checkinId: 'c', polled: [from, to], moves: [{ from, to }], updates: 0, isPartial: false };
  const rest = historyWithoutPassUrls({ ...history, events });
  expect(rest.polled[1]?.boarding_passes).toEqual(rest.events[0]?.changes.boarding_passes);
  expect(rest.moves[0]?.from.boarding_passes).toEqual([]);
});
