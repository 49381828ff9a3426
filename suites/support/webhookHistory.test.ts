import { describe, expect, test } from 'vitest';
import { delivery, webhookEvent } from '../../test/support/judge/deliveries.ts';
import { scheduled, started, webhookEvents } from '../../test/support/judge/webhookEvents.ts';
import { type Shown, eventOf } from '../checks.ts';
import {
  historyWithoutPassUrls,
  historyWithoutText,
  pushesEverything,
  pushesNothingTwice,
  pushesNothingElse,
  type WebhookHistory,
} from './webhookHistory.ts';

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

test('a tale of every change, each once, is whole and true', () => {
  const whole = tale([toStarted, toFailed]);
  const said = [pushesNothingElse, pushesEverything, pushesNothingTwice].map((judge) => judge(whole).status);
  expect(said).toEqual(['holds', 'holds', 'holds']);
});

test('what is told in several events, each of fields of its own, is told once', () => {
  const created = [{ status: 'SCHEDULED' }, { sub_status: 'COMPLETE_INFO' }];
  expect(pushesNothingTwice(tale(created)).status).toBe('holds');
  expect(pushesNothingTwice(tale([...created, ...created])).status).toBe('violated');
});

test('events of nothing but a text for people, whose words may differ, are no idle ones', () => {
  const changes = [{ ...toStarted }, { checkin_message: 'One' }, toFailed, { checkin_message: 'Another' }];
  const told = historyWithoutText(tale(changes));
  expect(pushesNothingTwice(told).status).toBe('holds');
});

describe('pushesNothingElse', () => {
  test('values that were never polled together are no truth', () => {
    expect(pushesNothingElse(tale([{ ...toStarted, sub_status: 'REFUSED' }])).status).toBe('violated');
  });

  test('an event without changes is no lie', () => {
    expect(pushesNothingElse(tale([{}])).status).toBe('holds');
  });
});

describe('pushesEverything', () => {
  test('a change that was not pushed is missing', () => {
    expect(pushesEverything(tale([toStarted])).status).toBe('violated');
  });

  test('one that may have been lost is not', () => {
    expect(pushesEverything(tale([toStarted], { isPartial: true })).status).toBe('unclear');
  });

  test('an event of another status does not stand for it', () => {
    expect(pushesEverything(tale([toStarted, { checkin_message: 'Waiting.' }])).status).toBe('violated');
  });
});

describe('pushesNothingTwice', () => {
  test.each([
    { name: 'a creation', changes: [scheduled, toStarted, toFailed], updates: 0, said: 'holds' },
    {
      name: 'a creation and an update',
      changes: [scheduled, { missing_info: [] }, toStarted, toFailed],
      updates: 1,
      said: 'holds',
    },
    {
      name: 'a second event of nothing',
      changes: [scheduled, toStarted, { status: 'IN_PROGRESS' }, toFailed],
      updates: 0,
      said: 'violated',
    },
    { name: 'a state that comes back', changes: [toStarted, toFailed, toStarted], updates: 0, said: 'holds' },
  ])('$name: $said', ({ changes, updates, said }) => {
    expect(pushesNothingTwice(tale(changes, { updates })).status).toBe(said);
  });

  test('nothing is said where a callback may have been lost', () => {
    const changes = [toStarted, toStarted, toStarted];
    expect(pushesNothingTwice(tale(changes, { isPartial: true })).status).toBe('unclear');
  });
});

test('events that arrive in order are no repetition where their times are of two clocks', () => {
  const at = (seconds: string, changes: object) =>
    eventOf(delivery({ body: webhookEvent(changes, { occurredAt: `2026-03-01T12:00:${seconds}Z` }) })) ?? [];
  const again = { ...toStarted, checkin_message: 'Again.' };
  const events = [at('02.000', toStarted), at('00.100', toFailed), at('02.100', again)].flat();
  expect(pushesNothingTwice(tale([], { events, polled: [{ ...scheduled, ...toFailed }] })).status).toBe(
    'holds',
  );
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
