import { expect, test } from 'vitest';
import { exchange } from '../../test/support/judge/exchanges.ts';
import { bodyOf, responseOf } from './body.ts';

const why = (raw: string) => {
  const response = responseOf(exchange({ operation: 'wci.list', status: 429, raw }));
  const body = response && bodyOf(response);
  return body?.kind === 'none' ? body.why : null;
};

test.each([
  [
    '<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body><center>nginx</center></body></html>',
    'an HTML page "429 Too Many Requests", which a gateway or proxy in front of the API may have sent',
  ],
  [
    '\n<!DOCTYPE html><body>Access denied',
    'an HTML page, which a gateway or proxy in front of the API may have sent',
  ],
  ['<error/>', 'no JSON: "<error/>"'],
  ['slow down', 'no JSON: "slow down"'],
  ['', 'an empty body'],
])('what is no JSON is told, and a page is not taken for the words of the API: %j', (raw, told) => {
  expect(why(raw)).toBe(told);
});

test('JSON with a page in it is JSON', () => {
  expect(why('{"message":"<html>"}')).toBeNull();
});

test('equal long bodies are parsed once, and one that was cut off is not taken for the whole', () => {
  const body = Buffer.from(JSON.stringify({ data: Array<number>(200_000).fill(0) }));
  const first = bodyOf({ body, truncated: false });
  expect(bodyOf({ body, truncated: false })).toBe(first);
  expect(bodyOf({ body, truncated: true })).toEqual({
    kind: 'none',
    why: 'a body that is longer than is read',
  });
});

test('long bodies in turn are each read as what they are', () => {
  const long = (letter: string) => Buffer.from(JSON.stringify(letter.repeat(300_000)));
  const [first, second] = [long('a'), long('b')];
  for (const [body, letter] of [
    [first, 'a'],
    [second, 'b'],
    [first, 'a'],
  ] as const)
    expect(bodyOf({ body, truncated: false })).toEqual({ kind: 'json', value: letter.repeat(300_000) });
});
