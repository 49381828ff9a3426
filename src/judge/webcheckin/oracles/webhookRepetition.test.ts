import { describe, expect, test } from 'vitest';
import {
  delivery,
  webhookEvent,
  webhookSubscribe,
  type DeliverySketch,
} from '../../../../test/support/judge/deliveries.ts';
import { webhookRepetition } from './webhookRepetition.ts';

const event = (minute: number): DeliverySketch => ({
  body: webhookEvent({ status: 'IN_PROGRESS' }, { occurredAt: `2026-08-01T10:0${minute}:00.000Z` }),
});

function saidAtTheEnd(...seen: readonly DeliverySketch[]) {
  const watch = webhookRepetition.createWatch();
  watch.exchange?.(webhookSubscribe());
  for (const sketch of seen) expect(watch.delivery?.(delivery(sketch))).toEqual([]);
  return (watch.end?.() ?? []).map(({ requirement, judgement }) => [requirement, judgement.status]);
}

describe('webhookRepetition', () => {
  test('events that come once each are no habit', () => {
    expect(saidAtTheEnd(event(1), event(2), event(3))).toEqual([['WCI-CB-016', 'holds']]);
  });

  test('events that come again after a 2xx are one, whatever lies between', () => {
    const seen = [event(1), event(2), event(1), event(3), event(2), event(3), event(3)];
    expect(saidAtTheEnd(...seen)).toEqual([['WCI-CB-016', 'violated']]);
  });

  test('some that come twice, as queues deliver them, are none', () => {
    const seven = [1, 2, 3, 4, 5, 6, 7].map(event);
    expect(saidAtTheEnd(...seven, event(1), event(2), event(3))).toEqual([['WCI-CB-016', 'holds']]);
  });

  test('events that are repeated until they are answered 2xx are none', () => {
    const failed = [1, 2, 3].map((minute) => ({ ...event(minute), answer: '503' }));
    expect(saidAtTheEnd(...failed, event(1), event(2), event(3))).toEqual([['WCI-CB-016', 'holds']]);
  });

  test('events that are answered late may have been given up before, and are none', () => {
    const late = [1, 2, 3].map((minute) => ({ ...event(minute), answer: '200 after 8000 ms' }));
    expect(saidAtTheEnd(...late, event(1), event(2), event(3))).toEqual([['WCI-CB-016', 'holds']]);
  });

  test('two events say nothing', () => {
    expect(saidAtTheEnd(event(1), event(1), event(2), event(2))).toEqual([]);
  });
});
