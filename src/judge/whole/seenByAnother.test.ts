import { expect, test } from 'vitest';
import { statusBody } from '../../../test/support/judge/bodies.ts';
import { exchange, testStart } from '../../../test/support/judge/exchanges.ts';
import type { Exchange } from '../../core/evidence.ts';
import { seenByAnother } from './seenByAnother.ts';

const checkinId = 'chk-0000000001';
const shown = (sender: string | null, updatedMs: number, at: number): Exchange => {
  const one = exchange({
    operation: 'wci.status',
    query: `checkin_id=${checkinId}`,
    at,
    body: statusBody({
      checkin_id: checkinId,
      last_updated: new Date(testStart + updatedMs).toISOString(),
    }),
  });
  return sender === null ? one : { ...one, id: `${sender}/${one.id}` };
};
const judged = (...exchanges: readonly Exchange[]) => {
  const watch = seenByAnother.createWatch();
  return exchanges.flatMap((one) => watch.exchange?.(one) ?? []).map(({ judgement }) => judgement.status);
};

test('an older state that another sender is shown long after is seen', () => {
  expect(judged(shown('w1', 10_000, 11_000), shown('w2', 2000, 30_000))).toEqual(['violated']);
  expect(judged(shown('w1', 10_000, 11_000), shown('w2', 10_000, 30_000))).toEqual(['holds']);
  expect(judged(shown('w1', 10_000, 11_000), shown('w2', 12_000, 30_000))).toEqual(['holds']);
});

test('soon after, within what clocks differ by, or by the same sender, it says nothing against anybody', () => {
  expect(judged(shown('w1', 10_000, 11_000), shown('w2', 2000, 14_000))).toEqual([]);
  expect(judged(shown('w1', 10_000, 11_000), shown('w2', 8000, 30_000))).toEqual(['holds']);
  expect(judged(shown('w1', 10_000, 11_000), shown('w1', 2000, 30_000))).toEqual([]);
  expect(judged(shown(null, 10_000, 11_000), shown(null, 2000, 30_000))).toEqual([]);
});
