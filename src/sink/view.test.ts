import { expect, test } from 'vitest';
import { Redactor } from '../core/redact.ts';
import { viewOf } from './view.ts';

const kept = { method: 'POST', target: '/', startedAt: 0, receivedAt: 1, connection: '1', truncated: true };

test.each([
  { headers: [['Content-Length', '200031']], amount: '200031 bytes' },
  { headers: [], amount: 'more than 20000 bytes' },
] as const)('a body that is not kept whole is too long to show, not something else than JSON', (given) => {
  const arrival = {
    ...kept,
    headers: given.headers,
    body: Buffer.from(`"${'é'.repeat(9999)}"`).subarray(0, 20_000),
  };
  expect(viewOf(arrival, new Redactor())).toMatchObject({
    about: `too long to show (${given.amount})`,
    size: `${given.amount}, the first 16384 shown`,
    pretty: null,
  });
});
