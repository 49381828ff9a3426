import { expect, test } from 'vitest';
import { PendingLooks } from './pendingLooks.ts';

test('each look that finds nothing pending is evidence, and the first that finds something again', () => {
  const looks = new PendingLooks();
  const told = [3, 2, 0, 0, 1, 2, 0].map((pending) => looks.isNews({ pending }));
  expect(told).toEqual([false, false, true, true, true, false, true]);
});
