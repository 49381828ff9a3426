import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { resolveSettings, resultSchema, run, type Config, type RunOutput } from '../src/index.ts';
import { reportFiles } from '../src/report/reportDir.ts';
import { gatecheck } from './support/gatecheck.ts';
import { answer, drip, openHostileServer, pour, type Mischief } from './support/hostileServer.ts';

const json = { 'Content-Type': 'application/json' };
const empty = JSON.stringify({ success: true, data: [], pagination: { page: 0, limit: 1, total: 0 } });
const mebibyte = Buffer.alloc(1 << 20, 'a');

/** Small enough for a whole file of trouble to take well under a minute. */
const patience: Config = {
  keys: { primary: 'env:KEY' },
  seed: 1,
  profile: 'smoke',
  budgets: { maxRequests: 12, maxDuration: '6s' },
  http: { connectTimeout: '400ms', responseTimeout: '400ms', maxBodyBytes: 1 << 18 },
};

interface Ended extends RunOutput {
  readonly requests: number;
  readonly ms: number;
  readonly grownMebibytes: number;
}

/** A whole run against a server, with what it took. */
async function runAgainst(mischief: Mischief | null, config: Config = {}): Promise<Ended> {
  const server = await openHostileServer(mischief ?? (() => undefined));
  if (mischief === null) await server.close();
  const settings = resolveSettings(
    { ...patience, target: server.url, ...config },
    { env: { KEY: 's3cret-key-1' } },
  );
  const root = mkdtempSync(join(tmpdir(), 'gatecheck-trouble-'));
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const started = performance.now();
  try {
    const output = await run(settings, { root });
    return {
      ...output,
      requests: server.requests(),
      ms: performance.now() - started,
      grownMebibytes: (most - before) / (1 << 20),
    };
  } finally {
    clearInterval(watch);
    if (mischief !== null) await server.close();
  }
}

/** What holds whatever the server does. */
function expectReports({ result, exitCode, reportDir, requests }: Ended): void {
  expect(resultSchema.safeParse(result).error).toBeUndefined();
  expect(result.summary.exitCode).toBe(exitCode);
  expect(JSON.stringify(result)).not.toContain('a fault of Gatecheck');
  expect(JSON.stringify(result)).not.toContain('s3cret-key-1');
  expect(requests).toBeLessThanOrEqual(result.summary.requests);
  expect(result.summary.requests).toBeLessThanOrEqual(12);
  for (const name of Object.values(reportFiles)) expect(existsSync(join(reportDir, name)), name).toBe(true);
  expect(JSON.parse(readFileSync(join(reportDir, reportFiles.result), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(result)),
  );
}

type End = NonNullable<RunOutput['result']['run']['end']>;

/** The server never gives a whole answer: nothing can be said of it. */
test.each<[what: string, mischief: Mischief | null]>([
  ['refuses connections', null],
  ['never answers', () => undefined],
  ['closes without a word', (socket) => socket.end()],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  ['closes in the middle of the head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty')],
  [
    'closes in the middle of the body',
    (socket) => socket.end(answer('200 OK', { ...json, 'Content-Length': '500' }, '{"success"')),
  ],
  [
    'closes in the middle of a chunk',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc'),
  ],
  [
    'answers with garbage',
    (socket) => socket.end(Buffer.from([0x16, 3, 1, 0, 0xff, 0xfe, 0x0d, 0x0a, 0x0d, 0x0a])),
  ],
  ['speaks another protocol', (socket) => socket.end('220 mail.example ESMTP\r\n')],
  [
    'sends a head without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, Buffer.from(`X-More: ${'a'.repeat(1000)}\r\n`));
    },
  ],
  [
    'drips its head',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X-Drip: a\r\n', 50);
    },
  ],
  [
    'drips its body',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{');
      drip(socket, ' ', 50);
    },
  ],
  [
    'promises more to come for ever',
    (socket) => {
      pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'));
    },
  ],
  [
    'stops in the middle of the body',
    (socket) => {
      socket.write(answer('200 OK', { ...json, 'Content-Length': '500' }, '{"success"'));
    },
  ],
  [
    'names two lengths',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
  ],
  [
    'switches protocols',
    (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  ],
])('a server that %s is lost: exit 3, with reports', { timeout: 20_000 }, async (_what, mischief) => {
  const ended = await runAgainst(mischief);
  expectReports(ended);
  expect(ended.result.run.end satisfies End | undefined).toBe('target-lost');
  expect([ended.exitCode, ended.result.summary.verdict, ended.result.findings]).toEqual([
    3,
    'inconclusive',
    [],
  ]);
  expect(ended.ms).toBeLessThan(5000);
  expect(ended.grownMebibytes).toBeLessThan(150);
});

