import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Durations } from '../src/load/summary/histogram.ts';
import { reportFiles } from '../src/report/reportDir.ts';
import type { Ended, Invocation } from './support/gatecheck.ts';
import { openSandbox, type Sandbox } from './support/sandbox.ts';
import { loadAt, loadOf, refusedAt } from './support/writtenLoad.ts';
import { resultOf } from './support/writtenResult.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

function load(args: readonly string[], given?: Invocation): Promise<Ended> {
  return loadAt(sandbox, args, given);
}

test('a load within the limits is answered without a 429, and all of it is accounted for', async () => {
  const ended = await load([
    '--within-limits',
    '--duration',
    '3s',
    '--threshold',
    'errors<1%',
    '--seed',
    '9',
  ]);
  expect(ended.code, ended.stderr).toBe(0);
  const { counts, operations, limiter } = loadOf(ended);
  // 64 keys at 57 a minute each.
  expect(counts).toMatchObject({ planned: 183, sent: 183, ok: 183, refused: 0, errors: 0, unsent: 0 });
  // The last request has its interval as well.
  expect(loadOf(ended).sentPerSecond).toBeLessThanOrEqual(61);
  expect(operations.map(({ operation }) => operation).sort()).toEqual([
    'fla.lookup',
    'wci.list',
    'wci.status',
  ]);
  expect(limiter).toMatchObject({ refused: 0, expectedRefused: [0, 0], overAdmitted: [], underAdmitted: [] });
  expect(sandbox.log).toHaveLength(resultOf(ended).summary.requests);
  for (const name of [reportFiles.html, reportFiles.junit, reportFiles.markdown])
    expect(readFileSync(join(ended.folder, 'out', name), 'utf8').length).toBeGreaterThan(0);
});

test('beyond the limits, the 429s are those that a rolling log expects, and histograms are whole', async () => {
  const ended = await load(['--rate', '60/s', '--keys', '2', '--duration', '3s', '--arrivals', 'poisson']);
  expect(ended.code, ended.stderr).toBe(0);
  const { counts, limiter, operations } = loadOf(ended);
  expect(counts.ok).toBeLessThanOrEqual(120);
  // The set-up looked for a flight, and what was answered 404 may count or not.
  const [low = 0, high = 0] = limiter?.expectedRefused ?? [];
  expect(high).toBe(counts.refused);
  expect(high - low).toBeLessThan(10);
  expect(resultOf(ended).requirements.find(({ id }) => id === 'SHR-LIM-002')?.verdict).toBe('pass');
  for (const { statuses } of operations) {
    for (const { histogram, count } of statuses) expect(Durations.decode(histogram).count).toBe(count);
  }
});

test('a limiter that admits too many is a certain finding, and the gate: exit 1', async () => {
  const lax = await openSandbox({ limits: { perMinute: 80, perHour: 1000 } });
  const ended = await load(['--rate', '50/s', '--keys', '1', '--duration', '2s'], {
    env: { GATECHECK_TARGET: lax.url },
  });
  await lax.close();
  expect(ended.code, ended.stdout).toBe(1);
  const { findings, summary } = resultOf(ended);
  expect(findings).toHaveLength(1);
  expect(findings[0]?.requirement).toBe('SHR-LIM-002');
  expect(Number.parseInt(findings[0]?.actual ?? '', 10)).toBeGreaterThan(60);
  expect(summary.verdict).toBe('nonconformant');
});

test('a limiter that refuses too early is told, and is no failure, since others may use the key', async () => {
  const strict = await openSandbox({ limits: { perMinute: 40, perHour: 1000 } });
  const ended = await load(['--rate', '50/s', '--keys', '1', '--duration', '1s'], {
    env: { GATECHECK_TARGET: strict.url },
  });
  await strict.close();
  expect(ended.code, ended.stdout).toBe(0);
  expect(ended.stdout).toContain('1 key refused although certainly below the limits.');
  expect(resultOf(ended).requirements.find(({ id }) => id === 'SHR-LIM-001')?.verdict).toBe('warn');
});

test('a threshold that is not met, or measured on nothing, gates: exit 1', async () => {
  const ended = await load([
    ...['--rate', '20/s', '--duration', '1s', '--mix', 'wci.list=1'],
    ...['--threshold', 'p99<0.001ms', '--threshold', 'callbacks:p99<10s', '--threshold', 'rate>5/s'],
  ]);
  expect(ended.code).toBe(1);
  expect(loadOf(ended).thresholds.map(({ met, samples }) => [met, samples > 0])).toEqual([
    [false, true],
    [false, false],
    [true, true],
  ]);
});

