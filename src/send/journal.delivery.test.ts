import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Delivery } from '../core/evidence.ts';
import { Redactor } from '../core/redact.ts';
import { openJournal } from './journal.ts';
import type { DeliveryLine } from './journalLine.ts';

const secret = 'callback-key-0123456789';

/** What the journal contains of one delivery. */
async function journalled(given: Partial<Delivery>): Promise<DeliveryLine> {
  const path = join(mkdtempSync(join(tmpdir(), 'gatecheck-journal-')), 'evidence.ndjson');
  const redactor = new Redactor();
  redactor.add(secret, 'callback key #1');
  const journal = openJournal(path, redactor);
  journal.delivery(
    {
      id: 'c1',
      registration: 'token',
      method: 'POST',
      target: '/token?x=1',
      headers: [],
      body: Buffer.from('{}'),
      truncated: false,
      startedAt: Date.UTC(2026, 0, 31),
      receivedAt: Date.UTC(2026, 0, 31) + 7,
      connection: 'k1',
      answer: '200',
      ...given,
    },
    ['FLA-CB-003'],
  );
  await journal.close();
  return JSON.parse(readFileSync(path, 'utf8')) as DeliveryLine;
}

test('a delivery is kept as it was on the wire, with its answer and what was wrong with it', async () => {
  expect(
    await journalled({
      headers: [
        ['X-Trace', 'a'],
        ['x-trace', 'b'],
      ],
    }),
  ).toMatchObject({
    type: 'delivery',
    id: 'c1',
    startedAt: '2026-01-31T00:00:00.000Z',
    durationMs: 7,
    request: {
      method: 'POST',
      target: '/token?x=1',
      headers: [
        ['X-Trace', 'a'],
        ['x-trace', 'b'],
      ],
    },
    answer: '200',
    violated: ['FLA-CB-003'],
  });
});

test.each([
  ['the right credential', 'Authorization', secret, '‹callback key #1›'],
  ['one with a prefix', 'authorization', `Bearer ${secret}`, 'Bearer ‹callback key #1›'],
  ['none', 'Authorization', '', ''],
])('%s is told by its label', async (_what, name, value, shown) => {
  expect((await journalled({ headers: [[name, value]] })).request.headers).toEqual([[name, shown]]);
});

test('an altered credential is told from others, and not shown', async () => {
  const { headers } = (
    await journalled({
      headers: [
        ['Authorization', secret.slice(1)],
        ['X-API-Key', secret.toUpperCase()],
      ],
    })
  ).request;
  const [first, second] = headers.map(([, value]) => value);
  expect(first).toMatch(/^‹unknown credential [0-9a-f]{12}›$/);
  expect(second).toMatch(/^‹unknown credential [0-9a-f]{12}›$/);
  expect(first).not.toBe(second);
});