/** The server answers, and what it says is no answer of the APIs: that is judged. */
test.each<[what: string, mischief: Mischief]>([
  [
    'HTML with 200',
    (socket) => socket.write(answer('200 OK', { 'Content-Type': 'text/html' }, '<h1>Welcome</h1>')),
  ],
  [
    'HTML with 500',
    (socket) => socket.write(answer('500 Oops', { 'Content-Type': 'text/html' }, '<h1>Oops</h1>')),
  ],
  ['nothing at all', (socket) => socket.write(answer('200 OK', {}, ''))],
  ['JSON that is cut off', (socket) => socket.write(answer('200 OK', json, '{"success":tr'))],
  ['JSON that is no object', (socket) => socket.write(answer('200 OK', json, 'null'))],
  [
    'very deep JSON',
    (socket) => socket.write(answer('200 OK', json, '['.repeat(100_000) + ']'.repeat(100_000))),
  ],
  [
    'members of the prototype',
    (socket) => socket.write(answer('200 OK', json, '{"__proto__":{"success":true},"constructor":1}')),
  ],
  [
    'bytes that are no UTF-8',
    (socket) => socket.write(answer('200 OK', json, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))),
  ],
  [
    'gzip that nobody asked for',
    (socket) => socket.write(answer('200 OK', { ...json, 'Content-Encoding': 'gzip' }, gzipSync(empty))),
  ],
  [
    'gzip that is broken',
    (socket) =>
      socket.write(
        answer('200 OK', { ...json, 'Content-Encoding': 'gzip' }, gzipSync(empty).subarray(0, 30)),
      ),
  ],
  ['a gzip bomb', (socket) => socket.write(answer('200 OK', { ...json, 'Content-Encoding': 'gzip' }, bomb))],
  [
    'an unknown coding',
    (socket) => socket.write(answer('200 OK', { ...json, 'Content-Encoding': 'rot13' }, empty)),
  ],
  [
    'a body of 200 MB',
    (socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${200 << 20}\r\n\r\n`,
      );
      pour(socket, mebibyte, 200);
    },
  ],
  [
    'a body without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      pour(socket, mebibyte);
    },
  ],
  [
    'chunks without end',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      pour(socket, Buffer.concat([Buffer.from('100000\r\n'), mebibyte, Buffer.from('\r\n')]));
    },
  ],
  ['HTTP/1.0', (socket) => socket.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${empty}`)],
  ['redirects', (socket) => socket.write(answer('302 Found', { Location: '/elsewhere' }, ''))],
  [
    'hints before the answer',
    (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
      socket.write(answer('200 OK', json, empty));
    },
  ],
  ['a status that nobody knows', (socket) => socket.write(answer('999 Whatever', json, '{}'))],
  [
    'more than the length it names',
    (socket) => socket.write(answer('200 OK', { ...json, 'Content-Length': '2' }, '{}{}{}{}')),
  ],
  [
    'control characters in its head',
    (socket) => socket.write(answer('200 OK', { ...json, 'X-Odd': '\u00ff\u0080\u00a0' }, empty)),
  ],
])(
  'a server that sends %s is judged or left undecided, within bounds',
  { timeout: 20_000 },
  async (_what, mischief) => {
    const ended = await runAgainst(mischief);
    expectReports(ended);
    expect([1, 3]).toContain(ended.exitCode);
    expect(ended.exitCode === 1).toBe(ended.result.summary.verdict === 'nonconformant');
    expect(ended.ms).toBeLessThan(10_000);
    expect(ended.grownMebibytes).toBeLessThan(300);
    expect(statSync(join(ended.reportDir, reportFiles.evidence)).size).toBeLessThan(8 << 20);
  },
);

const bomb = gzipSync(Buffer.alloc(100 << 20, ' '));