test.each<[what: string, args: readonly string[], says: string]>([
  ['a malformed threshold', ['--threshold', 'p99<300'], 'such as p99<300ms, errors<1%'],
  ['an operation that does not exist', ['--mix', 'wci.delete=1'], 'operations: wci.subscribe'],
  ['a collector without an address', ['--otlp', 'nonsense'], '--otlp: expected'],
  ['no rate at all', ['--rate', '0/s'], 'such as 50/s'],
  ['more keys than there are', ['--keys', '65'], 'expected at most 64'],
  ['more than the limits allow', ['--within-limits', '--rate', '100/s'], 'expected at most 60.80/s'],
  ['too many requests', ['--rate', '90000/s', '--duration', '1m'], 'expected at most 1000000 requests'],
  [
    'writes beyond the budget',
    ['--rate', '9/s', '--mix', 'wci.subscribe=1', '--max-quota', '3'],
    '--max-quota: expected',
  ],
  ['writes, read-only', ['--mix', 'wci.update=1', '--read-only'], '--mix: expected reads only'],
  ['a saturation with a rate', ['--saturate', '--rate', '5/s'], 'expected one of the two'],
  ['the wrong host', ['--i-own-this-target', 'example.com'], 'expected the host of the target, 127.0.0.1'],
  [
    'a bound on an operation that is not sent',
    ['--mix', 'wci.list=1', '--threshold', 'fla.lookup:p99<1s'],
    'expected a bound on what is sent (wci.list); got fla.lookup:p99<1s',
  ],
  [
    'a bound on a journey that is not sent',
    ['--journeys', 'dashboard', '--threshold', 'journey.nope:p99<1s'],
    'expected a journey that --journeys names (dashboard); got journey.nope:p99<1s',
  ],
  ['a lower bound of a search', ['--find-capacity', 'p99>3ms'], 'expected comma-separated upper bounds'],
  ['a search for the rate itself', ['--find-capacity', 'rate>9/s'], 'on anything but the rate'],
  ['a search with a warm-up', ['--find-capacity', 'p99<1s', '--warm-up', '1s'], 'expected one of the two'],
  [
    'a saturation that writes',
    ['--saturate', '--mix', 'wci.subscribe=1'],
    '--mix: expected reads only, since the number of requests is not known',
  ],
  ['a noisy tenant', ['--noisy', '80%'], '--noisy: no such option'],
  ['a reconnect storm', ['--reconnect', '10s'], '--reconnect: no such option'],
  [
    'an option that does nothing',
    ['--trial', '5s'],
    '--trial: expected --find-capacity as well, since it does nothing alone',
  ],
  [
    'two durations',
    ['--stages', '1/s for 1s', '--duration', '1s'],
    '--stages, --duration: expected one of the two',
  ],
  ['a malformed course', ['--stages', '10/s'], 'RATE→RATE in TIME'],
  [
    'a course and a rate',
    ['--stages', '1/s for 1s', '--rate', '1/s'],
    '--stages, --rate: expected one of the two',
  ],
  [
    'a course of a journey that is not taken',
    ['--stages', 'dashboard: 1/s for 1s'],
    'expected a journey that --journeys names',
  ],
  ['a journey that there is not', ['--journeys', 'loafing'], '--journeys: expected '],
  [
    'a file without journeys',
    ['--journeys-from', 'none.ts', '--journeys', 'x'],
    '--journeys-from: expected a module',
  ],
  ['a warm-up that is all of it', ['--warm-up', '30s'], "--warm-up: expected less than the load's 30 s"],
  [
    'writes in a search',
    ['--find-capacity', 'p99<1s', '--mix', 'wci.subscribe=1'],
    '--find-capacity: expected reads only',
  ],
  ['a result that is none', ['--compare', 'nothing.json'], 'Expected the result of an earlier run at'],
  ['workers without Redis', ['--workers', '2'], '--redis: expected the Redis that the workers use'],
])('%s is refused before anything is sent: exit 2', async (_what, args, says) => {
  const ended = await refusedAt(sandbox, args);
  expect([ended.code, sandbox.log.length]).toEqual([2, 0]);
  expect(ended.stderr).toContain(says);
});

test.each<[args: readonly string[], says: string]>([
  [['--rate', '500/s'], '--i-own-this-target qa.gatecheck.invalid'],
  [['--saturate'], '--i-own-this-target qa.gatecheck.invalid'],
  [['--rate', '500/s', '--i-own-this-target', 'gatecheck.invalid'], 'expected the host of the target'],
])("somebody's deployment is not loaded beyond the limits: %j", async (args, says) => {
  const ended = await refusedAt(sandbox, args, { GATECHECK_TARGET: 'http://qa.gatecheck.invalid' });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(says);
});

