import { describe, expect, test } from 'vitest';
import {
  delivery,
  webhookEvent,
  webhookSubscribe,
  type DeliverySketch,
} from '../../../../test/support/judge/deliveries.ts';
import { testStart } from '../../../../test/support/judge/exchanges.ts';
import { webhookRequest } from './webhookRequest.ts';

const event = (minute: number): DeliverySketch => ({
  body: webhookEvent({ status: 'IN_PROGRESS' }, { occurredAt: `2026-08-01T10:0${minute}:00.000Z` }),
});

function saidAtTheEnd(...seen: readonly DeliverySketch[]) {
  const watch = webhookRequest.createWatch();
  watch.exchange?.(webhookSubscribe());
  for (const sketch of seen) watch.delivery?.(delivery(sketch));
  return (watch.end?.() ?? []).map(({ requirement, judgement }) => [requirement, judgement.status]);
}

describe('the repetition of an event', () => {
  const kept = [
    ['WCI-CB-016', 'holds'],
    ['WCI-CB-081', 'holds'],
  ];

  test('events that come once each are no habit', () => {
    expect(saidAtTheEnd(event(1), event(2), event(3))).toEqual(kept);
  });

  test('that each comes twice is told of a queue that delivers at least once', () => {
    const seen = [event(1), event(2), event(1), event(3), event(2), event(3)];
    expect(saidAtTheEnd(...seen)).toEqual([
      ['WCI-CB-016', 'holds'],
      ['WCI-CB-081', 'violated'],
    ]);
  });

  test('that each comes again that was answered 204, and none that was answered 200, is a 2xx that does not count', () => {
    const empty = [1, 2, 3].map((minute) => ({ ...event(minute), answer: '204' }));
    expect(saidAtTheEnd(...empty, ...empty, event(4), event(5), event(6))).toEqual([
      ['WCI-CB-016', 'violated'],
    ]);
  });

  test('an answer after which some come twice is spared by nobody', () => {
    const empty = [1, 2, 3].map((minute) => ({ ...event(minute), answer: '204' }));
    const full = [4, 5, 6, 7, 8].map(event);
    expect(saidAtTheEnd(...empty, ...full, ...full, ...empty.slice(0, 1))).toEqual([
      ['WCI-CB-016', 'holds'],
      ['WCI-CB-081', 'violated'],
    ]);
  });

  test('some that come twice, as queues deliver them, are none', () => {
    const seven = [1, 2, 3, 4, 5, 6, 7].map(event);
    expect(saidAtTheEnd(...seven, event(1), event(2), event(3))).toEqual(kept);
  });

  test('events that are repeated until they are answered 2xx are none', () => {
    const failed = [1, 2, 3].map((minute) => ({ ...event(minute), answer: '503' }));
    expect(saidAtTheEnd(...failed, event(1), event(2), event(3))).toEqual(kept);
  });

  test('events that are answered late may have been given up before, and are none', () => {
    const late = [1, 2, 3].map((minute) => ({ ...event(minute), answer: '200 after 8000 ms' }));
    expect(saidAtTheEnd(...late, event(1), event(2), event(3))).toEqual(kept);
  });

  test('one event that came twice more is repeated; equal ones of one second may be several', () => {
    const later = (ms: number) => ({
      ...delivery(event(1)),
      startedAt: testStart + ms,
      receivedAt: testStart + ms,
    });
    const said = [2_000, 10].map((ms) => {
      const watch = webhookRequest.createWatch();
      watch.exchange?.(webhookSubscribe());
      for (const times of [0, 1, 2]) watch.delivery?.(later(ms * times));
      return (watch.end?.() ?? []).map(({ requirement, judgement }) => [requirement, judgement.status]);
    });
    expect(said).toEqual([[['WCI-CB-016', 'violated']], []]);
  });

  test('two events say nothing', () => {
    expect(saidAtTheEnd(event(1), event(1), event(2), event(2))).toEqual([]);
  });
});
