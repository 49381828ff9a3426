import type { Redis } from 'ioredis';
import type { Exchange } from '../../core/evidence.ts';
import { Scope } from '../../core/scope.ts';
import type { LoadJudge } from '../judge/loadJudge.ts';
import { LoadSession } from '../send/loadSession.ts';
import { noPaceBook } from '../../send/paceBook.ts';
import { judgePart } from '../judge/loadJudging.ts';
import { createPacer, type OpenRun } from '../../engine/session/openRun.ts';
import { SeenExchanges } from '../summary/seen.ts';
import { keyId, redisKeys, type LoadSetup, type PartJob, type PartResult } from './messages.ts';
import { performPart } from './performPart.ts';
import type { Hold } from './serveJobs.ts';
import { SharedBudget } from './sharedBudget.ts';
import { SharedClock } from './sharedClock.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import { createUndiciTransport } from '../../send/undiciTransport.ts';
import { JudgedHandIn } from './workerJudging.ts';

interface WorkerLoadsOptions {
  readonly run: OpenRun;
  readonly redis: Redis;
  /** Name of the worker in reports. */
  readonly name: string;
  /** Whether this worker may go beyond the limits of the target. */
  readonly beyondLimits: boolean;
}

/** The load that a worker sends parts of, and what it sends them with. */
interface OpenLoad {
  readonly setup: LoadSetup;
  readonly keys: readonly ApiKey[];
  readonly session: LoadSession;
  readonly budget: SharedBudget;
  readonly sharedClock: SharedClock;
  readonly judged: JudgedHandIn;
  readonly seen: SeenExchanges;
  readonly scope: Scope;
}

/** The loads of a worker: one at a time is open, as long as parts of it come. */
export class WorkerLoads {
  readonly #options: WorkerLoadsOptions;
  readonly #open = new Map<string, Promise<OpenLoad>>();

  constructor(options: WorkerLoadsOptions) {
    this.#options = options;
  }

  async perform(job: PartJob, hold: Hold): Promise<PartResult> {
    const { redis, run, name } = this.#options;
    const { session, setup, keys, budget, sharedClock, judged, seen } = await this.#loadOf(job.runId);
    await sharedClock.measure();
    const effectsBefore = session.sideEffects.length;
    const { recorder, takenOver } = await performPart({
      ...{ setup, job, hold, keys, redis, budget, sharedClock },
      clock: run.clock,
      signal: session.signal,
      senderFor: (into) => session.sender(setup.material, into, sharedClock.shared),
    });
    await judged.afterPart();
    const sideEffects = session.sideEffects.slice(effectsBefore).map((effect) => ({ ...effect }));
    return {
      ...{ worker: name, snapshot: recorder.snapshot(), takenOver, sideEffects, seen: seen.take() },
      // A part is over once all of it is answered.
      ...{ waits: [], failed: session.failures },
    };
  }

  async close(): Promise<void> {
    for (const load of this.#open.values()) await (await load.catch(() => null))?.scope.close();
    this.#open.clear();
  }

  #loadOf(runId: string): Promise<OpenLoad> {
    let load = this.#open.get(runId);
    if (!load) this.#open.set(runId, (load = this.#openLoad(runId)));
    return load;
  }

