import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { benchKey } from '../payloads.ts';
import { median } from '../ratios.ts';
import { gatecheckLoad } from './gatecheckLoad.ts';
import type { LoadFigures } from './process.ts';

// `npm run bench:processes [-- SECONDS ROUNDS]`: answers a second of an open load from two processes over those from one, beside a server of a few
// microseconds a request in C (needs `cc`). Each process is offered what
// bare undici gets in a closed loop, which is somewhat more than it can send: what gets through is what they can do. Two processes fill two cores,
// of which the server takes a part as well. What they would get with two cores of their own, beside a server elsewhere, follows from how much
// CPU they had: that is what the bound of 1.6 is for. Both ratios are printed.

const [seconds = 8, rounds = 3] = process.argv.slice(2).map(Number);
const bound = 1.6;
/**
 * Seconds before the figures begin. Until then the compiler of each process takes up to 40 % of what its main thread takes: of the idle core beside
 * one process, and of the cores that two need themselves.
 */
const warmUp = 4;
const cores = availableParallelism();
/** Of a core: with less than this left, the machine is full. */
const fullBelow = 0.25;

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
const program = join(folder, 'server');
const built = spawnSync('cc', ['-O2', '-o', program, join(import.meta.dirname, 'static/server.c')], {
  stdio: 'inherit',
});
if (built.status !== 0) {
  process.stderr.write(
    'Skipped: there is no C compiler (cc), and a server in JavaScript would be the bottleneck.\n',
  );
  process.exit();
}
const body = JSON.stringify({
  success: true,
  data: [],
  pagination: { page: 0, limit: 25, total: 0, totalPages: 0 },
});
writeFileSync(
  join(folder, 'answer'),
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);
const server = spawn(program, [join(folder, 'answer')], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  const perProcess = await closedLoop(url);
  const measured: number[] = [];
  const ownCores: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [one, two] = [await reached(url, 1, perProcess), await reached(url, 2, perProcess)];
    const gained = two.perSecond / one.perSecond;
    measured.push(gained);
    ownCores.push(gained * shareMissing(two));
  }
  const ratio = median(ownCores);
  const each = (ratios: readonly number[]) => ratios.map((one) => one.toFixed(2)).join(', ');
  process.stdout.write(
    `two processes over one, the server on the same cores: ${median(measured).toFixed(2)} (${each(measured)})\n` +
      `the same with what the server took of the cores: ${ratio.toFixed(2)} (${each(ownCores)}; bound ${bound})\n`,
  );
  if (!(ratio >= bound)) process.exitCode = 1;
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

interface Reached {
  readonly perSecond: number;
  /** How much of a core the server took. */
  readonly serverShare: number;
  /** Whether the machine had nothing left to give. */
  readonly isFull: boolean;
}

/**
 * How many times as much the processes would have had without the server on their cores. What is idle is nobody's gain: where the
 * machine was not full, the server was not what kept them back, and the ratio stays as it was measured.
 */
function shareMissing({ serverShare, isFull }: Reached): number {
  return isFull ? cores / (cores - serverShare) : 1;
}

/** What so many processes get. */
async function reached(url: string, processes: number, perProcess: number): Promise<Reached> {
  const before = cpuSeconds(server.pid ?? 0);
  const idleBefore = idleSeconds();
  const started = performance.now();
  const { sentPerSecond } = await gatecheckLoad({
    ...{ url, key: benchKey, ratePerSecond: Math.ceil(processes * perProcess) },
    args: [
      '--duration',
      `${seconds + warmUp}s`,
      '--warm-up',
      `${warmUp}s`,
      '--processes',
      `${processes}`,
      '--judge',
      'none',
      '--max-requests',
      '100000000',
    ],
  });
  const whole = seconds + warmUp;
  const share = (cpuSeconds(server.pid ?? 0) - before) / whole;
  // Its start and its end, in which one core is at work, are no part of the load.
  const around = (performance.now() - started) / 1000 - whole;
  const idle = Math.max(0, idleSeconds() - idleBefore - around * (cores - 1)) / whole;
  process.stdout.write(
    `${processes} process${processes === 1 ? '' : 'es'}: ${sentPerSecond.toFixed(0)}/s, the server ${percent(share)} of a core, idle ${percent(idle)} of a core\n`,
  );
  return { perSecond: sentPerSecond, serverShare: share, isFull: idle < fullBelow };
}

/** Answers a second of bare undici, always with the same number in flight. */
async function closedLoop(url: string): Promise<number> {
  const args = [join(import.meta.dirname, 'process.ts'), 'closed', url, '3', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { perSecond } = JSON.parse((await buffer(child.stdout)).toString()) as LoadFigures;
  process.stdout.write(`bare undici in a closed loop: ${perSecond.toFixed(0)}/s\n`);
  return perSecond;
}

/** CPU time of a process, as Linux counts it. */
function cpuSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Time that the cores of the machine had nothing to do, all of them together, as Linux counts it. */
function idleSeconds(): number {
  const [, , , , idle = '0', waiting = '0'] = readFileSync('/proc/stat', 'utf8').split(/\s+/);
  return (Number(idle) + Number(waiting)) / 100;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function statOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
}
