import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { hasRedis, startRedis } from '../../test/support/redis.ts';
import { benchKey, mixes } from '../payloads.ts';
import { median, type Ratio } from '../ratios.ts';
import type { LoadFigures } from './process.ts';

/** Rounds, and seconds of each measurement. */
interface LoadSizes {
  readonly rounds: number;
  readonly seconds: number;
}

const main = join(import.meta.dirname, '../../src/cli/main.ts');
const autocannon = join(import.meta.dirname, '../../node_modules/autocannon/autocannon.js');
const shares = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** How late 99 % of the sends may be to count as in time. */
const latenessBoundMs = 5;

/** All that is measured of loads; without Redis, workers are left out. */
export async function loadRatios(url: string, sizes: LoadSizes): Promise<readonly Ratio[]> {
  const ratios: Ratio[] = [];
  for (const measureOne of [openLoad, saturation, workers]) {
    const ratio = await measureOne(url, sizes);
    if (ratio === null) continue;
    // Told at once: what comes later may take long, or break.
    process.stderr.write(
      `${ratio.title}: ${ratio.rounds.map((one) => one.toFixed(2)).join(' ')}; ${ratio.details}\n`,
    );
    ratios.push(ratio);
  }
  return ratios;
}

/**
 * How late an open load sends at four fifths of what undici answers in a closed loop, over how late undici alone is at that rate:
 * both meet the same stalls of the machine. With a curve of lateness over the rate.
 */
async function openLoad(url: string, { rounds, seconds }: LoadSizes): Promise<Ratio> {
  const curve = await latenessCurve(url, seconds);
  const ratios: number[] = [];
  const lines: string[] = [];
  // The last percent of a few seconds is chance: more rounds than elsewhere, and each of the two first in every other one.
  for (let round = 0; round < 2 * rounds + 1; round += 1) {
    const rate = 0.8 * (await measure('closed', url, seconds)).perSecond;
    const first = await measure(round % 2 === 0 ? 'bare' : 'open', url, seconds, rate);
    const second = await measure(round % 2 === 0 ? 'open' : 'bare', url, seconds, rate);
    const [bare, ours] = round % 2 === 0 ? [first, second] : [second, first];
    // What was not sent was not late.
    ratios.push(ours.missed === 0 ? ours.latenessMs / bare.latenessMs : Infinity);
    lines.push(`  at ${rate.toFixed(0)}/s ${lateness(ours)}; undici alone ${lateness(bare)}`);
  }
  return {
    title: 'lateness of 99 % of sends at 80 % of a closed loop of undici / undici alone',
    rounds: ratios,
    bound: 1.25,
    details: [lines, ['  lateness over rate'], curve].flat().join('\n').trimStart(),
  };
}

async function latenessCurve(url: string, seconds: number): Promise<readonly string[]> {
  const { perSecond } = await measure('closed', url, seconds);
  const lines: string[] = [];
  for (const share of shares) {
    const figures = await measure('open', url, seconds, share * perSecond);
    const isHeld = figures.latenessMs <= latenessBoundMs && figures.missed === 0;
    lines.push(
      `  ${(share * 100).toFixed(0).padStart(3)} % of ${perSecond.toFixed(0)}/s: ${lateness(figures)}${isHeld ? '' : '  ←'}`,
    );
  }
  return lines;
}

function lateness({ latenessMs, missed }: LoadFigures): string {
  return `${latenessMs.toFixed(2)} ms, ${missed} missed`;
}

/** Answers a second by `load --saturate` over those by the command line of autocannon. */
async function saturation(url: string, { rounds, seconds }: LoadSizes): Promise<Ratio> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await commandLine(url, seconds));
    ours.push((await measure('flood', url, seconds)).perSecond);
  }
  return {
    title: 'saturation / autocannon on the command line',
    rounds: ours.map((one, round) => one / (theirs[round] ?? Number.NaN)),
    bound: 0.95,
    atLeast: true,
    details: `${median(ours).toFixed(0)}/s / ${median(theirs).toFixed(0)}/s`,
  };
}

/** Answers a second by two workers through Redis over those by two processes that do not affect each other. */
async function workers(url: string, { rounds, seconds }: LoadSizes): Promise<Ratio | null> {
  if (!hasRedis) return null;
  const redis = await startRedis();
  const crew = ['w1', 'w2'].map((name) => gatecheck(['worker', '--name', name, '--redis', redis.url], url));
  const together: number[] = [];
  const apart: number[] = [];
  try {
    const { perSecond } = await measure('closed', url, seconds);
    // More than any of them reaches: what counts is what gets through.
    const rate = Math.ceil(perSecond * 1.5);
    for (let round = 0; round < rounds; round += 1) {
      const alone = [1, 2].map(() => load(url, seconds, ['--rate', `${Math.ceil(rate / 2)}/s`]));
      apart.push((await Promise.all(alone)).reduce((sum, one) => sum + one, 0));
      together.push(
        await load(url, seconds, ['--rate', `${rate}/s`, '--workers', '2', '--redis', redis.url]),
      );
    }
  } finally {
    for (const { child } of crew) child.kill('SIGKILL');
    await redis.stop();
  }
  return {
    title: 'two workers through Redis / two processes alone',
    rounds: together.map((one, round) => one / (apart[round] ?? Number.NaN)),
    bound: 0.9,
    atLeast: true,
    details: `${median(together).toFixed(0)}/s / ${median(apart).toFixed(0)}/s`,
  };
}

async function measure(mode: string, url: string, seconds: number, rate = 0): Promise<LoadFigures> {
  const args = [join(import.meta.dirname, 'process.ts'), mode, url, String(seconds), String(rate)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000 + seconds * 10_000,
  });
  return JSON.parse((await buffer(child.stdout)).toString()) as LoadFigures;
}

async function commandLine(url: string, seconds: number): Promise<number> {
  const sent = mixes.accepted.find(({ request }) => request.operation === 'wci.list')?.request;
  const args = [autocannon, '-c', '10', '-d', String(seconds), '--json', '-n'];
  const child = spawn(
    process.execPath,
    [...args, '-H', `X-API-Key=${benchKey}`, `${url}${sent?.path ?? ''}?${sent?.query ?? ''}`],
    { stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 + seconds * 10_000 },
  );
  const { requests, duration } = JSON.parse((await buffer(child.stdout)).toString()) as {
    requests: { total: number };
    duration: number;
  };
  return requests.total / duration;
}

function gatecheck(args: readonly string[], url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-bench-'));
  // A static server knows no limits.
  writeFileSync(join(folder, 'gatecheck.config.json'), '{"limits":{"perMinute":1000000,"perHour":1000000}}');
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, GATECHECK_TARGET: url, GATECHECK_KEYS_PRIMARY: benchKey },
    stdio: ['ignore', 'ignore', process.env.BENCH_DEBUG === undefined ? 'ignore' : 'inherit'],
  });
  return { child, folder };
}

/** Answers a second of a load of the command line, unjudged: a static server breaks rules. */
async function load(url: string, seconds: number, args: readonly string[]): Promise<number> {
  const what = ['--mix', 'wci.list=1', '--duration', `${seconds}s`, '--judge', 'none'];
  const { child, folder } = gatecheck(['load', ...what, '--report-dir', 'out', ...args], url);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`a load ended with ${code ?? 'a signal'}; BENCH_DEBUG=1 shows why`);
  const text = readFileSync(join(folder, 'out', 'result.json'), 'utf8');
  rmSync(folder, { recursive: true });
  return (JSON.parse(text) as { load: { okPerSecond: number } }).load.okPerSecond;
}
