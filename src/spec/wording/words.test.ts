import { expect, test } from 'vitest';
import { spoken } from '../../../test/support/spoken.ts';
import * as is from '../kernel/value.ts';
import { wordFinding, wordsOf } from './words.ts';

test('a message names the rule, what was expected and what came', () => {
  const said = { expected: 'HTTP 404 NOT_FOUND', actual: 'HTTP 200 message SCHEDULED' };
  expect(wordFinding('Status of a foreign record is 404.', said)).toBe(
    'Status of a foreign record is 404. Expected HTTP 404 NOT_FOUND; got HTTP 200 message SCHEDULED.',
  );
});

test('a message is one line of bearable length that ends once', () => {
  const message = wordFinding('A rule', { expected: 'a text.', actual: `line\n${'long '.repeat(200)}` });
  expect(message).toMatch(/^A rule\. Expected a text; got line long [^\n]*…\.$/);
  expect(message.length).toBeLessThan(700);
});

test.each([
  ['booking_id is a number', 'booking_id is "230311"'],
  ['missing_info []', 'missing_info ["passport"]'],
  ['HTTP 404 NOT_FOUND', 'HTTP 200 message SCHEDULED'],
  ['HTTP 200 or HTTP 409', 'HTTP 400 VALIDATION_ERROR (pnr is required.)'],
  ['one of HTTP 200, 400', 'HTTP 418'],
  ['a refusal of flights[0].origin ""', 'HTTP 200 message SCHEDULED'],
  ['no origin', 'origin "AMS", as before'],
  ['status is one of "A", "B"', 'status is absent'],
])('%s; got %s: is the same in data and in words', (expected, actual) => {
  expect(wordsOf(spoken('code', expected, actual))).toEqual({ expected, actual });
});

test.each<[at: string, value: is.Value, words: string]>([
  ['data', is.number(0, 'items', 'on page 9'), 'no items on page 9'],
  ['callback', is.number(1, 'deliveries', 'answered 503'), '1 delivery, answered 503'],
  ['data', is.atMost(25, 'items'), 'at most 25 items'],
  ['pagination.limit', is.range(20, 50), 'pagination.limit between 20 and 50'],
  ['last_updated', is.range('2026', null), 'last_updated not before "2026"'],
  ['header Authorization', is.whose('another enterprise'), 'the Authorization of another enterprise'],
  [
    'callback',
    is.telling({ status: 'FAILED', reason: null }),
    'a callback with status "FAILED" and reason null',
  ],
  ['callback', is.noted(is.absent, 'where nothing changed'), 'no callback where nothing changed'],
])('%s %j is said as %s', (at, value, words) => {
  expect(wordsOf({ at, want: value, got: value }).actual).toBe(words);
});
