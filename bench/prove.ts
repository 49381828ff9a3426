import './ownTempFolder.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSuites } from '../src/engine/session/suites.ts';
import { jobsOf } from '../src/run/prove/jobs.ts';
import { proofOf } from '../src/run/prove/proofSettings.ts';
import { runJob } from '../src/run/prove/runJob.ts';

// `npm run bench:prove`: CPU time of the whole of `gatecheck prove`, over that of the same judgements one after the other in
// one warm process. Exit code 1 when it is more than 1.5 times as much.

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const most = 1.5;
const jobs = jobsOf(proofOf({ defects: !quick }));

const own = await warmRuns();
const whole = await proof(quick ? ['--no-defects'] : []);
process.stdout.write(
  `${jobs.length} deployments: ${seconds(whole)} CPU by prove, ${seconds(own)} by the engine's own runs\n` +
    `${(whole / own).toFixed(2)} times as much; at most ${most.toFixed(2)} is wanted\n`,
);
if (whole / own > most) process.exitCode = 1;

/** CPU time of all judgements, microseconds, where every module is loaded and compiled. */
async function warmRuns(): Promise<number> {
  const checks = await readSuites();
  for (const job of jobs.slice(0, 20)) await runJob(job, checks);
  const before = process.cpuUsage();
  for (const job of jobs) {
    const { fault } = await runJob(job, checks);
    if (fault !== null) throw new Error(`expected ${job.id} to be judged, got ${fault}`);
  }
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** CPU time of the command, microseconds: start, threads and reports included. */
async function proof(options: readonly string[]): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'gatecheck-bench-'));
  const file = join(dir, 'cpu');
  const [preload, main] = ['cpuAtExit.ts', '../src/cli/main.ts'].map((name) =>
    join(import.meta.dirname, name),
  );
  const child = spawn(
    process.execPath,
    ['--import', preload ?? '', main ?? '', 'prove', ...options, '--report-dir', join(dir, 'proof')],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, GATECHECK_BENCH_CPU: file } },
  );
  await once(child, 'close');
  const cpu = Number(await readFile(file, 'utf8'));
  await rm(dir, { recursive: true });
  return cpu;
}

function seconds(micros: number): string {
  return `${(micros / 1e6).toFixed(1)} s`;
}
