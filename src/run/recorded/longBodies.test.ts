import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Delivery, Exchange } from '../../core/evidence.ts';
import { Redactor } from '../../core/redact.ts';
import { readEvidence } from '../../report/evidence/readEvidence.ts';
import { writeHar } from '../../report/har/writeHar.ts';
import { openJournal } from '../../send/journal.ts';
import { incomingBody } from '../../send/journalLine.ts';
import { readRecording } from './readRecorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-long-bodies-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [journalPath, harPath] = ['evidence.ndjson', 'evidence.har'].map((name) => join(folder, name)) as [
  string,
  string,
];

const long = `{"all":"${'é'.repeat(20_000)}"}`;

function exchange(id: string, body: string): Exchange {
  return {
    ...{ id, check: 'c', operation: 'wci.list', enterprise: 'primary', key: 'primary#1' },
    request: { method: 'GET', baseUrl: 'http://t.example', target: `/a?${id}`, headers: [], body: null },
    outcome: {
      kind: 'response',
      response: { status: 200, headers: [['a', 'b']], body: Buffer.from(body), truncated: false },
    },
    timings: { sentAt: 1_000_000, receivedAt: 1_000_012, sent: 1, received: 13 },
  };
}

const delivery: Delivery = {
  ...{ id: 'c1', registration: 'r1', connection: 'k1', answer: '204', method: 'POST', target: '/cb/r1' },
  ...{ headers: [], body: Buffer.from(long), truncated: false, startedAt: 1_000_020, receivedAt: 1_000_021 },
};

beforeAll(async () => {
  const journal = openJournal(journalPath, new Redactor());
  journal.exchange(exchange('x1', long), []);
  journal.exchange(exchange('x2', '{"short":1}'), []);
  journal.exchange(exchange('x3', long), []);
  journal.delivery(delivery, []);
  await journal.close();
  await writeHar(journalPath, harPath);
});

test.each([journalPath, harPath])('a long body stands once in what is written, %s', (path) => {
  const text = readFileSync(path, 'utf8');
  expect(text.split('é'.repeat(20_000))).toHaveLength(2);
  expect(text.split('(the same 40010 bytes as in x1)')).toHaveLength(3);
});

test.each([journalPath, harPath])('what is read again has it everywhere, %s', async (path) => {
  const { lines } = await readRecording(path);
  const bodies = lines.map((line) =>
    line.type === 'exchange' || line.type === 'delivery' ? incomingBody(line) : null,
  );
  expect(bodies).toEqual([{ text: long }, { text: '{"short":1}' }, { text: long }, { text: long }]);
  expect(lines.map((line) => (line.type === 'exchange' ? line.response?.truncated : false))).not.toContain(
    true,
  );
});

test('evidence of a finding has it, also where the first is not wanted', async () => {
  const { byId } = await readEvidence(journalPath, new Set(['x3', 'c1']));
  expect([...byId.keys()]).toEqual(['x3', 'c1']);
  for (const line of byId.values()) expect(incomingBody(line)).toEqual({ text: long });
});
