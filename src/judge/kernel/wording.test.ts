import { expect, test } from 'vitest';
import { violated } from './judgement.ts';
import { wordFinding } from './wording.ts';

test('a message names the rule, what was expected and what came', () => {
  const violation = violated('answer', 'HTTP 404 NOT_FOUND', 'HTTP 200 message SCHEDULED');
  expect(wordFinding('Status of a foreign record is 404.', violation)).toBe(
    'Status of a foreign record is 404. Expected HTTP 404 NOT_FOUND; got HTTP 200 message SCHEDULED.',
  );
});

test('a message is one line of bearable length that ends once', () => {
  const message = wordFinding('A rule', violated('x', 'a text.', `line\n${'long '.repeat(200)}`));
  expect(message).toMatch(/^A rule\. Expected a text; got line long [^\n]*…\.$/);
  expect(message.length).toBeLessThan(700);
});
