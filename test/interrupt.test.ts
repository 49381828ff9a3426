import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { resultSchema } from '../src/report/result.ts';
import { reportFiles } from '../src/report/reportDir.ts';
import { gatecheck } from './support/gatecheck.ts';
import { answer, openHostileServer } from './support/hostileServer.ts';
import { cloneEnv } from './support/startEnv.ts';

/** With vitest, which hears signals as well. */
const env = { GATECHECK_KEYS_PRIMARY: 's3cret-interrupted-key', VITEST: undefined };
const json = { 'Content-Type': 'application/json' };
const empty = '{"success":true,"data":[],"pagination":{"page":0,"limit":1,"total":0}}';

/** A server that answers the first requests, and leaves all others without an answer; tells when one of those came. */
async function stallingServer(answered: number) {
  const stalled = Promise.withResolvers<null>();
  const server = await openHostileServer((socket, count) => {
    if (count < answered) socket.write(answer('200 OK', json, empty));
    else stalled.resolve(null);
  });
  return { ...server, stalled: stalled.promise };
}

test('Ctrl-C in the middle of a request ends the run, and the reports hold what was done', async () => {
  const server = await stallingServer(3);
  let interruptedAt = 0;
  const ended = await gatecheck(
    ['run', '--target', server.url, '--profile', 'smoke', '--report-dir', 'out'],
    {
      env,
      meanwhile: (child) =>
        void server.stalled.then(() => {
          interruptedAt = performance.now();
          child.kill('SIGINT');
        }),
    },
  );
  expect(performance.now() - interruptedAt).toBeLessThan(8000);
  await server.close();
  expect(ended.code).toBe(130);
  const read = (name: string) => readFileSync(join(ended.folder, 'out', name), 'utf8');
  const result = resultSchema.parse(JSON.parse(read(reportFiles.result)));
  expect(result.run.end).toBe('interrupted');
  expect(result.summary).toMatchObject({ exitCode: 130, requests: server.requests() });
  const lines = read(reportFiles.evidence).trim().split('\n');
  const exchanges = lines
    .map((line) => JSON.parse(line) as { type: string; id: string; response?: object | null })
    .filter(({ type }) => type === 'exchange');
  expect(exchanges).toHaveLength(server.requests());
  // What was under way may have taken effect: it is on record as possible.
  const unanswered = exchanges.filter(({ response }) => !response).map(({ id }) => id);
  expect(unanswered.length).toBeGreaterThan(0);
  const certain = result.sideEffects.filter(({ certainty }) => certainty === 'certain');
  expect(certain.filter(({ exchange }) => unanswered.includes(exchange ?? ''))).toEqual([]);
  for (const name of Object.values(reportFiles)) expect(read(name).length).toBeGreaterThan(0);
  expect(ended.stdout).toMatch(/The run was interrupted/);
});

test('Ctrl-C while a 429 is waited for ends the wait', async () => {
  const refused = Promise.withResolvers<null>();
  const server = await openHostileServer((socket) => {
    socket.write(answer('429 Too Many Requests', json, '{"error":"RATE_LIMITED","retryAfter":100}'));
    refused.resolve(null);
  });
  const ended = await gatecheck(['run', '--target', server.url], {
    env,
    meanwhile: (child) => void refused.promise.then(() => setTimeout(() => child.kill('SIGINT'), 300)),
  });
  await server.close();
  expect([ended.code, server.requests()]).toEqual([130, 1]);
  expect(ended.ms).toBeLessThan(20_000);
});

test.each(['SIGTERM', 'SIGHUP'] as const)('%s ends a run as Ctrl-C does, with reports', async (signal) => {
  const server = await stallingServer(2);
  const ended = await gatecheck(['run', '--target', server.url, '--report-dir', 'out'], {
    env,
    meanwhile: (child) => void server.stalled.then(() => child.kill(signal)),
  });
  await server.close();
  expect(ended.code).toBe(130);
  const text = readFileSync(join(ended.folder, 'out', reportFiles.result), 'utf8');
  expect(resultSchema.parse(JSON.parse(text)).run.end).toBe('interrupted');
});

