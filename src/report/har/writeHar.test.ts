import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { harFaults } from '../../../test/support/harFaults.ts';
import { harSchema } from '../../../test/support/harSchema.ts';
import type { DeliveryLine, EventLine, ExchangeLine, JournalLine } from '../../send/journalLine.ts';
import { writeHar } from './writeHar.ts';

const exchange: ExchangeLine = {
  type: 'exchange',
  id: 'x1',
  check: 'wci.status.own',
  operation: 'wci.status',
  enterprise: 'primary',
  key: 'primary#1',
  startedAt: '2026-01-31T10:00:00.000Z',
  durationMs: 12.5,
  request: {
    method: 'GET',
    url: 'https://qa.example/status?checkin_id=a%20b&checkin_id=c',
    headers: [['X-API-Key', '‹key primary#1›']],
    body: null,
  },
  response: {
    status: 200,
    headers: [
      ['Content-Type', 'application/json'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ],
    body: { text: '{"é":"\u2028"}' },
    truncated: false,
  },
  failure: null,
};
const scan = Buffer.from([0xff, 0xd8, 0xff, 0x00]).toString('base64');
const upload: ExchangeLine = {
  ...exchange,
  id: 'x2',
  request: {
    ...exchange.request,
    method: 'POST',
    headers: [['content-type', 'multipart/form-data']],
    body: { base64: scan },
  },
  response: { status: 200, headers: [], body: { base64: scan }, truncated: true },
  violated: ['WCI-STS-001'],
};
const lost: ExchangeLine = {
  ...exchange,
  id: 'x3',
  response: null,
  failure: { reason: 'timeout', message: 'no answer within 10 s', maybeDelivered: true },
};
const delivery: DeliveryLine = {
  type: 'delivery',
  id: 'c1',
  registration: 'r1',
  connection: 'k1',
  durationMs: 1,
  startedAt: '2026-01-31T10:00:01.000Z',
  request: {
    method: 'POST',
    target: '/cb/r1?x=1',
    headers: [['Host', 'sink.example:8443']],
    body: { text: '{}' },
    truncated: false,
  },
  answer: '204',
};
const broken: DeliveryLine = {
  ...delivery,
  id: 'c2',
  request: { ...delivery.request, headers: [] },
  answer: 'reset after headers',
};
const event: EventLine = { type: 'event', at: '2026-01-31T10:00:01.000Z', name: 'waiting', data: {} };

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'gatecheck-'));
});
afterEach(() => rm(dir, { recursive: true }));

async function exported(lines: readonly (JournalLine | string)[]) {
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  await writeFile(join(dir, 'evidence.ndjson'), text);
  await writeHar(join(dir, 'evidence.ndjson'), join(dir, 'evidence.har'), '1.0.0');
  const har: unknown = JSON.parse(await readFile(join(dir, 'evidence.har'), 'utf8'));
  expect(harFaults(har)).toEqual([]);
  return harSchema.parse(har).log;
}

it('writes valid HAR 1.2 with an entry per exchange and delivery, in their order, and none per event', async () => {
  const { entries, creator } = await exported([exchange, event, delivery, upload, lost, broken]);
  expect(creator).toEqual({ name: 'gatecheck', version: '1.0.0' });
  expect(entries.map((entry) => [entry._kind, entry._id])).toEqual([
    ['exchange', 'x1'],
    ['callback', 'c1'],
    ['exchange', 'x2'],
    ['exchange', 'x3'],
    ['callback', 'c2'],
  ]);
  expect(await readdir(dir)).toEqual(['evidence.har', 'evidence.ndjson']);
});

it('keeps text, repeated headers and repeated query parameters as they were', async () => {
  const { entries } = await exported([exchange]);
  expect(entries[0]?.request).toMatchObject({
    queryString: [
      { name: 'checkin_id', value: 'a b' },
      { name: 'checkin_id', value: 'c' },
    ],
    bodySize: 0,
  });
  expect(entries[0]?.request.postData).toBeUndefined();
  expect(entries[0]?.response).toMatchObject({
    headers: [
      { name: 'Content-Type', value: 'application/json' },
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'Set-Cookie', value: 'b=2' },
    ],
    content: { text: '{"é":"\u2028"}', mimeType: 'application/json', size: 12 },
  });
});

it('keeps bytes that are no text in base64, and says so', async () => {
  const { entries } = await exported([upload]);
  expect(entries[0]?.request.postData).toEqual({
    mimeType: 'multipart/form-data',
    text: scan,
    _encoding: 'base64',
  });
  expect(entries[0]?.response.content).toMatchObject({ text: scan, encoding: 'base64', size: 4 });
  expect(entries[0]).toMatchObject({ _truncated: true, _violated: ['WCI-STS-001'] });
});

it('gives a request without an answer status 0 and the reason', async () => {
  const { entries } = await exported([lost]);
  expect(entries[0]?.response).toMatchObject({ status: 0, _error: 'no answer within 10 s' });
  expect(entries[0]?._failure).toEqual(lost.failure);
});

it('shows what the sink answered to a delivery, and under which name it was reached', async () => {
  const { entries } = await exported([delivery, broken]);
  expect(entries.map(({ request, response }) => [request.url, response.status])).toEqual([
    ['http://sink.example:8443/cb/r1?x=1', 204],
    ['http://sink.invalid/cb/r1?x=1', 0],
  ]);
  expect(entries[1]?.response._error).toBe('reset after headers');
});

it('leaves out a line that was cut off, and says so', async () => {
  const log = await exported([exchange, '{"type":"exchange","id":"x2"']);
  expect(log.entries).toHaveLength(1);
  expect(log.comment).toBe('1 unreadable lines of evidence.ndjson left out');
});

it('writes an empty log from an empty journal', async () => {
  expect((await exported([])).entries).toEqual([]);
});

it('joins lines across the pieces in which a file is read', async () => {
  const long = { ...exchange, request: { ...exchange.request, body: { text: 'é漢'.repeat(300_000) } } };
  const { entries } = await exported([long, exchange, long]);
  expect(entries[2]?.request.postData?.text).toBe('é漢'.repeat(300_000));
});

it('leaves an earlier HAR alone where the evidence cannot be read', async () => {
  await writeFile(join(dir, 'evidence.har'), 'earlier');
  await expect(writeHar(join(dir, 'nowhere'), join(dir, 'evidence.har'))).rejects.toThrow('ENOENT');
  expect(await readdir(dir)).toEqual(['evidence.har']);
});

test.for([
  ['/status?key=‹key primary#1›', '/status?key=%E2%80%B9key%20primary%231%E2%80%BA'],
  ['/a b"<>\\^`{|}[]', '/a%20b%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D'],
  ['/100%?a=%20%zz', '/100%25?a=%20%25zz'],
  ['/lone \ud800', '/lone%20%EF%BF%BD'],
])('an address that is no URI is escaped, and kept beside: %s', async ([target, escaped]) => {
  const raw = `https://[::1]:8443${target}`;
  const { entries } = await exported([{ ...exchange, request: { ...exchange.request, url: raw } }]);
  expect(entries[0]?.request).toMatchObject({ url: `https://[::1]:8443${escaped}`, _url: raw });
});
