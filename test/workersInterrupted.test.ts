import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasRedis } from './support/redis.ts';
import { gatecheck } from './support/gatecheck.ts';
import { WorkerStage } from './support/workerStage.ts';
import { loadOf } from './support/writtenLoad.ts';
import { resultOf } from './support/writtenResult.ts';

describe.runIf(hasRedis)('an interrupt over workers', () => {
  let stage: WorkerStage;
  beforeEach(async () => {
    stage = await WorkerStage.open();
  });
  afterEach(() => stage.close());

  test('Redis is gone and the load gets SIGTERM: it ends within seconds, says so, and reports what it has: exit 130', async () => {
    const worker = stage.startWorker('w1');
    let interruptedAt = 0;
    const ended = await stage.load(['--workers', '1', '--rate', '40/s', '--duration', '60s'], (child) => {
      void stage.asked(150).then(() => {
        stage.redis.pause();
        interruptedAt = performance.now();
        child.kill('SIGTERM');
      });
    });
    expect(performance.now() - interruptedAt).toBeLessThan(10_000);
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stderr).toMatch(/Redis has not answered for \d s/);
    const { counts } = loadOf(ended);
    // What the worker had not handed in may have been sent; nothing else was.
    expect(counts.sent).toBeGreaterThan(30);
    expect(stage.sandbox.log.length).toBeLessThanOrEqual(resultOf(ended).summary.requests + counts.lost);
    expect(counts.unsent).toBeGreaterThan(1000);
    // The worker itself waits for Redis, and hears its own interrupt nevertheless.
    expect(worker.exitCode).toBe(null);
    worker.kill('SIGINT');
    const [code] = (await once(worker, 'exit')) as [number];
    expect(code).toBe(0);
  });

  test('Redis is gone and a run over workers gets Ctrl-C: it ends within seconds and says so: exit 130', async () => {
    stage.startWorker('w1');
    let interruptedAt = 0;
    const ended = await stage.runOver(1, (child) => {
      void stage.asked(3).then(async () => {
        await stage.redis.stop();
        interruptedAt = performance.now();
        child.kill('SIGINT');
      });
    });
    expect(performance.now() - interruptedAt).toBeLessThan(10_000);
    expect(ended.code, ended.stderr).toBe(130);
    expect(ended.stderr).toMatch(/Redis has not answered for \d s/);
    expect(ended.stdout).toContain('not done (exit 3)');
  });

  test('Ctrl-C stops the shards of a run as well, and the report holds what they had done: exit 130', async () => {
    stage.startWorker('w1');
    stage.startWorker('w2');
    const ended = await stage.runOver(2, (child) => {
      void stage.asked(8).then(() => child.kill('SIGINT'));
    });
    expect(ended.code, ended.stderr).toBe(130);
    const seen = stage.sandbox.log.length;
    const { run, summary } = resultOf(ended);
    expect([run.end, summary.exitCode]).toEqual(['interrupted', 130]);
    // What was under way counts, since it may have had its effect: a few of each shard, on a busy machine.
    expect(summary.requests).toBeGreaterThanOrEqual(seen);
    expect(summary.requests).toBeLessThanOrEqual(seen + 16);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(stage.sandbox.log.length).toBe(seen);
  });

  test('Ctrl-C stops the workers as well, and the reports hold what was done: exit 130', async () => {
    stage.startWorker('w1');
    stage.startWorker('w2');
    let interruptedAt = 0;
    const ended = await stage.load(['--workers', '2', '--rate', '40/s', '--duration', '60s'], (child) => {
      void stage.asked(60).then(() => {
        interruptedAt = performance.now();
        child.kill('SIGINT');
      });
    });
    expect(performance.now() - interruptedAt).toBeLessThan(8000);
    expect(ended.code, ended.stderr).toBe(130);
    const { counts } = loadOf(ended);
    expect(counts.sent).toBeGreaterThan(30);
    const seen = stage.sandbox.log.length;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(stage.sandbox.log.length).toBe(seen);
  });
});

test('a Redis that is not there is told in one line: exit 3', async () => {
  const ended = await gatecheck(
    [
      'load',
      '--target',
      'http://127.0.0.1:1',
      '--workers',
      '2',
      '--redis',
      'redis://:s3cret-redis@127.0.0.1:1',
    ],
    { env: { GATECHECK_KEYS_PRIMARY: 's3cret-key' } },
  );
  expect(ended.code, ended.stderr).toBe(3);
  expect(ended.stderr).toContain('Expected a Redis at 127.0.0.1:1');
  expect(ended.stderr + ended.stdout).not.toMatch(/s3cret/);
});
