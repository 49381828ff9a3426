import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseThreshold } from '../src/load/summary/thresholds.ts';
import { reportFiles } from '../src/report/reportDir.ts';
import type { Ended, Invocation } from './support/gatecheck.ts';
import { answer, openHostileServer } from './support/hostileServer.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { virtualLoad } from './support/virtualLoad.ts';
import { loadAt, loadOf } from './support/writtenLoad.ts';
import { resultOf } from './support/writtenResult.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

function load(args: readonly string[], given?: Invocation): Promise<Ended> {
  return loadAt(sandbox, args, given);
}

test('Ctrl-C stops a load at once, and the reports hold what was done: exit 130', async () => {
  let interruptedAt = 0;
  const ended = await load(['--rate', '40/s', '--duration', '60s'], {
    meanwhile: (child) => {
      const timer = setInterval(() => {
        if (sandbox.log.length < 40 || interruptedAt > 0) return;
        interruptedAt = performance.now();
        child.kill('SIGINT');
      }, 10);
      child.once('close', () => clearInterval(timer));
    },
  });
  expect(performance.now() - interruptedAt).toBeLessThan(4000);
  expect(ended.code).toBe(130);
  const { counts } = loadOf(ended);
  expect(counts.sent + counts.lost + counts.unsent).toBe(counts.planned);
  expect(counts.sent).toBeGreaterThan(20);
  expect(resultOf(ended).run.end).toBe('interrupted');
});

test('a target that is not there: exit 3', async () => {
  const ended = await load(['--rate', '5/s'], { env: { GATECHECK_TARGET: 'http://127.0.0.1:1' } });
  expect([ended.code, resultOf(ended).run.end]).toEqual([3, 'target-lost']);
});

test.each([
  ['of somebody else is left alone', 'https://qa.example.com', 'target-lost'],
  ['of this machine goes on being loaded', 'http://127.0.0.1:1', 'completed'],
])('a deployment that only fails any more: one %s', async (_what, target, end) => {
  let count = 0;
  const trouble = () =>
    Response.json({ success: false, error: 'INTERNAL_ERROR', message: '' }, { status: 500 });
  const result = await virtualLoad({
    config: { target },
    options: { ratePerSecond: 5, durationMs: 60_000, judgeShare: 0 },
    around: async (_request, answer) => ((count += 1) < 100 ? answer() : trouble()),
  });
  expect(result.run.end).toBe(end);
  expect(count < 200).toBe(end === 'target-lost');
});

test('a threshold that ends a load leaves what hangs a moment, and cuts it off: it has not failed', async () => {
  const bound = parseThreshold('!p99<500ms for 2s');
  if (bound === null) throw new Error('not a threshold');
  let count = 0;
  const result = await virtualLoad({
    options: { ratePerSecond: 20, durationMs: 60_000, thresholds: [bound] },
    around: async (_request, answer, clock) => {
      if ((count += 1) > 100) await clock.sleep(120_000);
      return answer();
    },
  });
  const { aborted, counts, elapsedMs = 0 } = result.load ?? {};
  expect(aborted?.atMs).toBeGreaterThanOrEqual(5000);
  expect(elapsedMs - (aborted?.atMs ?? 0)).toBeLessThan(2000);
  expect(counts?.errors).toBe(0);
  expect(counts?.lost).toBeGreaterThan(10);
  expect(result.summary.exitCode).toBe(1);
});

test('a key that is refused: exit 3', async () => {
  const ended = await load(['--rate', '5/s'], { env: { GATECHECK_KEYS_PRIMARY: 'nobody-knows-this-key' } });
  expect([ended.code, resultOf(ended).run.end]).toEqual([3, 'key-refused']);
  // One read, and two more of each API that have to be refused as well before the key is held to be unknown.
  expect(sandbox.log).toHaveLength(5);
});

test('errors of the target are counted with an example, without the key that it shows', async () => {
  const key = 's3cret-key-of-the-load';
  const json = { 'Content-Type': 'application/json' };
  const server = await openHostileServer((socket, count) => {
    const body = JSON.stringify({ success: false, error: 'INTERNAL_ERROR', message: `it was ${key}` });
    const empty = '{"success":true,"data":[],"pagination":{"page":0,"limit":1,"total":0,"totalPages":0}}';
    socket.write(
      count === 0 ? answer('200 OK', json, empty) : answer('500 Internal Server Error', json, body),
    );
  });
  const ended = await load(['--rate', '10/s', '--duration', '1s', '--mix', 'wci.list=1'], {
    env: { GATECHECK_TARGET: server.url, GATECHECK_KEYS_PRIMARY: key },
  });
  await server.close();
  expect(ended.code).toBe(3);
  expect(loadOf(ended).counts).toMatchObject({ sent: 10, ok: 0, errors: 10 });
  expect(ended.stdout).toContain('wci.list 500');
  const written = Object.values(reportFiles).map((name) => read(ended, name));
  expect([ended.stdout, ended.stderr, ...written].join('\n')).not.toContain(key);
});

function read(ended: Ended, name: string): string {
  try {
    return readFileSync(join(ended.folder, 'out', name), 'utf8');
  } catch {
    return '';
  }
}
