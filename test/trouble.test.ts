import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  resolveSettings,
  resultSchema,
  run,
  startReference,
  type Config,
  type RunOutput,
} from '../src/index.ts';
import { reportFiles } from '../src/report/reportDir.ts';
import { answer, openHostileServer, type Mischief } from './support/hostileServer.ts';

const json = { 'Content-Type': 'application/json' };
const empty = JSON.stringify({ success: true, data: [], pagination: { page: 0, limit: 1, total: 0 } });

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

test('a server that refuses the key ends the run with its first answers: exit 3', async () => {
  const body = '{"success":false,"error":"UNAUTHORIZED","message":"no such key: s3cret-key-1"}';
  const ended = await runAgainst((socket) => socket.write(answer('401 Unauthorized', json, body)));
  expectReports(ended);
  expect([ended.exitCode, ended.result.run.end, ended.requests]).toEqual([3, 'key-refused', 5]);
  expect((ended.result.summary.reasons ?? []).join(' ')).toContain('does not know the key primary#1');
});

test('one of several keys that the target does not know ends the run by its name, and blames no rule', async () => {
  await using reference = await startReference({ seed: 5, stateHandler: false });
  const [known = ''] = reference.keys.primary;
  const settings = resolveSettings(
    {
      ...patience,
      target: reference.url,
      keys: { primary: ['env:KEY', 'env:UNKNOWN'] },
      budgets: { maxRequests: 40 },
    },
    { env: { KEY: known, UNKNOWN: 'gk_of_another_deployment' } },
  );
  const { exitCode, result } = await run(settings, {
    root: mkdtempSync(join(tmpdir(), 'gatecheck-trouble-')),
  });
  expect([exitCode, result.run.end, result.findings]).toEqual([3, 'key-refused', []]);
  const reasons = (result.summary.reasons ?? []).join(' ');
  expect(reasons).toContain('primary#2 (number 2 of GATECHECK_KEYS_PRIMARY)');
  expect(reasons).not.toContain('gk_of_another');
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
