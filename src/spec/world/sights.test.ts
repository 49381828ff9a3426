import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { sightsIn } from './sights.ts';

test('of a list with very many items, the first ones are judged, and what is no object is left to other rules', () => {
  const data = [null, ...Array.from({ length: 20_000 }, (_, index) => ({ checkin_id: String(index) }))];
  const sights = sightsIn(exchange({ operation: 'wci.list', body: { success: true, data } }));
  expect(sights).toHaveLength(999);
  expect(sights[0]).toMatchObject({ by: 'list', at: 'data[1]', record: { checkin_id: '0' } });
});
