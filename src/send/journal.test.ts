import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Exchange, Headers, Outcome } from '../core/evidence.ts';
import { Redactor } from '../core/redact.ts';
import { continueJournal, openJournal } from './journal.ts';
import type { ExchangeLine } from './journalLine.ts';
import { JournalText } from './journalText.ts';

const key = 's3cret-"key/of ours';

function exchangeOf(given: {
  body?: Uint8Array;
  sent?: Uint8Array | null;
  headers?: Headers;
  truncated?: boolean;
}): Exchange {
  const { body = Buffer.from('{}'), sent = null, headers = [['X-API-Key', key]], truncated = false } = given;
  const outcome: Outcome = { kind: 'response', response: { status: 200, headers: [], body, truncated } };
  return {
    id: 'x1',
    check: 'c',
    operation: 'wci.list',
    enterprise: 'primary',
    key: 'primary#1',
    request: {
      method: 'GET',
      baseUrl: 'http://t',
      target: `/a?key=${encodeURIComponent(key)}`,
      headers,
      body: sent,
    },
    outcome,
    timings: { sentAt: 1_000_000, receivedAt: 1_000_012, sent: 1.5, received: 13.25 },
  };
}

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'gatecheck-journal-'));
}

/** What the journal contains of exchanges, line by line, as text. */
async function journalled(
  ...exchanges: readonly Exchange[]
): Promise<{ text: string; lines: ExchangeLine[] }> {
  const path = join(folder(), 'evidence.ndjson');
  const redactor = new Redactor();
  redactor.add(key, 'key primary#1');
  const journal = openJournal(path, redactor);
  for (const exchange of exchanges) journal.exchange(exchange, []);
  await journal.close();
  const text = readFileSync(path, 'utf8');
  return {
    text,
    lines: text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ExchangeLine),
  };
}

test('an exchange is one line, with its times and without its key', async () => {
  const { lines } = await journalled(exchangeOf({}));
  expect(lines).toEqual([
    {
      type: 'exchange',
      id: 'x1',
      check: 'c',
      operation: 'wci.list',
      enterprise: 'primary',
      key: 'primary#1',
      startedAt: '1970-01-01T00:16:40.000Z',
      durationMs: 11.75,
      timings: [1_000_000, 1_000_012, 1.5, 13.25],
      request: {
        method: 'GET',
        url: 'http://t/a?key=‹key primary#1›',
        headers: [['X-API-Key', '‹key primary#1›']],
        body: null,
      },
      response: { status: 200, headers: [], body: { text: '{}' }, truncated: false },
      failure: null,
    },
  ]);
});

test.each<[where: string, body: Uint8Array]>([
  ['a JSON body', Buffer.from(JSON.stringify({ key }))],
  ['JSON in a JSON body', Buffer.from(JSON.stringify({ inner: JSON.stringify({ key }) }))],
  ['a body that is no UTF-8', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(key)])],
])('a secret does not survive in %s', async (_where, body) => {
  const { text, lines } = await journalled(exchangeOf({ body, sent: body }));
  expect(text).not.toContain('s3cret');
  const recorded = lines[0]?.response?.body;
  const shown =
    recorded && 'base64' in recorded ? Buffer.from(recorded.base64, 'base64').toString('latin1') : text;
  expect(shown).not.toContain('s3cret');
});

test('bytes that are no UTF-8 are kept as they are, in base64', async () => {
  const body = new Uint8Array([0, 0xff, 0xc3, 0x28]);
  const { lines } = await journalled(exchangeOf({ body }));
  expect(lines[0]?.response?.body).toEqual({ base64: Buffer.from(body).toString('base64') });
});

test('a body is read where it stands in a larger buffer', async () => {
  const body = Buffer.from('xx{"a":"é"}xx').subarray(2, 12);
  expect((await journalled(exchangeOf({ body }))).lines[0]?.response?.body).toEqual({ text: '{"a":"é"}' });
});

test('of a body that was cut off the beginning is kept', async () => {
  const body = Buffer.alloc(1 << 20, 'a');
  const { text, lines } = await journalled(exchangeOf({ body, truncated: true }));
  expect(text.length).toBeLessThan(70_000);
  expect(lines[0]?.response?.truncated).toBe(true);
});

test('an event is one line, without secrets', async () => {
  const path = join(folder(), 'evidence.ndjson');
  const redactor = new Redactor();
  redactor.add(key, 'key');
  const journal = openJournal(path, redactor);
  journal.event(0, 'notice', { text: `seen: ${key}\n` });
  await journal.close();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    type: 'event',
    at: '1970-01-01T00:00:00.000Z',
    name: 'notice',
    data: { text: 'seen: ‹key›\n' },
  });
});

