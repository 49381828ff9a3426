import '../../ownTempFolder.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gatecheckLoad } from '../gatecheckLoad.ts';
import { closedLoop, type Measured } from './closedLoop.ts';
import { expectedPercentile } from './expected.ts';

// `node bench/load/accuracy/main.ts [SECONDS] [RATE]`: how far off the 99 % is that tools report of a server that stalls, whose latencies
// are known. Bounds: Gatecheck at most 2 % off. Exit code 1 when that is broken.

const seconds = Number(process.argv[2] ?? 20);
const rate = Number(process.argv[3] ?? 200);
const [everyMs, stallMs, workMs] = [1000, 200, 2];
const autocannon = join(import.meta.dirname, '../../../node_modules/autocannon/autocannon.js');
const bound = 0.02;

const server = spawn(
  process.execPath,
  [join(import.meta.dirname, 'stallServer.ts'), String(everyMs), String(stallMs)],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [line] = (await once(server.stdout, 'data')) as [Buffer];
const url = line.toString().trim();
try {
  const expected = expectedPercentile(99, { everyMs, stallMs, workMs });
  const rows: readonly (readonly [string, Measured])[] = [
    [`gatecheck load --rate ${rate}/s`, await byGatecheck()],
    ['autocannon, 10 connections', await byAutocannon()],
    ['undici, closed loop of 10', await closedLoop(`${url}/`, 10, seconds)],
  ];
  const lines = rows.map(([name, { p99Ms, perSecond }]) => {
    const off = (p99Ms - expected) / expected;
    return `${name.padEnd(30)} ${p99Ms.toFixed(1).padStart(8)} ms ${(off * 100).toFixed(1).padStart(8)} % ${perSecond.toFixed(0).padStart(8)}/s`;
  });
  process.stdout.write(
    `Every ${everyMs} ms the server stands still for ${stallMs} ms, else it takes ${workMs} ms: of requests that come evenly, 99 % take at most ${expected.toFixed(1)} ms.\n` +
      `${'tool'.padEnd(30)} ${'99 %'.padStart(11)} ${'error'.padStart(10)} ${'sent'.padStart(10)}\n${lines.join('\n')}\n`,
  );
  const ours = rows[0]?.[1].p99Ms ?? Number.NaN;
  if (!(Math.abs(ours - expected) / expected <= bound)) process.exitCode = 1;
} finally {
  server.kill();
}

async function byGatecheck(): Promise<Measured> {
  const args = ['--duration', `${seconds}s`, '--warm-up', '2s', '--judge', 'none'];
  const key = 'a-key-of-the-benchmark';
  const { latency, sentPerSecond } = await gatecheckLoad({ url, key, ratePerSecond: rate, args });
  return { p99Ms: latency.p99Ms, perSecond: sentPerSecond };
}

async function byAutocannon(): Promise<Measured> {
  const child = spawn(
    process.execPath,
    [autocannon, '-c', '10', '-d', String(seconds), '--json', '-n', url],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const { latency, requests } = JSON.parse((await buffer(child.stdout)).toString()) as {
    latency: { p99: number };
    requests: { average: number };
  };
  return { p99Ms: latency.p99, perSecond: requests.average };
}
