import { expect, test } from 'vitest';
import { exchange, judgeLast } from '../../../test/support/judge/exchanges.ts';

test('a byte order mark in front of JSON is told', () => {
  const body = JSON.stringify({ success: true });
  const judged = (raw: string) => judgeLast(exchange({ operation: 'wci.status', raw }));
  expect(judged(`\ufeff${body}`).violated).toContain('SHR-ERR-038');
  expect(judged(body).violated).not.toContain('SHR-ERR-038');
  expect(judged(body).holds).toContain('SHR-ERR-038');
  expect(judged('\ufeffno JSON').violated).not.toContain('SHR-ERR-038');
});
