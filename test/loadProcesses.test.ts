import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openSandbox } from './support/sandbox.ts';
import { loadAt, loadOf } from './support/writtenLoad.ts';
import { resultOf } from './support/writtenResult.ts';

const isLinux = process.platform === 'linux';
const unlimited = { perMinute: 1e6, perHour: 1e6 };

/** The processes that send a load for this one; only Linux tells. */
function sendersOf(pid: number | undefined): readonly number[] {
  const tasks = `/proc/${String(pid)}/task`;
  return readdirSync(tasks)
    .flatMap((task) => readFileSync(`${tasks}/${task}/children`, 'utf8').trim().split(' '))
    .filter((one) => one !== '' && readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('load-process'))
    .map(Number);
}

test('several processes send one load: each request once, judged and accounted for as one', async () => {
  const ample = await openSandbox({ limits: { perMinute: 1e6, perHour: 1e6 } });
  const ended = await loadAt(ample, [
    '--rate',
    '200/s',
    '--duration',
    '2s',
    '--processes',
    '2',
    '--mix',
    'wci.status=1,wci.list=1',
    '--judge',
    'all',
  ]);
  const sent = ample.log.length;
  await ample.close();
  expect(ended.code, ended.stderr).toBe(0);
  const part = loadOf(ended);
  const { sent: theirs, missed } = part.counts;
  expect(part.counts).toMatchObject({ planned: 400, unsent: 0, lost: 0, errors: 0 });
  // Whatever this machine could not send in time is told.
  expect(theirs + missed.late + missed.inFlight).toBe(400);
  expect(part.correctness).toMatchObject({ seen: theirs, judged: theirs, broken: [] });
  expect(part.correctness?.rules).toBeGreaterThan(10);
  expect(part.sender?.cpu).toBeGreaterThan(0);
  expect(sent).toBe(resultOf(ended).summary.requests);
});

test.runIf(isLinux)(
  'what the others sent stays where one process is killed, and its part is named: exit 3',
  async () => {
    const sandbox = await openSandbox({ limits: unlimited });
    let isKilled = false;
    const ended = await loadAt(
      sandbox,
      ['--rate', '100/s', '--duration', '5s', '--processes', '2', '--mix', 'wci.list=1', '--judge', 'all'],
      {
        meanwhile: (child) => {
          const watch = setInterval(() => {
            if (sandbox.log.length < 150 && child.exitCode === null) return;
            clearInterval(watch);
            isKilled = process.kill(sendersOf(child.pid)[1] ?? 0, 'SIGKILL');
          }, 20);
        },
      },
    );
    await sandbox.close();
    expect(isKilled).toBe(true);
    expect(ended.code, ended.stderr).toBe(3);
    const { counts, processes, correctness } = loadOf(ended);
    expect(processes).toMatchObject({ expected: 2, lost: [{ process: 2, unknown: counts.lost }] });
    const { missed } = counts;
    expect(counts.sent + missed.late + missed.inFlight + counts.lost + counts.unsent).toBe(500);
    // All of one share, and a second or more of the other.
    expect(counts.sent + missed.late + missed.inFlight).toBeGreaterThan(280);
    expect(counts.unsent).toBeGreaterThan(50);
    expect(correctness?.judged).toBeGreaterThan(200);
    expect(resultOf(ended).summary.verdict).toBe('inconclusive');
    expect(ended.stdout).toContain('process 2 of 2 was killed (SIGKILL)');
  },
);

/** A server that answers the first requests, and leaves all others without an answer. */
async function openStalling(answered: number) {
  const body = '{"success":true,"data":[],"pagination":{"page":0,"limit":25,"total":0,"totalPages":0}}';
  let count = 0;
  const server = createServer((_request, response) => {
    count += 1;
    if (count <= answered) response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys: ['k-123456'] },
    count: () => count,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.runIf(isLinux)(
  'Ctrl-C on a terminal reaches all processes: what is under way is cut off, none is lost',
  async () => {
    const server = await openStalling(60);
    let interruptedAt = 0;
    const ended = await loadAt(
      server,
      ['--rate', '40/s', '--duration', '60s', '--processes', '2', '--mix', 'wci.list=1'],
      {
        meanwhile: (child) => {
          const watch = setInterval(() => {
            if (server.count() < 100 && child.exitCode === null) return;
            clearInterval(watch);
            interruptedAt = performance.now();
            for (const pid of [child.pid ?? 0, ...sendersOf(child.pid)]) process.kill(pid, 'SIGINT');
          }, 20);
        },
      },
    );
    expect(performance.now() - interruptedAt).toBeLessThan(8000);
    await server.close();
    expect(ended.code, ended.stderr).toBe(130);
    const { counts, processes } = loadOf(ended);
    expect(processes).toBeUndefined();
    expect(counts.errors).toBe(0);
    expect(counts.lost).toBeGreaterThan(20);
  },
);
