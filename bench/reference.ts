import './ownTempFolder.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { operations } from '../src/core/operations.ts';
import { median } from './ratios.ts';

// `npm run bench:reference`: status requests a second that the reference answers, over those of an empty Hono app, in turns.
// Exit code 1 when it is less than half.

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const { rounds, seconds } = quick ? { rounds: 2, seconds: 1 } : { rounds: 5, seconds: 5 };
const least = 0.5;

const reference = await start('reference');
const empty = await start('empty');
try {
  const target = `${operations['wci.status'].path}?checkin_id=${await subscribe(reference)}`;
  // A server of Node takes some thousand requests to be compiled.
  await rate(reference, target, seconds);
  await rate(empty, target, seconds);
  const pairs: (readonly [reference: number, empty: number])[] = [];
  for (let round = 0; round < rounds; round += 1)
    pairs.push([await rate(reference, target, seconds), await rate(empty, target, seconds)]);
  const ratios = pairs.map(([one, other]) => one / other);
  const [own, other] = [0, 1].map((side) => Math.round(median(pairs.map((pair) => pair[side] ?? 0))));
  const shown = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  process.stdout.write(
    `status requests a second, reference / empty Hono app: ${own} / ${other}\n` +
      `median ${shown[0]}, min ${shown[1]}, max ${shown[2]}; at least ${least.toFixed(2)} is wanted\n`,
  );
  if (quick) process.stdout.write('Quick: too short to hold the figures to their bounds.\n');
  else if (median(ratios) < least) process.exitCode = 1;
} finally {
  reference.stop();
  empty.stop();
}

interface Server {
  readonly url: string;
  readonly key: string;
  readonly stop: () => void;
}

async function start(name: 'reference' | 'empty'): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'statusServer.ts'), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const [url = '', key = ''] = line.toString().trim().split(' ');
  return { url, key, stop: () => child.kill() };
}

/** A record to ask for, with a complete international booking. */
async function subscribe({ url, key }: Server): Promise<string> {
  const departs = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 19);
  const flight = { airline: 'LH', flight_number: '400', origin: 'FRA', destination: 'JFK' };
  const response = await fetch(url + operations['wci.subscribe'].path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      pnr: 'ABC123',
      flights: [{ ...flight, departure_datetime: departs }],
      passengers: [{ first_name: 'Testa', last_name: 'Benchmark', email: 'bench@example.com' }],
    }),
  });
  const { checkin_id } = (await response.json()) as { checkin_id?: string };
  if (checkin_id === undefined) throw new Error(`expected a record, got status ${response.status}`);
  return checkin_id;
}

/** Answers a second; throws where one is not 200. */
async function rate({ url, key }: Server, target: string, duration: number): Promise<number> {
  const result = await autocannon({
    url: url + target,
    headers: { 'x-api-key': key },
    connections: 16,
    duration,
  });
  const { non2xx, errors } = result;
  if (non2xx + errors > 0) throw new Error(`expected 200 throughout, got ${non2xx} others, ${errors} errors`);
  return result['2xx'] / result.duration;
}
