import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Claim, claimedCounts } from '../src/load/workers/performPart.ts';
import { SharedBudget } from '../src/load/workers/sharedBudget.ts';
import { defaultEnterprises } from '../src/reference/enterprises.ts';
import { documentedPolicy } from '../src/reference/policy.ts';
import { resultSchema } from '../src/report/result.ts';
import { gatecheck } from './support/gatecheck.ts';
import { createBusyDeployment, loadDefects } from './support/loadDefects.ts';
import { hasRedis } from './support/redis.ts';
import { openSandbox } from './support/sandbox.ts';
import { WorkerStage } from './support/workerStage.ts';
import { loadOf } from './support/writtenLoad.ts';
import { resultOf, undecidedOf } from './support/writtenResult.ts';

describe.runIf(hasRedis)('a load over workers', () => {
  let stage: WorkerStage;
  beforeEach(async () => {
    stage = await WorkerStage.open();
  });
  afterEach(() => stage.close());

  test('one of four is killed: the others go on, each request has one fate, and none is sent or counted twice', async () => {
    const names = ['w1', 'w2', 'w3', 'w4'];
    const [victim] = names.map((name) => stage.startWorker(name));
    const ended = await stage.load(['--workers', '4', '--rate', '60/s', '--duration', '9s'], () => {
      void stage.asked(150).then(() => victim?.kill('SIGKILL'));
    });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { counts, workers: crew, operations, service } = loadOf(ended);
    const missed = counts.missed.late + counts.missed.inFlight + counts.missed.limits;
    expect(counts.planned).toBe(540);
    expect(counts.sent + missed + counts.lost + counts.unsent).toBe(540);
    expect(counts.unsent).toBe(0);
    // A worker holds two parts of 15 requests; on a busy machine one may be taken for lost that is only slow.
    expect(counts.lost).toBeLessThanOrEqual(4 * 30);
    expect(crew).toMatchObject({ expected: 4, incomplete: false });
    expect(crew?.takenOver).toBeGreaterThan(0);
    // The one that was killed may have handed nothing in before.
    expect(names).toEqual(expect.arrayContaining(crew?.took.map(({ worker }) => worker) ?? []));
    expect(crew?.took.length).toBeGreaterThanOrEqual(3);
    expect(crew?.took.reduce((sum, { sent }) => sum + sent, 0)).toBe(counts.sent);
    // The server saw all that was counted, at most that and what was lost, and nothing twice.
    const { requests } = resultOf(ended).summary;
    // What is sent alone before a load, and asked after it, counts as well.
    expect(requests - counts.sent).toBeLessThan(24);
    expect(stage.sandbox.log.length).toBeGreaterThanOrEqual(requests);
    expect(stage.sandbox.log.length).toBeLessThanOrEqual(requests + counts.lost);
    expect(service.count).toBe(counts.sent);
    const byStatus = operations.flatMap(({ statuses }) => statuses.map(({ count }) => count));
    expect(byStatus.reduce((sum, count) => sum + count, 0)).toBe(counts.sent);
  });

  test('a load within the limits takes its keys from the common budget', async () => {
    stage.startWorker('w1');
    stage.startWorker('w2');
    const ended = await stage.load(['--workers', '2', '--keys', '4', '--within-limits', '--duration', '4s']);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { counts } = loadOf(ended);
    expect([counts.sent, counts.refused, counts.missed.limits]).toEqual([counts.planned, 0, 0]);
    const reader = new Redis(stage.redis.url);
    const logged = await Promise.all((await reader.keys('gatecheck:key:*')).map((key) => reader.zcard(key)));
    reader.disconnect();
    const sum = logged.reduce((total, count) => total + count, 0);
    expect(sum).toBe(resultOf(ended).summary.requests);
  });

  test('the budget of a key holds over all who take of it, however they meet', async () => {
    const connections = [new Redis(stage.redis.url), new Redis(stage.redis.url), new Redis(stage.redis.url)];
    const limits = { perMinute: 6, perHour: 1000 };
    const budgets = connections.map(
      (one) => new SharedBudget(one, { ids: ['a', 'b'], limits, holdMs: 30_000 }),
    );
    const [seconds] = (await connections[0]?.time()) ?? [0];
    // Two of the first key a minute and more ago, which are free again, and one of the second key within it.
    const now = (seconds ?? 0) * 1000;
    await budgets[0]?.remember(0, [now - 62_500, now - 62_500], 'before');
    await budgets[0]?.remember(1, [now - 58_000], 'before');
    const takes = Array.from({ length: 30 }, async (_, turn) =>
      budgets[turn % 3]?.take(2, turn, `t/${turn}`),
    );
    const taken = await Promise.all(takes);
    for (const connection of connections) connection.disconnect();
    const places = taken.flatMap((one) => one ?? []);
    expect([0, 1, -1].map((place) => places.filter((one) => one === place).length)).toEqual([6, 5, 49]);
  });

  test('who takes a part over goes on behind the mark, and who is believed lost is told to stop', async () => {
    const connection = new Redis(stage.redis.url);
    const [first, second] = [1, 2].map(
      (attempt) => new Claim(connection, { runId: 'run', part: '0-0', attempt }),
    );
    const told = [
      await first?.take(0),
      await first?.take(4),
      await second?.take(0),
      await first?.take(8),
      await second?.take(6),
    ];
    const counts = await claimedCounts(connection, 'run');
    connection.disconnect();
    expect(told).toEqual([0, 0, 4, -1, 4]);
    expect(counts.get('0-0')).toBe(6);
  });

  test('no key stands in Redis, neither in clear nor anything that it follows from', async () => {
    stage.startWorker('w1');
    const reader = new Redis(stage.redis.url);
    const seen: string[] = [];
    const monitor = await reader.monitor();
    monitor.on('monitor', (_time: string, args: readonly string[]) => seen.push(args.join(' ')));
    const ended = await stage.load(['--workers', '1', '--rate', '30/s', '--duration', '2s']);
    monitor.disconnect();
    reader.disconnect();
    expect(ended.code, ended.stderr).toBe(0);
    const traffic = seen.join('\n');
    expect(traffic).toContain('gatecheck:load:');
    for (const key of stage.sandbox.keys) expect(traffic).not.toContain(key);
  });

  test('a worker that lacks a key is named before anything is sent: exit 2', async () => {
    stage.startWorker('poor', stage.sandbox.keys.slice(0, 2));
    const ended = await stage.load(['--workers', '1', '--keys', '3', '--rate', '5/s', '--duration', '2s']);
    expect([ended.code, stage.sandbox.log.length]).toEqual([2, 0]);
    expect(ended.stderr).toContain('Worker poor: expected the keys of this load; it lacks primary#3');
    for (const key of stage.sandbox.keys) expect(ended.stderr).not.toContain(key);
  });

  test('a worker of another version is named before anything is sent: exit 2', async () => {
    const connection = new Redis(stage.redis.url);
    const [seconds] = await connection.time();
    const target = { webcheckin: stage.sandbox.url, 'flight-alerts': stage.sandbox.url };
    const old = { name: 'old', target, keys: [], beyondLimits: true, version: '0.0.9 (protocol 1)' };
    const seenAt = (Number(seconds) + 60) * 1000;
    await connection.hset('gatecheck:workers', 'old', JSON.stringify({ ...old, seenAt }));
    connection.disconnect();
    const ended = await stage.load(['--workers', '1', '--rate', '5/s', '--duration', '2s']);
    expect([ended.code, stage.sandbox.log.length]).toEqual([2, 0]);
    expect(ended.stderr).toMatch(
      /Worker old: expected version .+; got 0\.0\.9 \(protocol 1\)\. Nothing was sent/,
    );
  });

  test('what workers are answered is judged by them, and adds up to one verdict: exit 1', async () => {
    await stage.sandbox.close();
    stage.sandbox = await openSandbox({
      policy: {
        ...documentedPolicy,
        listBody: (fields) => ({ ...fields, success: 'true' }),
      },
    });
    stage.startWorker('w1');
    stage.startWorker('w2');
    const ended = await stage.load([
      '--workers',
      '2',
      '--rate',
      '40/s',
      '--duration',
      '4s',
      '--mix',
      'wci.list=1',
    ]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(1);
    const result = resultOf(ended);
    const { correctness, counts } = loadOf(ended);
    expect([correctness?.seen, correctness?.judged]).toEqual([counts.sent, counts.sent]);
    const [broken] = correctness?.broken ?? [];
    expect(broken?.load.violations).toBe(counts.sent);
    expect(result.findings.map(({ requirement }) => requirement)).toContain(broken?.requirement);
    expect((result.summary.reasons ?? []).join()).not.toContain('not judged');
  });

  test('records that workers made are looked for in the list after the load', async () => {
    stage.startWorker('w1');
    stage.startWorker('w2');
    const writes = ['--mix', 'wci.subscribe=1', '--max-quota', '40'];
    const ended = await stage.load(['--workers', '2', '--rate', '8/s', '--duration', '3s', ...writes]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const listed = resultOf(ended).requirements.find(({ id }) => id === 'WCI-LST-021');
    expect(listed).toMatchObject({ verdict: 'pass' });
  });

  test('the whole is judged over all workers: a quota that only both together oversell, and a booking that both subscribe at once', async () => {
    await stage.sandbox.close();
    const work = () => new Promise<void>((resolve) => setTimeout(resolve, 30));
    const twice = loadDefects.find(({ id }) => id === 'booking-twice') ?? null;
    const entitlement = { status: 'active', included_units: 30, consumed_units: 0 } as const;
    const enterprises = defaultEnterprises(1).enterprises.map((one) => ({ ...one, entitlement }));
    stage.sandbox = await openSandbox(
      { policy: { ...documentedPolicy, quotaAllows: () => true }, enterprises },
      (options) => createBusyDeployment(twice, { ...options, work }),
    );
    stage.startWorker('w1');
    stage.startWorker('w2');
    const writes = ['--mix', 'wci.subscribe=1', '--max-quota', '60'];
    const ended = await stage.load(['--workers', '2', '--rate', '10/s', '--duration', '5s', ...writes]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(1);
    const { findings } = resultOf(ended);
    const oversold = findings.find(({ requirement }) => requirement === 'WCI-QTA-010');
    expect(oversold?.actual).toMatch(/\d+ new records/);
    const raced = findings.find(({ requirement }) => requirement === 'WCI-SUB-021');
    const senders = raced?.exchanges.map((id) => id.split('/')[0]).sort();
    expect(senders).toEqual(['w1', 'w2']);
    expect(JSON.stringify(findings)).not.toContain(stage.sandbox.keys[0]);
  });

  test('a worker for another target is named before anything is sent: exit 2', async () => {
    stage.startWorker('stray', stage.sandbox.keys, ['--target', 'http://127.0.0.1:1']);
    const ended = await stage.load(['--workers', '1', '--rate', '5/s', '--duration', '2s']);
    expect([ended.code, stage.sandbox.log.length]).toEqual([2, 0]);
    expect(ended.stderr).toContain('Worker stray: expected the target');
  });

  test('all workers are lost: the load ends, is marked incomplete, and exits 3', async () => {
    const worker = stage.startWorker('only');
    const ended = await stage.load(['--workers', '1', '--rate', '30/s', '--duration', '4s'], () => {
      void stage.asked(30).then(() => worker.kill('SIGKILL'));
    });
    expect(ended.code, ended.stdout).toBe(3);
    const { counts, workers: crew } = loadOf(ended);
    expect(crew?.incomplete).toBe(true);
    expect(counts.lost + counts.unsent).toBeGreaterThan(0);
    expect(counts.sent + counts.lost + counts.unsent + counts.missed.late).toBe(counts.planned);
    expect(ended.stdout).toContain('No worker sent some parts of the load.');
  });

  test('Redis is lost for a while: the load goes on, and nothing is sent or counted twice', async () => {
    stage.startWorker('w1');
    stage.startWorker('w2');
    let meanwhile = 0;
    const ended = await stage.load(['--workers', '2', '--rate', '30/s', '--duration', '14s'], () => {
      // Workers hold some parts by then.
      void stage.asked(120).then(async () => {
        stage.redis.pause();
        const before = stage.sandbox.log.length;
        await new Promise((resolve) => setTimeout(resolve, 5000));
        meanwhile = stage.sandbox.log.length - before;
        stage.redis.resume();
      });
    });
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { counts, workers: crew } = loadOf(ended);
    // Some 150 are due in that time; on a busy machine some are missed.
    expect(meanwhile).toBeGreaterThan(60);
    expect([counts.planned, counts.lost, counts.unsent, crew?.takenOver]).toEqual([420, 0, 0, 0]);
    expect(counts.sent + counts.missed.late + counts.missed.inFlight).toBe(420);
    expect(stage.sandbox.log.length).toBe(resultOf(ended).summary.requests);
  });

  test('shards of a run: one worker is killed, another runs its shard anew, and each counts once', async () => {
    const names = ['w1', 'w2', 'w3'];
    const [victim] = names.map((name) => stage.startWorker(name));
    const kill = () => void stage.asked(8).then(() => victim?.kill('SIGKILL'));
    const ended = await stage.runOver(3, kill, ['--share', '50%']);
    expect(ended.code, ended.stdout + ended.stderr + undecidedOf(ended)).toBe(0);
    const lines = ended.stdout.match(/^shard \d\/3 {2}w\d {2}partial, gate met, \d+ requests/gm);
    expect(lines).toHaveLength(3);
    expect(ended.stdout).not.toMatch(/^shard \d\/3 {2}w1/m);
    expect(ended.stderr).toMatch(/^.*Shard \d: its worker was silent for 20 s; another one runs it anew\.$/m);
    const checks = [1, 2, 3].map((index) => {
      const text = readFileSync(join(ended.folder, 'out', 'shards', String(index), 'result.json'), 'utf8');
      const { run, summary, target } = resultSchema.parse(JSON.parse(text));
      expect(run.shard).toEqual({ index, total: 3 });
      // Who leaves others a part of a limit does not fill it.
      expect(target.capabilities).not.toContain('fillable-limits');
      return summary.requests;
    });
    // A third of 60 each, whatever the lost worker had sent.
    for (const requests of checks) expect(requests).toBeLessThanOrEqual(20);
  });

  test('what all shards found goes into the baseline that is to be updated', async () => {
    for (const name of ['w1', 'w2']) stage.startWorker(name);
    const update = ['--baseline', 'known.json', '--update-baseline'];
    const ended = await stage.runOver(2, () => undefined, [...update, '--reason', 'to be repaired']);
    expect(ended.code, ended.stdout + ended.stderr + undecidedOf(ended)).toBe(0);
    expect(JSON.parse(readFileSync(join(ended.folder, 'known.json'), 'utf8'))).toEqual([]);
  });

  test('more workers than keys: shards would share a budget, exit 2', async () => {
    const ended = await gatecheck(['run', '--target', stage.sandbox.url, '--workers', '3'], {
      env: {
        GATECHECK_REDIS: stage.redis.url,
        GATECHECK_KEYS_PRIMARY: stage.sandbox.keys.slice(0, 2).join(','),
      },
    });
    expect([ended.code, stage.sandbox.log.length]).toEqual([2, 0]);
    expect(ended.stderr).toContain('--workers: expected at most 2');
  });
});
