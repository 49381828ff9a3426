import { spawn } from 'node:child_process';
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi, type MockInstance } from 'vitest';
import { closing, deployment, expectReached, listening, smoke } from './support/networkTarget.ts';

type Lookup = (host: string, options: LookupOptions, done: (...found: unknown[]) => void) => void;

/** Lets a name resolve to these addresses, in this order, until the test is over. */
function resolving(
  name: string,
  addresses: readonly LookupAddress[],
  asked: (() => void) | null = null,
): void {
  const original = dns.lookup as Lookup;
  const found = vi.spyOn(dns, 'lookup') as unknown as MockInstance<Lookup>;
  closing.push(() => found.mockRestore());
  found.mockImplementation((host, options, done) => {
    if (host !== name) {
      original(host, options, done);
      return;
    }
    asked?.();
    if (options.all === true) done(null, addresses);
    else done(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4);
  });
}

const swallower = join(import.meta.dirname, 'support/swallower.js');
const dead = { address: '127.0.0.2', family: 4 };
const alive = { address: '127.0.0.1', family: 4 };

test.each([
  ['the first', [alive, dead]],
  ['the second', [dead, alive]],
])('a name with two addresses of which only %s answers', async (_which, addresses) => {
  const port = await listening(createHttp(deployment()));
  resolving('two-addresses.test', addresses);
  expectReached(await smoke({ target: `http://two-addresses.test:${port}` }));
});

/** An address whose listener takes no connection, so that what is sent there vanishes; `wake` lets it take them after all. */
async function swallowing(host: string, port = 0) {
  const child = spawn(process.execPath, [swallower, host, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const held: Socket[] = [];
  closing.push(() => {
    for (const socket of held) socket.destroy();
    child.kill('SIGKILL');
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const own = Number(said.toString());
  child.kill('SIGSTOP');
  // Its queue holds two; the system drops what comes to a full one.
  for (let isFull = false; !isFull && held.length < 20;) {
    const socket = connect(own, host).on('error', () => undefined);
    held.push(socket);
    isFull = await Promise.race([once(socket, 'connect').then(() => false), sleep(300, true)]);
  }
  return { port: own, wake: () => child.kill('SIGCONT') };
}

const canSwallow = process.platform === 'linux';
if (!canSwallow) console.log('skipped: only Linux drops what comes to a full queue');

test.runIf(canSwallow)(
  'a name of which one address swallows packets: the run goes on by the other',
  async () => {
    const { port } = await swallowing('127.0.0.2');
    const live = createHttp(deployment());
    await listening(live, '127.0.0.1', port);
    resolving('one-swallows.test', [dead, alive]);
    expectReached(
      await smoke({ target: `http://one-swallows.test:${port}`, http: { connectTimeout: '2s' } }),
    );
  },
  60_000,
);

test.runIf(canSwallow)(
  'an address that takes a second to answer is given that time, where the next one swallows packets',
  async () => {
    const { port, wake } = await swallowing('127.0.0.2');
    await swallowing('127.0.0.1', port);
    resolving('slow-and-swallowing.test', [dead, alive], () => setTimeout(wake, 400).unref());
    const { run: ended, summary } = await smoke({ target: `http://slow-and-swallowing.test:${port}` });
    // The listener answers, though not as the deployment would.
    expect([ended.end, summary.failed, summary.requests]).toEqual(['not-this-api', 0, 3]);
    expect((summary.reasons ?? []).join(' ')).toContain('418');
  },
  60_000,
);

test.runIf(canSwallow)(
  'a name of which every address swallows packets is told by them',
  async () => {
    const { port } = await swallowing('127.0.0.2');
    await swallowing('127.0.0.1', port);
    resolving('all-swallow.test', [dead, alive]);
    const { run: ended, summary } = await smoke({
      target: `http://all-swallow.test:${port}`,
      http: { connectTimeout: '600ms' },
    });
    expect(ended.end).toBe('target-lost');
    expect((summary.reasons ?? []).join(' ')).toMatch(
      /127\.0\.0\.2:\d+, 127\.0\.0\.1:\d+.*Check the network path/s,
    );
  },
  60_000,
);
