import type { Redis } from 'ioredis';
import { systemClock } from '../../core/clock.ts';
import { pacedLimits } from '../../core/settings.ts';
import { sliceMs } from '../plan/arrivals.ts';
import type { KeyDecision } from '../judge/accuracy.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { WorkerOptions } from '../plan/loadOptions.ts';
import type { WorkersSummary } from '../summary/summarySchema.ts';
import { awaitWorkers } from './awaitWorkers.ts';
import { coordinate } from './coordinate.ts';
import { keptSeconds, keyId, redisKeys, workerVersion, type LoadSetup } from './messages.ts';
import { connectRedis, RedisWatch } from './redis.ts';
import { SharedBudget } from './sharedBudget.ts';
import { SharedClock } from './sharedClock.ts';
import { version } from '../../version.ts';
import type { Load } from '../load.ts';
import type { LoadRecorder } from '../send/loadAccount.ts';
import { PartInbox, partSetupOf } from '../processes/loadParts.ts';
import { collectJudged } from './workerJudging.ts';

/** The workers of a load, and the Redis through which they are reached. */
export interface LoadWorkers {
  readonly count: number;
  readonly redis: Redis;
  readonly watch: RedisWatch;
  readonly close: () => void;
}

/** How long workers may take to register. */
const workersWaitMs = 60_000;
/** Time for the first parts to reach their workers, and for the workers to get ready. */
const headStartMs = 3000;

/** Connects to Redis and waits until there are enough workers. Nothing is sent to the target before that. */
export async function gatherWorkers(load: Load, { count, redisUrl }: WorkerOptions): Promise<LoadWorkers> {
  const { run, plan, session, notice } = load;
  const redis = await connectRedis(redisUrl);
  const watch = new RedisWatch(redis, { signal: session.signal, notice });
  const close = () => {
    watch.stop();
    redis.disconnect();
  };
  try {
    const wanted = {
      count,
      target: run.target.baseUrls,
      keys: keysOf(load),
      beyondLimits: !plan.withinLimits,
      version: workerVersion(version),
      waitMs: workersWaitMs,
    };
    await watch.orLost(awaitWorkers(redis, wanted, { clock: systemClock, signal: session.signal, notice }));
  } catch (error) {
    close();
    if (!session.signal.aborted) throw error;
  }
  return { count, redis, watch, close };
}

/** Distributes the load to the workers, and combines their results. */
export async function driveOverWorkers(
  load: Load,
  { count, redis, watch }: LoadWorkers,
  { material, recorder, onStart, signal }: OverWorkers,
): Promise<{ readonly elapsedMs: number; readonly workers: WorkersSummary | null }> {
  const { run, session, plan, notice } = load;
  const clock = new SharedClock(redis, systemClock);
  const given = { shares: count, material: { ...material, twinsOf: run.id } };
  const setup = await watch
    .orLost(handOut(load, { redis, clock, recorder }, given))
    .catch((error: unknown) => {
      if (!session.signal.aborted) throw error;
      return null;
    });
  if (setup === null) return { elapsedMs: 0, workers: null };
  const { startAt } = setup;
  const inbox = new PartInbox(load, recorder, () => clock.shared);
  onStart(clock.toMonotonic(startAt));
  const workers = await coordinate({
    ...{ redis, watch, setup, recorder, signal, notice },
    clock: systemClock,
    sharedClock: clock,
    onPart: (part) => inbox.take(part.worker, part),
  });
  inbox.end();
  notePace(load, recorder, clock);
  const names = workers.took.map(({ worker }) => worker);
  const judged = { judge: load.judge, clock: systemClock, workers: names };
  const unheard = await watch.orLost(collectJudged(redis, run.id, judged)).catch((error: unknown) => {
    if (!watch.isLost) throw error;
    return names;
  });
  const last = Math.max(startAt, recorder.accuracy.lastReceived);
  return {
    elapsedMs: Math.max(Math.min(plan.durationMs, clock.now() - startAt), last - startAt),
    workers: unheard.length === 0 ? workers : { ...workers, unheard },
  };
}

interface Shared {
  readonly redis: Redis;
  readonly clock: SharedClock;
  readonly recorder: LoadRecorder;
}

/** Measures the common clock, and puts what all parts have in common into Redis. */
async function handOut(
  load: Load,
  { redis, clock, recorder }: Shared,
  given: Pick<LoadSetup, 'shares' | 'material'>,
): Promise<LoadSetup> {
  const { run, session } = load;
  await clock.measure(10);
  for (const decision of shared(session.decisions, clock)) recorder.accuracy.add(decision);
  await rememberPace(load, redis, clock);
  const setup = setupOf(load, { ...given, startAt: Math.ceil(clock.now() + headStartMs) });
  await redis.set(redisKeys.setup(run.id), JSON.stringify(setup), 'EX', keptSeconds);
  return setup;
}

interface OverWorkers {
  readonly material: LoadMaterial;
  readonly recorder: LoadRecorder;
  readonly onStart: (startedAt: number) => void;
  readonly signal: AbortSignal;
}

function setupOf(
  load: Load,
  { startAt, ...given }: Pick<LoadSetup, 'shares' | 'startAt' | 'material'>,
): LoadSetup {
  return {
    ...partSetupOf(load, given),
    version: 1,
    keys: keysOf(load),
    limits: pacedLimits(load.run.settings),
    startAt,
    endMs: Math.ceil(load.plan.durationMs / sliceMs) * sliceMs,
  };
}

function keysOf({ keys }: Load): LoadSetup['keys'] {
  return keys.map(({ value, label }) => ({ id: keyId(value), label }));
}

/** Earlier decisions, on the clock of the workers. */
function shared(
  decisions: readonly KeyDecision[],
  { shared: { offsetMs, errorMs } }: SharedClock,
): readonly KeyDecision[] {
  return decisions.map(([key, sent, received, decision]) => [
    key,
    sent + offsetMs - errorMs,
    received + offsetMs + errorMs,
    decision,
  ]);
}

/** Requests of this machine with the keys count for the workers, too. */
async function rememberPace({ keys, run }: Load, redis: Redis, clock: SharedClock) {
  const ids = keys.map(({ value }) => keyId(value));
  const budget = new SharedBudget(redis, { ids, limits: pacedLimits(run.settings), holdMs: 0 });
  const now = systemClock.monotonic();
  for (const [index, key] of keys.entries()) {
    const times = run.pacer.window(key).recent(now);
    await budget.remember(
      index,
      times.map((at) => at + clock.shared.offsetMs),
      `${run.id}/before`,
    );
  }
}

/** Requests of the workers count for later runs of this machine. */
function notePace({ keys, run }: Load, { accuracy }: LoadRecorder, clock: SharedClock): void {
  for (const key of keys) {
    const times = accuracy.recent(key.label).map((received) => clock.toMonotonic(received));
    run.pacer.remember(
      key,
      times.map((at) => Math.min(at, systemClock.monotonic())),
    );
  }
}
