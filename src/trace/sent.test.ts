import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryMembers } from './call.ts';

const words = fc.string({ unit: fc.constantFrom(...Array.from('ab1.-_~:%20+=&é')) });

test('a query is read as browsers read it, however plain it is', () => {
  fc.assert(
    fc.property(words, (text) => {
      const query = new URLSearchParams(text);
      const wanted = [...new Set(query.keys())].map((name) => {
        const values = query.getAll(name);
        return [name, values.length === 1 ? values[0] : values];
      });
      expect(queryMembers(sent(text))).toEqual(Object.fromEntries(wanted));
    }),
  );
});

test.each(['page=0&limit=25&status=', '__proto__=1&constructor=x', 'a=1&a=2', 'a', ''])('%j', (text) => {
  const { keys } = Object;
  expect(keys(queryMembers(sent(text)))).toEqual([...new Set(new URLSearchParams(text).keys())]);
});

function sent(query: string) {
  return { method: 'GET', baseUrl: '', target: `/a?${query}`, headers: [], body: null };
}
