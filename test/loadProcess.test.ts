import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { resolveSettings } from '../src/index.ts';
import type { ProcessJob, ProcessMessage } from '../src/load/processes/loadProcess.ts';
import { machineOffsetMs } from '../src/load/processes/machineClock.ts';

/** On a thread of its own, since the test holds up its own: each status is new, and so long that a few fill what a channel holds. */
const server = `
const { parentPort } = require('node:worker_threads');
let count = 0;
const status = () => JSON.stringify({ success: true, checkin_message: String((count += 1)).padEnd(35000, '.') });
const server = require('node:http').createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(status()));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

function jobFor(url: string): ProcessJob {
  const settings = resolveSettings(
    { target: url, seed: 1, keys: { primary: 'env:KEY' } },
    { env: { KEY: 'k-123456' } },
  );
  return {
    settings,
    plan: {
      ...{ seed: 1, ratePerSecond: 60, arrivals: 'steady', durationMs: 1500, maxRequests: 1000 },
      ...{ mix: [{ operation: 'wci.status', weight: 1 }], withinLimits: false },
    },
    target: { webcheckin: url, 'flight-alerts': url },
    keys: [{ label: 'primary#1', enterprise: 'primary', value: 'k-123456' }],
    material: { checkinIds: ['chk-1'], itinerary: null, flights: [], leg: null },
    ...{ maxInFlight: 64, judgeShare: 0, share: 0, shares: 1, runId: 'test', command: 'gatecheck load' },
  };
}

test('a process hands in all that it has before it ends, however late that is read', async () => {
  const thread = new Worker(server, { eval: true });
  const [port] = (await once(thread, 'message')) as [number];
  const child = fork(join(import.meta.dirname, '../src/load/processes/loadProcess.ts'), ['load-process'], {
    ...{ serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  });
  const heard: ProcessMessage[] = [];
  child.on('message', (message) => heard.push(message as ProcessMessage));
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  await once(child, 'message');
  child.send(jobFor(`http://127.0.0.1:${port}`));
  await once(child, 'message');
  child.send({ startAt: performance.now() + machineOffsetMs() + 100 });
  // The first messages go out before this thread is held up.
  await new Promise((resolve) => setTimeout(resolve, 50));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000);
  const [[code]] = (await ended) as [[number | null], unknown];
  await thread.terminate();
  const parts = heard.flatMap((message) => (message.kind === 'part' ? [message.snapshot] : []));
  const sent = parts.flatMap(({ steps }) => steps).reduce((sum, [, one]) => sum + one, 0);
  expect([code, heard.at(-1)?.kind, sent]).toEqual([0, 'done', 90]);
});