test.each<[what: string, body: string]>([
  ['asks for a year', '{"error":"RATE_LIMITED","retryAfter":31536000}'],
  ['asks for a moment', '{"error":"RATE_LIMITED","retryAfter":0.01}'],
  ['says no time', '{}'],
])(
  'a server that always answers 429 and %s ends the run soon, without a finding of a must',
  async (_what, body) => {
    const ended = await runAgainst((socket) => socket.write(answer('429 Too Many Requests', json, body)));
    expectReports(ended);
    expect(ended.result.run.end).toBe('target-lost');
    expect([0, 70, 2]).not.toContain(ended.exitCode);
    expect(ended.requests).toBeLessThanOrEqual(3);
    expect(ended.ms).toBeLessThan(5000);
  },
);

test('a limit that comes in the middle and never goes ends the run', async () => {
  const refusal = answer('429 Too Many Requests', json, '{"error":"RATE_LIMITED","retryAfter":0.01}');
  const ended = await runAgainst(
    (socket, count) => socket.write(count < 2 ? answer('200 OK', json, empty) : refusal),
    {
      budgets: { maxRequests: 60, maxDuration: '20s' },
    },
  );
  expect(ended.result.run.end).toBe('target-lost');
  expect(ended.requests).toBeLessThan(20);
  expect(ended.result.summary.throttled).toBeGreaterThan(0);
}, 30_000);

test('a server that refuses the key ends the run with its first answer: exit 3', async () => {
  const body = '{"success":false,"error":"UNAUTHORIZED","message":"no such key: s3cret-key-1"}';
  const ended = await runAgainst((socket) => socket.write(answer('401 Unauthorized', json, body)));
  expectReports(ended);
  expect([ended.exitCode, ended.result.run.end, ended.requests]).toEqual([3, 'key-refused', 1]);
});

test('a server that dies half-way through is lost, and what it said until then is kept', async () => {
  const ended = await runAgainst(
    (socket, count) => {
      if (count < 4) socket.write(answer('200 OK', json, empty));
      else socket.destroy();
    },
    { budgets: { maxRequests: 60, maxDuration: '10s' } },
  );
  expect(ended.result.run.end).toBe('target-lost');
  expect([1, 3]).toContain(ended.exitCode);
  const evidence = readFileSync(join(ended.reportDir, reportFiles.evidence), 'utf8').trim().split('\n');
  const statuses = evidence.map(
    (line) => JSON.parse(line) as { type: string; response?: { status: number } | null },
  );
  expect(
    statuses.filter(({ type, response }) => type === 'exchange' && response?.status === 200),
  ).toHaveLength(4);
});

test('one answer that is lost costs nothing but a second try', async () => {
  const ended = await runAgainst((socket, count) => {
    if (count === 0) socket.destroy();
    else socket.write(answer('401 Unauthorized', json, '{}'));
  });
  expect(ended.result.run.end).toBe('key-refused');
});

test('a run that takes too long ends in time: a budget ended it, exit 3 or 1', async () => {
  const ended = await runAgainst(
    (socket) => void setTimeout(() => socket.write(answer('200 OK', json, empty)), 250),
    { budgets: { maxRequests: 60, maxDuration: '1s' } },
  );
  expect(ended.result.run.end).toBe('budget');
  expect([1, 3]).toContain(ended.exitCode);
  expect(ended.ms).toBeLessThan(4000);
});

test(
  '400 kB of blanks, which comparing would take minutes for, hold up nothing',
  { timeout: 60_000 },
  async () => {
    const blanks = ' '.repeat(400_000);
    const body = JSON.stringify({
      success: blanks,
      error: blanks,
      message: `${blanks}x`,
      data: [{ status: blanks }],
    });
    const server = await openHostileServer((socket) => socket.write(answer('200 OK', json, body)));
    const args = [
      'run',
      '--target',
      server.url,
      '--profile',
      'smoke',
      '--max-requests',
      '12',
      '--report-dir',
      'out',
    ];
    const ended = await gatecheck(args, { env: { GATECHECK_KEYS_PRIMARY: 's3cret-key-1' } });
    await server.close();
    expect(ended.code).toBe(1);
    expect(existsSync(join(ended.folder, 'out', reportFiles.result))).toBe(true);
    expect(ended.ms).toBeLessThan(30_000);
  },
);
