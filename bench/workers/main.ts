import '../ownTempFolder.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { hasRedis, startRedis, type OwnRedis } from '../../test/support/redis.ts';
import type { CoordinatorFigures } from './coordinator.ts';

// `npm run bench:workers [-- WORKERS RATE SECONDS]`: what one process that hands a load out and one Redis take for 200 workers, each a process of
// its own with messages as large as real ones, that send nothing. Three loads: all as it should be; Redis silent for ten seconds; every tenth
// worker slow. Exit code 1 where a request has no fate or more than one, or the silence cost a request that was in nobody's hands.

const [workers = 200, rate = 20, seconds = 20] = process.argv.slice(2).map(Number);
const silenceMs = 10_000;
const slowMs = 300;

if (!hasRedis) process.exit();
const redis = await startRedis();
const reader = new Redis(redis.url);
const crew: ChildProcess[] = [];
try {
  enlist(workers, 0);
  const usual = await measure('as it should be', seconds);
  const lost = await measure(`Redis silent for ${silenceMs / 1000} s`, seconds + 15, (own) => {
    setTimeout(() => own.pause(), 8000);
    setTimeout(() => own.resume(), 8000 + silenceMs);
  });
  dismiss(Math.ceil(workers / 10));
  enlist(Math.ceil(workers / 10), slowMs);
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
}

function enlist(count: number, heldUpMs: number): void {
  const file = join(import.meta.dirname, 'worker.ts');
  // Small heaps: hundreds of them stand on one machine.
  const small = ['--max-old-space-size=48', '--max-semi-space-size=1'];
  for (let index = 0; index < count; index += 1) {
    const name = `w${heldUpMs > 0 ? 's' : ''}${index}`;
    const args = [...small, file, name, redis.url, String(workers), String(heldUpMs)];
    crew.push(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }));
  }
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
}

async function usage(): Promise<Usage> {
  const text = await reader.info();
  const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    commands: read('total_commands_processed'),
    bytesIn: read('total_net_input_bytes'),
    bytesOut: read('total_net_output_bytes'),
    cpuMs: (read('used_cpu_user') + read('used_cpu_sys')) * 1000,
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
      `  CPU per worker and second: coordinator ${(figures.cpuMs / per).toFixed(2)} ms, Redis ${each('cpuMs').toFixed(2)} ms`,
      `  coordinator: 99 % of event loop delays at most ${figures.delayP99Ms.toFixed(0)} ms, ${figures.heapMb.toFixed(0)} MB`,
      `  ${planned} planned: ${sent} sent (99 % at most ${figures.latenessP99Ms.toFixed(0)} ms late), ${missed} missed, ${lost} lost, ${takenOver} parts taken over`,
      '',
    ].join('\n'),
  );
}
