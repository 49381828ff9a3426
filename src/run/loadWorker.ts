import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import { systemClock } from '../core/clock.ts';
import { usageError } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import { LoadSession } from '../engine/loadSession.ts';
import { hostsOf } from '../load/planLoad.ts';
import {
  keyId,
  queueName,
  redisKeys,
  shardQueueName,
  type LoadSetup,
  type PartJob,
  type PartResult,
  type ShardJob,
  type ShardResult,
} from '../load/workers/messages.ts';
import { performPart } from '../load/workers/performPart.ts';
import { announce } from '../load/workers/presence.ts';
import { connectRedis } from '../load/workers/redis.ts';
import { serveJobs } from '../load/workers/serveJobs.ts';
import { SharedBudget } from '../load/workers/sharedBudget.ts';
import { SharedClock } from '../load/workers/sharedClock.ts';
import { ownershipOf } from '../plan/budgets.ts';
import type { ApiKey } from '../send/keyRing.ts';
import { performShard } from './shardWorker.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { openTarget } from '../target/openTarget.ts';
import type { Target } from '../target/target.ts';

export interface LoadWorkerOptions {
  readonly redisUrl: string;
  readonly ownedHost: string | null;
  /** How reports call it; null for the machine and the process. */
  readonly name: string | null;
  readonly signal: AbortSignal;
  readonly redactor: Redactor;
  readonly notice: (text: string) => void;
}

/** Takes parts of loads until it is told to stop; what it has in hand is finished first. */
export async function runLoadWorker(settings: Settings, options: LoadWorkerOptions): Promise<void> {
  if (settings.target.kind !== 'url') {
    throw usageError(
      'WORKER_TARGET',
      '--target: expected the address of a running deployment, which all workers share; got none.',
      'Name the same target for the load and for all its workers.',
    );
  }
  const redis = await connectRedis(options.redisUrl);
  const target = await openTarget(settings, systemClock);
  const name = options.name ?? `${hostname()}-${process.pid}`;
  const loads = new Loads({ settings, target, redis, name, given: options });
  const leave = await announce(redis, {
    name,
    target: target.baseUrls,
    keys: [...target.keys.primary, ...target.keys.other].map(({ value }) => keyId(value)),
    beyondLimits: mayGoBeyond(settings, options),
  });
  const keys = `${target.keys.primary.length} key${target.keys.primary.length === 1 ? '' : 's'}`;
  options.notice(`worker ${name} · ${target.baseUrls.webcheckin} · ${keys} · waiting for loads`);
  try {
    const { signal, notice } = options;
    const common = { redis, name, signal, notice };
    await Promise.all([
      // One part that is sent and one that waits for its time, so that parts spread evenly over workers.
      serveJobs<PartJob, PartResult>({
        ...common,
        queue: queueName,
        atOnce: 2,
        perform: (...part) => loads.perform(...part),
      }),
      serveJobs<ShardJob, ShardResult>({
        ...common,
        queue: shardQueueName,
        atOnce: 1,
        perform: (job) => performShard(job, settings, { name, signal }),
      }),
    ]);
  } finally {
    await leave();
    await loads.close();
    await target.close();
    redis.disconnect();
  }
}

/** The safety of the load holds for each worker by its own word: nobody who reaches Redis can lift it. */
function mayGoBeyond(settings: Settings, { ownedHost }: LoadWorkerOptions): boolean {
  return ownershipOf(settings) !== 'foreign' || hostsOf(settings).every((host) => host === ownedHost);
}

interface LoadsOptions {
  readonly settings: Settings;
  readonly target: Target;
  readonly redis: Redis;
  readonly name: string;
  readonly given: LoadWorkerOptions;
}

/** The load that a worker takes parts of, and what it sends them with. */
interface OpenLoad {
  readonly setup: LoadSetup;
  readonly keys: readonly ApiKey[];
  readonly session: LoadSession;
  readonly budget: SharedBudget;
  readonly sharedClock: SharedClock;
  readonly close: () => Promise<void>;
}

/** The loads of a worker: one at a time is open, as long as parts of it come. */
class Loads {
  readonly #options: LoadsOptions;
  readonly #open = new Map<string, Promise<OpenLoad>>();

  constructor(options: LoadsOptions) {
    this.#options = options;
  }

