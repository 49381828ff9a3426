import { expect, test } from 'vitest';
import { errorBody } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../../test/support/judge/exchanges.ts';

const subscribe = { operation: 'fla.subscribe' } as const;
const conflict = errorBody('CALLBACK_ALREADY_REGISTERED');

test.each([
  ['without a key', 409, conflict, 'holds'],
  ['with a key of null', 409, { ...conflict, callbackApiKey: null }, 'holds'],
  ['with a key', 409, { ...conflict, callbackApiKey: 'key-1234' }, 'violated'],
] as const)('a refused subscribe %s', (_, status, body, verdict) => {
  const judged = judgeLast(exchange({ ...subscribe, status, body }));
  expect(judged[verdict]).toContain('FLA-SUB-042');
});

test('a failure of upstream may return a key', () => {
  const body = { ...errorBody('SUBSCRIPTION_FAILED'), callbackApiKey: 'key-1234' };
  const { holds, violated } = judgeLast(exchange({ ...subscribe, status: 502, body }));
  expect([...holds, ...violated]).not.toContain('FLA-SUB-042');
});
