import { expect, test } from 'vitest';
import { editAt, editSpots, spotsOf } from './spots.ts';

const list = {
  data: [
    { id: 'a', tags: ['x', 'y'] },
    { id: 'b', tags: [] },
  ],
  total: 2,
};

test('every place has a path, and knows its position and the objects around it', () => {
  expect(spotsOf(list).map(({ path, indexes }) => `${path} ${indexes.join('/')}`.trim())).toEqual([
    '',
    'data',
    'data[] 0',
    'data[].id 0',
    'data[].tags 0',
    'data[].tags[] 0/0',
    'data[].tags[] 0/1',
    'data[] 1',
    'data[].id 1',
    'data[].tags 1',
    'total',
  ]);
  expect(spotsOf(list).find(({ value }) => value === 'b')?.around).toEqual([list.data[1], list]);
});

test('an edit reaches every place of its path and no other', () => {
  const edited = editAt(
    list,
    'data[].id',
    ({ value, indexes }) => `${JSON.stringify(value)}${indexes.join('')}`,
  );
  expect(edited).toEqual({
    ...list,
    data: [
      { id: '"a"0', tags: ['x', 'y'] },
      { id: '"b"1', tags: [] },
    ],
  });
});

test('what an edit returns as undefined is left out, of objects and of arrays', () => {
  expect(editAt(list, 'data[].tags', () => undefined)).toEqual({
    data: [{ id: 'a' }, { id: 'b' }],
    total: 2,
  });
  expect(editAt(list, 'data[].tags[]', ({ indexes }) => (indexes[1] === 0 ? undefined : 'y'))).toEqual({
    data: [
      { id: 'a', tags: ['y'] },
      { id: 'b', tags: [] },
    ],
    total: 2,
  });
});

test('a value in which nothing is edited stays the same one', () => {
  expect(editAt(list, 'data[].none', () => null)).toBe(list);
  expect(editSpots(list, ({ value }) => value)).toBe(list);
});
