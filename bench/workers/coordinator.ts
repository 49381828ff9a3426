import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../../src/core/clock.ts';
import { LimiterAccuracy } from '../../src/load/judge/limiterAccuracy.ts';
import { slicesOf } from '../../src/load/plan/arrivals.ts';
import { stepMs } from '../../src/load/plan/plan.ts';
import { Recorder } from '../../src/load/send/recorder.ts';
import { awaitWorkers } from '../../src/load/workers/awaitWorkers.ts';
import { coordinate } from '../../src/load/workers/coordinate.ts';
import { keptSeconds, redisKeys } from '../../src/load/workers/messages.ts';
import { connectRedis, RedisWatch } from '../../src/load/workers/redis.ts';
import { SharedClock } from '../../src/load/workers/sharedClock.ts';
import { windowLimits } from '../../src/send/keyWindow.ts';
import { keysOf, setupOf, target, version } from './setup.ts';

/** What the process that hands a load out came to. */
export interface CoordinatorFigures {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly delayP99Ms: number;
  readonly heapMb: number;
  readonly planned: number;
  readonly sent: number;
  readonly missed: number;
  readonly lost: number;
  readonly takenOver: number;
  readonly latenessP99Ms: number;
}

// The process that hands a load out, as `gatecheck load --workers` does it: `node bench/workers/coordinator.ts REDIS WORKERS RATE SECONDS`.
// It prints `started` when the load begins, and its figures at the end.

const [url = '', workers = '1', perWorker = '100', seconds = '10'] = process.argv.slice(2);
const count = Number(workers);
const redis = await connectRedis(url);
const signal = new AbortController().signal;
const notice = () => undefined;
const asked = performance.now();
const wanted = { count, target, version, keys: keysOf(count), beyondLimits: true, waitMs: 300_000 };
await awaitWorkers(redis, wanted, { clock: systemClock, signal, notice });
const readyMs = performance.now() - asked;
const sharedClock = new SharedClock(redis, systemClock);
await sharedClock.measure(10);
const runId = `bench-${Date.now()}`;
const setup = setupOf({
  ...{ runId, workers: count, perWorker: Number(perWorker), seconds: Number(seconds) },
  startAt: Math.ceil(sharedClock.now() + 3000),
});
await redis.set(redisKeys.setup(runId), JSON.stringify(setup), 'EX', keptSeconds);
const accuracy = new LimiterAccuracy(windowLimits(setup.limits));
const recorder = new Recorder(stepMs(setup.plan), 0, accuracy);
const watch = new RedisWatch(redis, { signal, notice });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const before = process.cpuUsage();
process.stdout.write('started\n');
const { takenOver } = await coordinate({
  ...{ redis, watch, setup, sharedClock, recorder, signal, notice, clock: systemClock },
  onPart: ({ snapshot }) => recorder.add(snapshot),
});
const { user, system } = process.cpuUsage(before);
const figures: CoordinatorFigures = {
  ...{ readyMs, takenOver, cpuMs: (user + system) / 1000, delayP99Ms: delay.percentile(99) / 1e6 },
  heapMb: process.memoryUsage().rss / 2 ** 20,
  planned: slicesOf(setup.plan).reduce((sum, slice) => sum + slice.count, 0),
  ...{ sent: recorder.sent, missed: recorder.missedCount, lost: recorder.lost },
  latenessP99Ms: recorder.lateness.percentile(99),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit();
