import { expect, test } from 'vitest';
import { isMembers, isSame, readJson, writeJson } from './json.ts';

test.each(['{"id":9007199254740993,"b":[1,"ä",null,true,{"c":{}}]}', '[]', '"x"', '12.5', 'null'])(
  '%s is read and written as it is',
  (text) => {
    const value = readJson(Buffer.from(text));
    expect(value !== undefined && Buffer.from(writeJson(value)).toString()).toBe(text);
  },
);

test.each([Buffer.from('{'), Buffer.from([0xff, 0x22]), Buffer.from('')])('%s is no JSON', (bytes) => {
  expect(readJson(bytes)).toBeUndefined();
});

test('a number that JavaScript does not hold is no object', () => {
  expect(isMembers(readJson(Buffer.from('9007199254740993')))).toBe(false);
  expect(isMembers({})).toBe(true);
});

test('the order of members does not tell two values apart, the order of items does', () => {
  expect(isSame({ a: 1, b: [1, { c: 2, d: 3 }] }, { b: [1, { d: 3, c: 2 }], a: 1 })).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame(undefined, null)).toBe(false);
});
