import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { resultSchema, type RunResult } from '../src/index.ts';
import { createDeployment } from '../src/reference/deployment.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { listen } from '../src/reference/listen.ts';

const launcher = join(import.meta.dirname, '../bin/gatecheck.js');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A deployment that takes its time, and remembers the records that it made. */
async function slowDeployment() {
  const { enterprises, keys } = defaultEnterprises(3);
  const limits = { perMinute: 6000, perHour: 100_000 };
  const deployment = createDeployment({ enterprises, limits });
  const made: string[] = [];
  const counts = { requests: 0 };
  const fetch: typeof deployment.fetch = async (request, info) => {
    counts.requests += 1;
    const response = await deployment.fetch(request, info);
    const text = await response.clone().text();
    if (request.method === 'POST' && new URL(request.url).pathname.endsWith('/subscribe'))
      for (const [, id = ''] of text.matchAll(/"checkin_id":"([^"]+)"/g)) made.push(id);
    await sleep(30);
    return response;
  };
  const listening = await listen({ ...deployment, fetch });
  closing.push(
    () => deployment.close(),
    () => listening.close(),
  );
  return { url: listening.url, key: keys.primary[0] ?? '', made, counts };
}

/** Starts a run by the launcher; resolves once it has sent so many requests. */
async function started(least: number, ...selection: readonly string[]) {
  const target = await slowDeployment();
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-killed-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const limits = { perMinute: 6000, perHour: 100_000 };
  writeFileSync(join(folder, 'gatecheck.config.json'), JSON.stringify({ limits }));
  const start = (...more: readonly string[]) => {
    const args = ['run', '--target', target.url, '--max-quota', '50', '--seed', '5', ...selection, ...more];
    return spawn(process.execPath, [launcher, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, NO_COLOR: '1', GATECHECK_KEYS_PRIMARY: target.key },
    });
  };
  const child = start('--report-dir', 'out');
  closing.push(() => child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await expect.poll(() => target.counts.requests, { timeout: 60_000 }).toBeGreaterThan(least);
  const out = join(folder, 'out');
  const result = () => resultSchema.parse(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')));
  return { target, child, start, out, result, text: () => text };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve));
}

/** The program itself, below its launcher. */
function programOf({ pid = 0 }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}

function idsIn({ sideEffects }: RunResult): readonly (string | null)[] {
  return sideEffects.filter(({ kind }) => kind === 'checkin').map(({ id }) => id);
}

const onLinux = test.runIf(process.platform === 'linux');

onLinux(
  'a run that is killed leaves a report made of its journal, with all that it left behind',
  { timeout: 120_000 },
  async () => {
    const { target, child, result, text } = await started(60);
    process.kill(programOf(child), 'SIGKILL');
    expect(await endOf(child)).toBe(70);
    expect(text()).toContain('Gatecheck itself broke: it was killed (SIGKILL)');
    const { run, summary, sideEffects } = result();
    expect([run.end, summary.exitCode]).toEqual(['cut-short', 70]);
    expect(summary.passed).toBeGreaterThan(0);
    expect(summary.failed).toBe(0);
    const possible = sideEffects.filter(
      ({ certainty, kind }) => certainty === 'possible' && kind === 'checkin',
    );
    const unnamed = [...new Set(target.made)].filter((id) => !idsIn(result()).includes(id));
    expect(unnamed.length).toBeLessThanOrEqual(possible.length);
  },
);

onLinux(
  'a run whose launcher is killed ends with it, and writes its reports',
  { timeout: 120_000 },
  async () => {
    const { target, child, out, result } = await started(30);
    child.kill('SIGKILL');
    const sent = target.counts.requests;
    await expect.poll(() => existsSync(join(out, 'result.json')), { timeout: 20_000 }).toBe(true);
    expect(result().run.end).toBe('interrupted');
    expect(target.counts.requests - sent).toBeLessThan(8);
  },
);

onLinux(
  'a run that was killed is gone on with, to the verdicts of one that was not',
  { timeout: 240_000 },
  async () => {
    const only = ['--only', 'WCI-STS-*', '--only', 'WCI-LST-*', '--only', 'SHR-AUT-*'];
    const { target, child, start, out, result } = await started(25, ...only);
    process.kill(programOf(child), 'SIGKILL');
    expect(await endOf(child)).toBe(70);
    const before = result();
    const sent = target.counts.requests;
    await endOf(start('--resume', 'out'));
    const resumed = result();
    expect(resumed.run.id).toBe(before.run.id);
    expect(resumed.run.end).toBe('completed');
    // What was read in the last moment before it was killed nobody has noted.
    expect(target.counts.requests - resumed.summary.requests).toBeLessThan(12);
    const alone = target.counts.requests;
    await endOf(start('--report-dir', 'whole'));
    const whole = JSON.parse(readFileSync(join(out, '../whole/result.json'), 'utf8')) as RunResult;
    const verdicts = ({ requirements }: RunResult) =>
      requirements.map(({ id, verdict }) => `${id} ${verdict}`);
    expect(verdicts(resumed)).toEqual(verdicts(whole));
    expect(alone - sent).toBeLessThan(target.counts.requests - alone);
  },
);