  async perform(job: PartJob, attempt: number, onLaunched: () => void): Promise<PartResult> {
    const load = await this.#loadOf(job.runId);
    const { session, setup, keys, budget, sharedClock } = load;
    await sharedClock.measure();
    const effectsBefore = session.sideEffects.length;
    const { recorder, takenOver } = await performPart({
      setup,
      job,
      attempt,
      keys,
      redis: this.#options.redis,
      budget,
      clock: systemClock,
      sharedClock,
      signal: session.signal,
      senderFor: (into) => session.sender(setup.material, into, sharedClock.shared),
      onLaunched,
    });
    return {
      worker: this.#options.name,
      snapshot: recorder.snapshot(),
      takenOver,
      sideEffects: session.sideEffects.slice(effectsBefore).map((effect) => ({ ...effect })),
    };
  }

  async close(): Promise<void> {
    for (const load of this.#open.values()) await (await load.catch(() => null))?.close();
    this.#open.clear();
  }

  #loadOf(runId: string): Promise<OpenLoad> {
    let load = this.#open.get(runId);
    if (!load) this.#open.set(runId, (load = this.#openLoad(runId)));
    return load;
  }

  async #openLoad(runId: string): Promise<OpenLoad> {
    const { redis, settings, target, given, name } = this.#options;
    const text = await redis.get(redisKeys.setup(runId));
    if (text === null) throw new Error(`the load ${runId} is over`);
    const setup = JSON.parse(text) as LoadSetup;
    const keys = this.#keysFor(setup);
    this.#refuseForeign(setup);
    const stop = new AbortController();
    const transport = createUndiciTransport(settings.http, systemClock, setup.maxInFlight);
    const session = new LoadSession({
      // Names that have to be new must not be those of another worker.
      runId: `${runId}/${name}`,
      settings: { ...settings, seed: setup.plan.seed, limits: setup.limits },
      target,
      transport,
      keys,
      maxRequests: setup.plan.maxRequests,
      clock: systemClock,
      signal: stop.signal,
      notice: given.notice,
      redactor: given.redactor,
      paceFile: null,
      keepsTarget: true,
    });
    const unlisten = session.listen();
    const subscriber = redis.duplicate();
    await subscriber.subscribe(redisKeys.stop(runId));
    subscriber.on('message', () => stop.abort(new Error('the load was stopped')));
    if ((await redis.get(redisKeys.stop(runId))) !== null) stop.abort(new Error('the load was stopped'));
    const sharedClock = new SharedClock(redis, systemClock);
    await sharedClock.measure(10);
    const ids = setup.keys.map(({ id }) => id);
    const close = async () => {
      clearTimeout(timer);
      unlisten();
      subscriber.disconnect();
      await transport.close();
    };
    const overIn = setup.startAt + setup.endMs + 60_000 - sharedClock.now();
    const timer = setTimeout(
      () => {
        this.#open.delete(runId);
        void close();
      },
      Math.max(60_000, overIn),
    ).unref();
    return {
      setup,
      keys,
      session,
      budget: new SharedBudget(redis, ids, setup.limits, settings.http.responseTimeoutMs + 10_000),
      sharedClock,
      close,
    };
  }

  /** Keys come from this machine's own environment; the load only says which are meant. */
  #keysFor({ keys }: LoadSetup): readonly ApiKey[] {
    const own = new Map(this.#options.target.keys.primary.map((key) => [keyId(key.value), key]));
    const missing = keys.filter(({ id }) => !own.has(id)).map(({ label }) => label);
    if (missing.length > 0)
      throw new Error(
        `worker ${this.#options.name} lacks ${missing.join(', ')}: set GATECHECK_KEYS_PRIMARY as for the load`,
      );
    return keys.flatMap(({ id, label }) => {
      const key = own.get(id);
      return key ? [{ ...key, label }] : [];
    });
  }

  /** Nobody who reaches Redis may send the keys of this machine elsewhere, or more than is allowed. */
  #refuseForeign({ target, plan }: LoadSetup): void {
    const { settings, given, name } = this.#options;
    const own = this.#options.target.baseUrls;
    if (target.webcheckin !== own.webcheckin || target['flight-alerts'] !== own['flight-alerts'])
      throw new Error(`worker ${name} is for another target, ${own.webcheckin}`);
    if (!plan.withinLimits && !mayGoBeyond(settings, given))
      throw new Error(`worker ${name} keeps within the limits, for want of --i-own-this-target`);
  }
}