test.each([
  ['run', '--profile', 'smoke'],
  ['load', '--target', 'embedded', '--duration', '2s'],
])('a %s whose reader goes away in the middle writes its reports and ends', async (...command) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-unread-'));
  const main = join(import.meta.dirname, '../src/cli/main.ts');
  const args = [...command, '--report-dir', 'out'];
  // Spawned with pipes by a process that ends: from then on nobody reads them.
  const script = `
    const { spawn } = require('node:child_process');
    const command = [${JSON.stringify(process.execPath)}, ${JSON.stringify([main, ...args])}];
    const child = spawn(...command, { cwd: ${JSON.stringify(folder)}, stdio: 'pipe', detached: true });
    child.stderr.once('data', () => process.stdout.write(String(child.pid), () => process.exit()));`;
  const spawned = spawnSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    env: { ...cloneEnv },
  });
  const pid = Number(spawned.stdout);
  await vi.waitUntil(() => !isAlive(pid), { timeout: 60_000, interval: 100 });
  expect(
    resultSchema.parse(JSON.parse(readFileSync(join(folder, 'out', reportFiles.result), 'utf8'))).run.end,
  ).toBe('completed');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('Ctrl-C while the reports are written leaves all of them whole', async () => {
  const out = join(mkdtempSync(join(tmpdir(), 'gatecheck-writing-')), 'out');
  let interrupted = false;
  const ended = await gatecheck(['run', '--profile', 'smoke', '--report-dir', out], {
    env: { VITEST: undefined },
    meanwhile: (child) => {
      const watch = setInterval(() => {
        if (!existsSync(join(out, reportFiles.result)) && child.exitCode === null) return;
        clearInterval(watch);
        interrupted = child.kill('SIGINT');
      }, 2);
    },
  });
  expect(interrupted).toBe(true);
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const result = resultSchema.parse(JSON.parse(read(reportFiles.result)));
  // All was judged by then: the exit code is that of the run.
  expect([ended.code, result.run.end]).toEqual([result.summary.exitCode, 'completed']);
  for (const name of Object.values(reportFiles)) expect(read(name).length).toBeGreaterThan(0);
  expect(read(reportFiles.html)).toMatch(/<\/html>\s*$/);
});

test('a second Ctrl-C ends the process at once', async () => {
  const server = await stallingServer(1);
  let secondAt = 0;
  const ended = await gatecheck(['run', '--target', server.url], {
    env,
    meanwhile: (child) =>
      void server.stalled.then(() => {
        child.kill('SIGINT');
        setTimeout(() => {
          secondAt = performance.now();
          child.kill('SIGINT');
        }, 300);
      }),
  });
  const left = performance.now() - secondAt;
  await server.close();
  expect(ended.code).toBe(130);
  // Where the first one was quick enough, there was nothing left to end.
  if (secondAt > 0) expect(left).toBeLessThan(2500);
});

test.each<[what: string, prepare: (folder: string) => string]>([
  [
    'a file in its place',
    (folder) => {
      writeFileSync(join(folder, 'taken'), '');
      return join(folder, 'taken');
    },
  ],
  [
    'a file on the way to it',
    (folder) => {
      writeFileSync(join(folder, 'taken'), '');
      return join(folder, 'taken', 'below');
    },
  ],
  ['a place that takes no files', () => '/proc/gatecheck'],
  [
    'a folder without the right to write',
    (folder) => {
      mkdirSync(join(folder, 'locked'));
      chmodSync(join(folder, 'locked'), 0o555);
      // Root may write everywhere.
      return process.getuid?.() === 0 ? '/sys/gatecheck' : join(folder, 'locked');
    },
  ],
])(
  'a report directory that cannot be written (%s) is found out before anything is sent: exit 2',
  async (_what, prepare) => {
    const server = await openHostileServer((socket) => socket.end());
    const dir = prepare(mkdtempSync(join(tmpdir(), 'gatecheck-dir-')));
    const ended = await gatecheck(['run', '--target', server.url, '--report-dir', dir], { env });
    await server.close();
    expect([ended.code, server.requests(), ended.stdout]).toEqual([2, 0, '']);
    expect(ended.stderr).toContain('Nothing was sent');
  },
);