test('writes cost what was granted, and all that they leave behind is listed', async () => {
  const ended = await load([
    ...['--rate', '20/s', '--duration', '2s', '--max-quota', '60', '--seed', '9'],
    ...['--mix', 'wci.subscribe=1,wci.update=1,fla.subscribe=1', '--max-subscriptions', '64'],
  ]);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  const { sideEffects, summary } = resultOf(ended);
  const subscribes = loadOf(ended).operations.find(({ operation }) => operation === 'wci.subscribe');
  const made = subscribes?.latency.count ?? 0;
  expect(made).toBeGreaterThan(5);
  // One more was made to build on.
  expect(sideEffects.filter(({ kind }) => kind === 'checkin')).toHaveLength(made + 1);
  expect(summary.quotaUnits).toBe(made + 1);
});

test('the delay of callbacks is measured while the load goes on, where a state handler can cause them', async () => {
  const ended = await load(['--duration', '2s', '--threshold', 'callbacks:p50<20s'], {
    env: { GATECHECK_TARGET: 'embedded', GATECHECK_KEYS_PRIMARY: undefined },
  });
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  const { callbacks, thresholds } = loadOf(ended);
  expect(callbacks?.count).toBeGreaterThan(3);
  expect(thresholds[0]).toMatchObject({ met: true, samples: callbacks?.count });
  expect(resultOf(ended).summary.callbacks).toBe(callbacks?.count);
});

test('the same seed sends the same load', async () => {
  const args = [
    '--rate',
    '30/s',
    '--duration',
    '2s',
    '--mix',
    'wci.list=1,fla.lookup=1',
    '--arrivals',
    'poisson',
  ];
  const targets: string[][] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const before = sandbox.log.length;
    await load([...args, '--seed', '4', '--keys', '30']);
    targets.push(
      sandbox.log
        .slice(before)
        .map(({ target }) => target)
        .sort(),
    );
  }
  expect(targets[0]?.length).toBeGreaterThan(30);
  expect(targets[1]).toEqual(targets[0]);
});

test('a saturation sends as much as it gets, bounded by count', async () => {
  const ended = await load([
    '--saturate',
    '--duration',
    '20s',
    '--max-requests',
    '500',
    '--connections',
    '4',
  ]);
  expect(ended.code, ended.stderr).toBe(0);
  const { counts, mode, plan } = loadOf(ended);
  expect([mode, plan.ratePerSecond, plan.connections]).toEqual(['saturation', null, 4]);
  expect(counts.sent).toBe(500);
  expect(ended.ms).toBeLessThan(15_000);
});

test('a load by stages warms up, ends by a threshold, and says so: exit 1', async () => {
  const ended = await load([
    ...['--stages', '10->40/s in 2s, 40/s for 20s', '--warm-up', '1s', '--mix', 'wci.list=1'],
    ...['--threshold', '!p50<0.001ms for 2s'],
  ]);
  expect(ended.code, ended.stderr).toBe(1);
  const part = loadOf(ended);
  expect(part.aborted).toMatchObject({ threshold: '!p50<0.001ms for 2s', met: false, atMs: 3000 });
  expect(part.counts.warmUp).toBeGreaterThan(5);
  expect(part.counts.unsent).toBeGreaterThan(100);
  expect(part.counts.planned).toBe(850);
  expect(part.plan.stages).toHaveLength(2);
});

test('journeys of a file of the user are taken, and what they cost is granted before', async () => {
  const file = join(import.meta.dirname, '..', 'src', 'index.ts');
  const journey = `import { defineJourney, list } from ${JSON.stringify(file)};
export default defineJourney({ id: 'mine', title: 'look', apis: ['webcheckin'], needs: [], cost: { requests: 2 },
  run: async (partner) => { await partner.send('look', list()); await partner.think(10); } });`;
  const mine = join(mkdtempSync(join(tmpdir(), 'gatecheck-journeys-')), 'mine.ts');
  writeFileSync(mine, journey);
  const ended = await load([
    ...['--journeys', 'mine,dashboard=1', '--journeys-from', mine],
    ...['--rate', '10/s', '--duration', '1s'],
  ]);
  expect(ended.code, ended.stderr).toBe(0);
  expect(loadOf(ended).journeys?.map(({ journey: id, begun, done }) => [id, begun === done])).toEqual(
    expect.arrayContaining([
      ['mine', true],
      ['dashboard', true],
    ]),
  );
  const greedy = await refusedAt(sandbox, [
    '--journeys',
    'subscribe-and-poll',
    '--rate',
    '9/s',
    '--max-quota',
    '3',
  ]);
  expect(greedy.stderr).toContain('--max-quota: expected');
});
