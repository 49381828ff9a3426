import { expect, test } from 'vitest';
import { spoken } from './spoken.ts';
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
  const { said, ...data } = spoken('code', expected, actual);
  expect(wordsOf(data)).toEqual(said);
});
