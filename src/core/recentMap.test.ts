import { expect, test } from 'vitest';
import { RecentMap } from './recentMap.ts';

test('the latest entries are kept, and those that had to go are counted', () => {
  const map = new RecentMap<string, number>(3);
  for (const [index, name] of ['a', 'b', 'c', 'a', 'd', 'e'].entries()) map.set(name, index);
  expect([...map]).toEqual([
    ['c', 2],
    ['d', 4],
    ['e', 5],
  ]);
  expect(map.forgotten).toBe(2);
});

test('what is deleted makes room, and is not counted as forgotten', () => {
  const map = new RecentMap<string, number>(1);
  map.set('a', 1);
  map.delete('a');
  map.set('b', 2);
  expect([map.size, map.forgotten]).toEqual([1, 0]);
});
