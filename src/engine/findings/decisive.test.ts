import { expect, test } from 'vitest';
import { delivery } from '../../../test/support/judge/deliveries.ts';
import { exchange } from '../../../test/support/judge/exchanges.ts';
import { spoken } from '../../../test/support/spoken.ts';
import * as is from '../../spec/kernel/value.ts';
import { decisiveOf } from './decisive.ts';

const answers = [
  { id: 'x1', status: 400, body: { error: 'BAD', missing_info: ['a'], at: '2026-07-15T09:30:00.000Z' } },
  { id: 'x2', status: 200, body: { missing_info: [], status: 'FAILED' } },
  { id: 'x3', status: 200, body: { total: 3 } },
];
const evidence = answers.map(({ id, ...answer }) => ({ ...exchange({ operation: null, ...answer }), id }));

test.each([
  { actual: 'HTTP 400 BAD', id: 'x1' },
  { actual: 'missing_info ["a"]', id: 'x1' },
  { actual: 'missing_info []', id: 'x2' },
  { actual: 'status is "FAILED", as before', id: 'x2' },
  { actual: 'occurredAt "2026-07-15T09:30:00.000Z", 5 minutes off', id: 'x1' },
  { actual: '2 requests (x1 and x2) at once', id: 'x2' },
  { actual: 'none', id: 'x3' },
  { actual: 'status "UNSEEN"', id: 'x3' },
])('$actual is shown by $id', ({ actual, id }) => {
  expect(decisiveOf(spoken('', actual, actual), evidence, { usual: evidence[2] ?? null })?.id).toBe(id);
});

test('half of a surrogate pair in an answer is no reason to end', () => {
  const got = is.value('<x>\ud800');
  expect(decisiveOf({ at: 'message', got }, evidence, { usual: evidence[0] ?? null })?.id).toBe('x1');
});

test('a value in a callback is shown by the callback, though the answer to its subscribe has the same value', () => {
  const subscribed = { ...exchange({ operation: null, status: 200, body: { gate: 'A7' } }), id: 'x9' };
  const callback = delivery({ body: { changes: { gate: 'A7' } } });
  const wrong = { at: 'changes.gate', got: is.value('A7') };
  expect(decisiveOf(wrong, [callback, subscribed], { usual: subscribed })?.id).toBe(callback.id);
});
