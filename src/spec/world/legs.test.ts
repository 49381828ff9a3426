import { expect, test } from 'vitest';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { shownLegs } from './legs.ts';

test('of a lookup with very many legs, the first ones are judged', () => {
  const body = Array.from({ length: 20_000 }, (_, index) => ({ fid: String(index) }));
  const legs = shownLegs(exchange({ operation: 'fla.lookup', body }));
  expect(legs).toHaveLength(500);
  expect(legs.at(-1)).toEqual({ at: '[499]', leg: { fid: '499' } });
});