  async #openLoad(runId: string): Promise<OpenLoad> {
    const { redis, run } = this.#options;
    const { clock, settings } = run;
    const text = await redis.get(redisKeys.setup(runId));
    if (text === null) throw new Error(`the load ${runId} is over`);
    const setup = JSON.parse(text) as LoadSetup;
    const keys = this.#keysFor(setup);
    this.#refuseForeign(setup);
    const scope = new Scope();
    const signal = await this.#stopSignal(runId, scope);
    const sharedClock = new SharedClock(redis, clock);
    await sharedClock.measure(10);
    const startedAt = () => sharedClock.toMonotonic(setup.startAt);
    const judge = judgePart(run, setup, { keys, startedAt });
    const { name } = this.#options;
    const redact = (text: string) => run.redactor.redact(text);
    const seen = new SeenExchanges({ name, redact, shared: () => sharedClock.shared });
    const session = this.#createSession({ setup, runId, keys, signal, scope, judge, seen });
    const judged = new JudgedHandIn({ ...{ redis, runId, name, judge, clock }, command: setup.command });
    await this.#listen(redisKeys.over(runId), scope, () => void judged.end().catch(() => undefined));
    this.#closeInTime(runId, scope, setup.startAt + setup.endMs + 60_000 - sharedClock.now());
    const ids = setup.keys.map(({ id }) => id);
    const budget = new SharedBudget(redis, {
      ...{ ids, limits: setup.limits },
      holdMs: settings.http.responseTimeoutMs + 10_000,
    });
    return { setup, keys, session, budget, sharedClock, judged, seen, scope };
  }

  /** Aborts when the load is stopped. */
  async #stopSignal(runId: string, scope: Scope): Promise<AbortSignal> {
    const { redis } = this.#options;
    const stop = new AbortController();
    await this.#listen(redisKeys.stop(runId), scope, () => stop.abort(new Error('the load was stopped')));
    if ((await redis.get(redisKeys.stop(runId))) !== null) stop.abort(new Error('the load was stopped'));
    return stop.signal;
  }

  /** Calls `hear` at each message of a Redis channel. */
  async #listen(channel: string, scope: Scope, hear: () => void): Promise<void> {
    const subscriber = scope.use(this.#options.redis.duplicate(), (one) => one.disconnect());
    await subscriber.subscribe(channel);
    subscriber.on('message', hear);
  }

  #createSession({
    setup,
    runId,
    keys,
    signal,
    scope,
    judge,
    seen,
  }: Pick<OpenLoad, 'setup' | 'keys' | 'scope' | 'seen'> & Named) {
    const { run, name } = this.#options;
    const { clock, tell } = run;
    const settings = { ...run.settings, seed: setup.plan.seed, limits: setup.limits };
    const transport = createUndiciTransport(settings.http, clock, setup.maxInFlight);
    scope.defer(() => transport.close());
    // Names that must be new must differ from those of other workers.
    const own = {
      id: `${runId}/${name}`,
      settings,
      signal,
      scope,
      pacer: createPacer(settings, { clock, tell, book: noPaceBook }),
    };
    const { maxRequests } = setup.plan;
    const onExchange = (exchange: Exchange) => seen.see(exchange);
    return new LoadSession(
      { ...run, ...own },
      { transport, keys, maxRequests, keepsTarget: true, judge, onExchange },
    );
  }

  #closeInTime(runId: string, scope: Scope, overInMs: number): void {
    const close = () => {
      this.#open.delete(runId);
      void scope.close();
    };
    scope.defer(this.#options.run.clock.timer(Math.max(60_000, overInMs), close));
  }

  /** Keys come from this machine's own environment; the load only says which ones to use. */
  #keysFor({ keys }: Pick<LoadSetup, 'keys'>): readonly ApiKey[] {
    const { run, name } = this.#options;
    const own = new Map(run.target.keys.primary.map((key) => [keyId(key.value), key]));
    const missing = keys.filter(({ id }) => !own.has(id)).map(({ label }) => label);
    if (missing.length > 0)
      throw new Error(
        `worker ${name} lacks ${missing.join(', ')}: set GATECHECK_KEYS_PRIMARY as for the load`,
      );
    return keys.flatMap(({ id, label }) => {
      const key = own.get(id);
      return key ? [{ ...key, label }] : [];
    });
  }

  /** Someone with access to Redis must not be able to send this machine's keys elsewhere, or more than is allowed. */
  #refuseForeign({ target, plan }: LoadSetup): void {
    const { run, name, beyondLimits } = this.#options;
    const own = run.target.baseUrls;
    if (target.webcheckin !== own.webcheckin || target['flight-alerts'] !== own['flight-alerts'])
      throw new Error(`worker ${name} is for another target, ${own.webcheckin}`);
    if (!plan.withinLimits && !beyondLimits)
      throw new Error(
        `worker ${name} stays within the limits, since it was started without --i-own-this-target`,
      );
  }
}

interface Named {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly judge: LoadJudge;
}
