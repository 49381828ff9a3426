import '../ownTempFolder.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { hasRedis, startRedis, type OwnRedis } from '../../test/support/redis.ts';
import type { CoordinatorFigures } from './coordinator.ts';

// `npm run bench:workers [-- WORKERS RATE SECONDS]`: what one process that hands a load out and one Redis take for 200 workers, each a process of
// its own with messages as large as real ones, that send nothing. Three loads: all as it should be; Redis silent for ten seconds; every tenth
// worker slow. Exit code 1 where a request has no fate or more than one, or the silence cost a request that was in nobody's hands.

const [workers = 200, rate = 20, seconds = 20] = process.argv.slice(2).map(Number);
const cache = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
const silenceMs = 10_000;
const slowMs = 300;
/** Workers that are started at the same time. */
const atOnce = 4;

if (!hasRedis) process.exit();
const redis = await startRedis();
const reader = new Redis(redis.url);
const crew: ChildProcess[] = [];
try {
  const enlistedAt = performance.now();
  await enlist(workers, 0);
  process.stdout.write(
    `${workers} workers started within ${((performance.now() - enlistedAt) / 1000).toFixed(0)} s\n`,
  );
  const usual = await measure('as it should be', seconds);
  const lost = await measure(`Redis silent for ${silenceMs / 1000} s`, seconds + 15, (own) => {
    setTimeout(() => own.pause(), 8000);
    setTimeout(() => own.resume(), 8000 + silenceMs);
  });
  dismiss(Math.ceil(workers / 10));
  await enlist(Math.ceil(workers / 10), slowMs);
  const slow = await measure(`a tenth of them slow (${slowMs} ms of every 500)`, seconds);
  const fates = [usual, lost, slow].map(
    ({ planned, sent, missed, lost: gone }) => planned - sent - missed - gone,
  );
  // Where the machine is too small for so many in time, a silence of Redis shows nothing.
  const isInTime = usual.missed === 0;
  if (fates.some((one) => one !== 0) || (isInTime && lost.lost > 0)) process.exitCode = 1;
} finally {
  dismiss(crew.length);
  reader.disconnect();
  await redis.stop();
  rmSync(cache, { recursive: true, force: true });
}

/** Starts so many, a few at a time: all at once, each would take as long as all of them. */
async function enlist(count: number, heldUpMs: number): Promise<void> {
  for (let first = 0; first < count; first += atOnce) {
    const names = Array.from({ length: Math.min(atOnce, count - first) }, (_, place) => first + place);
    await Promise.all(names.map((index) => enlistOne(`w${heldUpMs > 0 ? 's' : ''}${index}`, heldUpMs)));
  }
}

/** Resolves once it says that it is there. */
async function enlistOne(name: string, heldUpMs: number): Promise<void> {
  const file = join(import.meta.dirname, 'worker.ts');
  // Small heaps, since hundreds of them stand on one machine; and what is compiled once serves all.
  const small = ['--max-old-space-size=48', '--max-semi-space-size=1'];
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const args = [...small, file, name, redis.url, String(workers), String(heldUpMs)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  crew.push(child);
  await once(child.stdout, 'data');
}

function dismiss(count: number): void {
  for (const child of crew.splice(0, count)) child.kill('SIGKILL');
}

async function measure(
  title: string,
  forSeconds: number,
  onStart: (own: OwnRedis) => void = () => undefined,
): Promise<CoordinatorFigures> {
  const args = [
    join(import.meta.dirname, 'coordinator.ts'),
    redis.url,
    String(workers),
    String(rate),
    String(forSeconds),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'close');
  let before = await usage();
  let figures: CoordinatorFigures | null = null;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'started') {
      before = await usage();
      onStart(redis);
    } else figures = JSON.parse(line) as CoordinatorFigures;
  }
  await exited;
  if (figures === null) throw new Error('the coordinator printed no figures');
  const after = await usage();
  print(title, figures, { per: workers * forSeconds, before, after });
  return figures;
}

interface Usage {
  readonly commands: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly cpuMs: number;
  readonly crewCpuMs: number;
}

async function usage(): Promise<Usage> {
  const text = await reader.info();
  const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    commands: read('total_commands_processed'),
    bytesIn: read('total_net_input_bytes'),
    bytesOut: read('total_net_output_bytes'),
    cpuMs: (read('used_cpu_user') + read('used_cpu_sys')) * 1000,
    crewCpuMs: crew.reduce((sum, { pid }) => sum + cpuMs(pid ?? 0), 0),
  };
}

function print(
  title: string,
  figures: CoordinatorFigures,
  { per, before, after }: { readonly per: number; readonly before: Usage; readonly after: Usage },
): void {
  const each = (name: keyof Usage) => (after[name] - before[name]) / per;
  const { planned, sent, missed, lost, takenOver } = figures;
  process.stdout.write(
    [
      `${title}: ${workers} workers at ${rate}/s each`,
      `  there after ${(figures.readyMs / 1000).toFixed(1)} s`,
      `  per worker and second: ${each('commands').toFixed(1)} commands of Redis, ${(each('bytesIn') / 1000).toFixed(1)} kB to it and ${(each('bytesOut') / 1000).toFixed(1)} kB from it`,
      `  CPU per worker and second: coordinator ${(figures.cpuMs / per).toFixed(2)} ms, Redis ${each('cpuMs').toFixed(2)} ms, the worker itself ${each('crewCpuMs').toFixed(1)} ms`,
      `  memory of a worker: ${ownMb(crew[0]?.pid ?? 0).toFixed(0)} MB of its own`,
      `  coordinator: 99 % of event loop delays at most ${figures.delayP99Ms.toFixed(0)} ms, ${figures.heapMb.toFixed(0)} MB`,
      `  ${planned} planned: ${sent} sent (99 % at most ${figures.latenessP99Ms.toFixed(0)} ms late), ${missed} missed, ${lost} lost, ${takenOver} parts taken over`,
      '',
    ].join('\n'),
  );
}

/** CPU time of a process, as Linux counts it; 0 elsewhere. */
function cpuMs(pid: number): number {
  const fields = readProc(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
}

/** Memory that a process shares with nobody, and its part of what it shares. */
function ownMb(pid: number): number {
  return Number(/^Pss: +(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
