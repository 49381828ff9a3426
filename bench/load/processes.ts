import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { benchKey } from '../payloads.ts';
import { median } from '../ratios.ts';
import { gatecheckLoad } from './gatecheckLoad.ts';
import type { LoadFigures } from './process.ts';

// `npm run bench:processes [-- SECONDS ROUNDS]`: answers a second of an open load from two processes over those from one, beside a server of a few
// microseconds a request in C (needs `cc`). Each process is offered what
// bare undici gets in a closed loop, which is somewhat more than it can send: what gets through is what they can do. Bound: 1.6.

const [seconds = 8, rounds = 3] = process.argv.slice(2).map(Number);
const bound = 1.6;

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
  const ratios: number[] = [];
  const byCpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [one, two] = [await reached(url, 1, perProcess), await reached(url, 2, perProcess)];
    ratios.push(two.perSecond / one.perSecond);
    byCpu.push((2 * one.cpuMicros) / two.cpuMicros);
  }
  const ratio = median(ratios);
  process.stdout.write(
    `two processes over one: ${ratio.toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(', ')}; bound ${bound})\n` +
      `by the CPU time of an answer alone, with two cores of their own: ${median(byCpu).toFixed(2)}\n`,
  );
  if (!(ratio >= bound)) process.exitCode = 1;
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

interface Reached {
  readonly perSecond: number;
  /** CPU time of an answer, of all processes of the load with their start. */
  readonly cpuMicros: number;
}

/** What so many processes get; says how much of a core the server took. */
async function reached(url: string, processes: number, perProcess: number): Promise<Reached> {
  const before = cpuSeconds(server.pid ?? 0);
  const ownBefore = endedSeconds();
  const { sentPerSecond, counts } = await gatecheckLoad({
    ...{ url, key: benchKey, ratePerSecond: Math.ceil(processes * perProcess) },
    args: [
      '--duration',
      `${seconds}s`,
      '--processes',
      `${processes}`,
      '--judge',
      'none',
      '--max-requests',
      '100000000',
    ],
  });
  const share = (cpuSeconds(server.pid ?? 0) - before) / seconds;
  const cpuMicros = ((endedSeconds() - ownBefore) * 1e6) / Math.max(1, counts.sent);
  process.stdout.write(
    `${processes} process${processes === 1 ? '' : 'es'}: ${sentPerSecond.toFixed(0)}/s, the server ${(share * 100).toFixed(0)} % of a core, ${cpuMicros.toFixed(0)} µs of CPU an answer\n`,
  );
  return { perSecond: sentPerSecond, cpuMicros };
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

/** CPU time of all processes that this one began and that have ended, those that they began with them. */
function endedSeconds(): number {
  const fields = statOf(process.pid);
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function statOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
}
