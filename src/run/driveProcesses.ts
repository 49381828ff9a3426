import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { systemClock } from '../core/clock.ts';
import { isWrite } from '../load/mix.ts';
import { mergeReadings, type OwnReadings } from '../load/ownHealth.ts';
import type { LoadMaterial } from '../load/payloads.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { LoadOptions } from '../load/loadOptions.ts';
import type { Recorder } from '../load/recorder.ts';
import { exchangeOf, SeenInOrder } from '../load/workers/seenInOrder.ts';
import type { Load } from './load.ts';
import type { ProcessJob, ProcessMessage, ProcessStart } from './loadProcess.ts';
import { machineOffsetMs } from './machineClock.ts';

/** A rate that one process can send in time on any current machine. */
const aloneUpTo = 2000;
/** Processes need some time to get ready. */
const headStartMs = 300;
const readyWithinMs = 30_000;
/** How long answers and the last report may take after the end or a stop. */
const endWithinMs = 45_000;

/**
 * How many processes send a load. A single process sends requests that change something, since it sees everything; the same
 * holds for journeys and for loads within the limits.
 */
export function processCount(
  { processes, journeys, tenants, tenantsFrom, reconnectMs }: ProcessWishes,
  plan: LoadPlan,
): number {
  const isAlone =
    journeys.length > 0 || plan.withinLimits || plan.mix.some(({ operation }) => isWrite(operation));
  if (isAlone || tenants !== null || tenantsFrom !== null || reconnectMs !== null) return 1;
  return processes ?? (plan.ratePerSecond > aloneUpTo ? availableParallelism() : 1);
}

type ProcessWishes = Pick<LoadOptions, 'processes' | 'journeys' | 'tenants' | 'tenantsFrom' | 'reconnectMs'>;

interface Here {
  readonly material: LoadMaterial;
  readonly recorder: Recorder;
  readonly onStart: (startedAt: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a load from several processes of this machine, each with its share of the arrivals; resolves to the time that it took. */
export async function driveProcesses(
  load: Load,
  count: number,
  here: Here,
): Promise<{ readonly elapsedMs: number; readonly own: OwnReadings }> {
  const seen = new SeenInOrder((exchange) => load.judge.seeTogether(exchange));
  const children = Array.from(
    { length: count },
    (_, share) => new Child(load, { ...here, seen }, jobOf(load, here.material, { share, of: count })),
  );
  const stop = () => children.forEach((child) => child.stop());
  try {
    await Promise.all(children.map((child) => child.ready));
    here.signal.addEventListener('abort', stop, { once: true });
    const startAt = performance.now() + headStartMs;
    here.onStart(startAt);
    for (const child of children) child.start({ startAt: startAt + machineOffsetMs() });
    if (here.signal.aborted) stop();
    const done = await Promise.all(children.map((child) => child.done));
    seen.end();
    return {
      elapsedMs: Math.max(...done.map(({ elapsedMs }) => elapsedMs)),
      own: mergeReadings(done.map(({ own }) => own)),
    };
  } finally {
    here.signal.removeEventListener('abort', stop);
    for (const child of children) child.end();
  }
}

function jobOf(
  { run, plan, keys, options, command }: Load,
  material: LoadMaterial,
  { share, of }: Pick<ProcessJob, 'share' | 'of'>,
): ProcessJob {
  return {
    ...{ settings: run.settings, plan, keys, material, share, of, command },
    baseUrls: run.target.baseUrls,
    maxInFlight: Math.max(1, Math.floor(options.maxInFlight / of)),
    judgeShare: options.judgeShare,
    runId: run.id,
  };
}

/** Converts times of the processes to the clock of this one. */
function seenHere({ run }: Load) {
  return {
    baseUrl: run.target.baseUrls.webcheckin,
    toMonotonic: (at: number) => at - machineOffsetMs(),
    epochMs: systemClock.now() - systemClock.monotonic(),
  };
}

function endOf(code: number | null, signal: string | null): string {
  if (signal === null) return `ended with ${String(code)}`;
  return signal === 'SIGKILL'
    ? 'was killed (SIGKILL), as the system does where memory runs out: fewer --processes take less'
    : `was ended by ${signal}`;
}

type Done = Extract<ProcessMessage, { kind: 'done' }>;

/** One process, and what it reports. */
class Child {
  readonly ready: Promise<void>;
  readonly done: Promise<Done>;
  readonly #process: ChildProcess;
  readonly #load: Load;
  readonly #recorder: Recorder;
  readonly #seen: SeenInOrder;
  readonly #job: ProcessJob;
  readonly #isReady = Promise.withResolvers<undefined>();
  readonly #isDone = Promise.withResolvers<Done>();

  constructor(load: Load, { recorder, seen }: Here & { readonly seen: SeenInOrder }, job: ProcessJob) {
    [this.#load, this.#recorder, this.#seen] = [load, recorder, seen];
    const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
    const file = new URL(`./loadProcess.${ending}`, import.meta.url);
    this.#process = fork(file, ['load-process'], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.ready = this.#within(this.#isReady.promise, readyWithinMs);
    this.done = this.#within(this.#isDone.promise, load.plan.durationMs + readyWithinMs + endWithinMs);
    // Whoever awaits them gets the error; until then it must not count as unhandled.
    for (const promise of [this.ready, this.done]) promise.catch(() => undefined);
    this.#job = job;
    this.#process.on('message', (message) => this.#hear(message as ProcessMessage));
    this.#process.once('exit', (code, signal) => {
      const lost = () => this.#lost(`a process of the load ${endOf(code, signal)}`);
      // What it said last may still be on its way, where this process is busy.
      if (this.#process.connected) this.#process.once('disconnect', lost);
      else lost();
    });
    this.#process.once('error', (error) => this.#lost(error.message));
  }

  start(start: ProcessStart): void {
    this.#process.send(start);
  }

  /** Aborts requests under way; the answers so far are still reported. */
  stop(): void {
    if (this.#process.connected) this.#process.send('stop');
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }

  #hear(message: ProcessMessage): void {
    switch (message.kind) {
      case 'begun':
        this.#process.send(this.#job);
        return;
      case 'ready':
        this.#isReady.resolve(undefined);
        return;
      case 'part':
        this.#recorder.add(message.snapshot);
        this.#recorder.waiting.tell(this, message.waits);
        this.#load.session.noteOutcomes(message.failed);
        this.#seen.add(message.seen.map((one) => exchangeOf(one, seenHere(this.#load))));
        return;
      case 'done':
        this.#recorder.waiting.tell(this, []);
        this.#load.judge.absorb(message.judged);
        this.#isDone.resolve(message);
    }
  }

  #lost(why: string): void {
    this.#isReady.reject(new Error(why));
    this.#isDone.reject(new Error(why));
  }

  #within<T>(promise: Promise<T>, ms: number): Promise<T> {
    const cancel = this.#load.run.clock.timer(ms, () =>
      this.#lost(`a process of the load was not heard of for ${ms / 1000} s`),
    );
    return promise.finally(cancel);
  }
}
