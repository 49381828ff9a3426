import { expect, test } from 'vitest';
import type { Headers, Outcome } from '../core/evidence.ts';
import { parseRetryAfter, retryAfterMs } from './retryAfter.ts';

test.each<[body: unknown, seconds: number | null]>([
  [{ retryAfter: 30 }, 30],
  [{ retryAfter: 0.5 }, 0.5],
  [{ retryAfter: '30' }, 30],
  [{ retryAfter: ' 30 ' }, 30],
  [{ retryAfter: 0 }, 0],
  [{ retryAfter: '' }, null],
  [{ retryAfter: ' ' }, null],
  [{ retryAfter: 'soon' }, null],
  [{ retryAfter: 'Infinity' }, null],
  [{ retryAfter: '0x10' }, null],
  [{ retryAfter: '0b11' }, null],
  [{ retryAfter: '1e3' }, null],
  [{ retryAfter: '.5' }, null],
  [{ retryAfter: '30s' }, null],
  [{ retryAfter: '9'.repeat(400) }, null],
  [{ retryAfter: null }, null],
  [{ retryAfter: [30] }, null],
  [{ retryafter: 30 }, null],
  [[30], null],
  [null, null],
  ['30', null],
])('of the body %j it reads %j', (body, seconds) => {
  expect(parseRetryAfter(body)).toBe(seconds);
});

function refused(body: string | Uint8Array, headers: Headers = []): Outcome {
  return { kind: 'response', response: { status: 429, headers, body: Buffer.from(body), truncated: false } };
}

test.each<[what: string, outcome: Outcome, ms: number | null]>([
  ['the body counts', refused('{"retryAfter":2}', [['retry-after', '9']]), 2000],
  ['the header where the body says nothing', refused('{}', [['Retry-After', ' 9 ']]), 9000],
  ['the header where the body is no JSON', refused('<html>', [['RETRY-AFTER', '9']]), 9000],
  ['no date in the header', refused('', [['retry-after', 'Wed, 21 Oct 2026 07:28:00 GMT']]), null],
  ['no negative wait', refused('{"retryAfter":-5}'), null],
  ['nothing', refused(''), null],
  ['bytes that are no text', refused(new Uint8Array([0xff, 0xfe])), null],
  [
    'no response',
    { kind: 'failure', failure: { reason: 'timeout', message: '', maybeDelivered: true } },
    null,
  ],
])('the wait is found: %s', (_what, outcome, ms) => {
  expect(retryAfterMs(outcome)).toBe(ms);
});
