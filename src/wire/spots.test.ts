import { expect, test } from 'vitest';
import { editSpots, type Spot } from './json.ts';

const list = {
  data: [
    { id: 'a', tags: ['x', 'y'] },
    { id: 'b', tags: [] },
  ],
  total: 2,
};

test('every place has a path, and knows the objects around it', () => {
  const seen: Spot[] = [];
  editSpots(list, (spot) => {
    seen.push(spot);
    return spot.value;
  });
  expect(seen.map(({ path }) => path)).toEqual([
    '',
    'data',
    'data[]',
    'data[].id',
    'data[].tags',
    'data[].tags[]',
    'data[].tags[]',
    'data[]',
    'data[].id',
    'data[].tags',
    'total',
  ]);
  expect(seen.find(({ value }) => value === 'b')?.around).toEqual([list.data[1], list]);
});

test('an edit reaches every place, and does not enter what it made', () => {
  const edited = editSpots(list, ({ path, value }) => {
    if (path === 'data[].tags') return [{ id: 'new' }];
    return path.endsWith('id') ? 'edited' : value;
  });
  const tags = [{ id: 'new' }];
  expect(edited).toEqual({
    data: [
      { id: 'edited', tags },
      { id: 'edited', tags },
    ],
    total: 2,
  });
});

test('a value in which nothing is edited stays the same one', () => {
  expect(editSpots(list, ({ value }) => value)).toBe(list);
});