test.each([
  ['a whole line', '{"a":1}\n', '{"a":1}'],
  ['a line that was cut off', '{"a":', '{"a":'],
  ['nothing', '', null],
])('a journal that ends with %s goes on in a line of its own', async (_what, text, before) => {
  const path = join(mkdtempSync(join(tmpdir(), 'gatecheck-journal-')), 'evidence.ndjson');
  writeFileSync(path, text);
  const journal = continueJournal(path, new Redactor());
  journal.event(0, 'b', {});
  await journal.close();
  const event = '{"type":"event","at":"1970-01-01T00:00:00.000Z","name":"b","data":{}}';
  expect(readFileSync(path, 'utf8')).toBe([before, event, ''].filter((line) => line !== null).join('\n'));
});

test('lines reach the disk while the run goes on', async () => {
  const path = join(folder(), 'evidence.ndjson');
  const journal = openJournal(path, new Redactor());
  journal.exchange(exchangeOf({}), []);
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(readFileSync(path, 'utf8')).toContain('"x1"');
  await journal.close();
});

test('who writes faster than the disk is held back until it has caught up', async () => {
  const journal = openJournal(join(folder(), 'evidence.ndjson'), new Redactor());
  await journal.drained();
  const big = exchangeOf({ body: Buffer.alloc(3 << 20, 'a') });
  journal.exchange(big, []);
  let caughtUp = false;
  const waiting = [journal.drained(), journal.drained()].map(async (drained) => {
    await drained;
    caughtUp = true;
  });
  await Promise.resolve();
  expect(caughtUp).toBe(false);
  await Promise.all(waiting);
  await journal.close();
});

test.each([
  ['/dev/full', 'DISK_FULL'],
  ['/dev/null/evidence.ndjson', 'NOT_WRITTEN'],
])(
  'evidence that cannot be written to %s holds nobody back, fills no memory, and is told at the end',
  async (path, code) => {
    const journal = openJournal(path, new Redactor());
    const big = exchangeOf({ body: Buffer.alloc(2 << 20, 'a') });
    for (let index = 0; index < 20; index += 1) {
      journal.exchange(big, []);
      await journal.drained();
    }
    await expect(journal.close()).rejects.toMatchObject({ code, exitCode: 70 });
  },
);

test.runIf(process.platform === 'linux')(
  'a journal whose file the system has closed writes into no other file or connection that gets its number',
  async () => {
    const dir = folder();
    const journal = openJournal('/dev/full', new Redactor());
    journal.exchange(exchangeOf({ body: Buffer.alloc(1 << 20, 'a') }), []);
    const next = exchangeOf({});
    const others: number[] = [];
    for (let turn = 0; turn < 300; turn += 1) {
      others.push(openSync(join(dir, String(turn)), 'w'));
      await journal.sending(1_000_000, next);
    }
    const sizes = others.map((fd) => fstatSync(fd).size);
    for (const fd of others) closeSync(fd);
    expect(sizes.filter((size) => size > 0)).toEqual([]);
    await expect(journal.close()).rejects.toMatchObject({ code: 'DISK_FULL' });
  },
);

test('a secret that becomes known after a request was noted does not stand in the exchange that comes of it', async () => {
  const path = join(folder(), 'evidence.ndjson');
  const redactor = new Redactor();
  const journal = openJournal(path, redactor);
  const exchange = exchangeOf({ sent: Buffer.from('{"callbackApiKey":"later-known-secret"}') });
  await journal.sending(1_000_000, exchange);
  expect(readFileSync(path, 'utf8')).toContain('"type":"sending"');
  redactor.add('later-known-secret', 'callback key #1');
  journal.exchange(exchange, []);
  await journal.close();
  const [noted, line = ''] = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(noted).toContain('later-known-secret');
  expect(line).not.toContain('later-known-secret');
  expect(line).toContain('‹callback key #1›');
});

test.each([
  ['header field', exchangeOf({ headers: [['X-Trace', 'a-token-of-ours']] })],
  ['body', exchangeOf({ sent: Buffer.from('{"note":"a-token-of-ours"}') })],
])('a %s that was written before a secret was known is looked at again after', (_, exchange) => {
  const redactor = new Redactor();
  const text = new JournalText(redactor);
  expect(text.exchange(exchange, []).join('')).toContain('a-token-of-ours');
  redactor.add('a-token-of-ours', 'token');
  expect(text.exchange(exchange, []).join('')).not.toContain('a-token-of-ours');
});
