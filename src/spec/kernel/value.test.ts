import { expect, test } from 'vitest';
import * as is from './value.ts';

test('a number of too many digits is no number of JSON any more, and stays readable', () => {
  const all = [is.value({ total: Infinity }), is.number(Infinity, 'items', 'on 1 page')];
  expect(JSON.parse(JSON.stringify(all))).toEqual(all);
  expect(all).toEqual([
    { kind: 'value', value: { total: 'Infinity' } },
    { kind: 'text', text: 'Infinity items', note: 'on 1 page' },
  ]);
});
