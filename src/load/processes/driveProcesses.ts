import { availableParallelism } from 'node:os';
import { fork, type ChildProcess } from 'node:child_process';
import { isWrite } from '../plan/mix.ts';
import { mergeReadings, type OwnReadings } from '../summary/ownHealth.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { LoadOptions } from '../plan/loadOptions.ts';
import type { PartSetup } from './parts.ts';
import type { Recorder } from '../send/recorder.ts';
import type { ProcessesSummary } from '../summary/summarySchema.ts';
import type { Load } from '../load.ts';
import { PartInbox, partSetupOf } from './loadParts.ts';
import type { ProcessJob, ProcessMessage, ProcessStart } from './loadProcess.ts';
import { machineOffsetMs } from './machineClock.ts';
import type { JudgedPart } from '../judge/judgeShare.ts';
import { arrivalsOf, slicesOf, type Slice } from '../plan/arrivals.ts';

/** A rate that one process can send in time on any current machine. */
const aloneUpTo = 2000;
/** Processes need some time to get ready. */
const headStartMs = 300;

/**
 * How many processes send a load. A single process sends requests that change something, since it sees everything; the same
 * holds for journeys and for loads within the limits.
 */
export function processCount(
  { processes, journeys, tenants, tenantsFrom }: ProcessWishes,
  plan: LoadPlan,
): number {
  const isAlone =
    journeys.length > 0 || plan.withinLimits || plan.mix.some(({ operation }) => isWrite(operation));
  if (isAlone || tenants !== null || tenantsFrom !== null) return 1;
  return processes ?? (plan.ratePerSecond > aloneUpTo ? availableParallelism() : 1);
}

type ProcessWishes = Pick<LoadOptions, 'processes' | 'journeys' | 'tenants' | 'tenantsFrom'>;

interface Here {
  readonly material: LoadMaterial;
  readonly recorder: Recorder;
  readonly onStart: (startedAt: number) => void;
  readonly signal: AbortSignal;
}

interface Driven {
  readonly elapsedMs: number;
  /** What the processes took that came to the end; null if none did. */
  readonly own: OwnReadings | null;
  /** Null if none was lost. */
  readonly processes: ProcessesSummary | null;
}

/** Sends a load from several processes of this machine, each with its share of the arrivals. */
export async function driveProcesses(load: Load, count: number, here: Here): Promise<Driven> {
  const { recorder, material, signal } = here;
  const inbox = new PartInbox(load, recorder, () => ({ offsetMs: machineOffsetMs(), errorMs: 0 }));
  const setup = partSetupOf(load, { material, shares: count });
  const children = Array.from(
    { length: count },
    (_, share) => new LoadChild({ load, recorder, inbox, job: jobOf(load, setup, share) }),
  );
  const stop = () => children.forEach((child) => child.stop());
  try {
    await Promise.all(children.map((child) => child.ready));
    signal.addEventListener('abort', stop, { once: true });
    const startAt = performance.now() + headStartMs;
    here.onStart(startAt);
    for (const child of children) child.start({ startAt: startAt + machineOffsetMs() });
    if (signal.aborted) stop();
    const outcomes = await Promise.all(children.map((child) => child.done));
    inbox.end();
    const done = outcomes.filter((one) => one.kind === 'done');
    const lost = outcomes.flatMap((one, share) =>
      one.kind === 'lost' ? [countLost(load, recorder, { ...one, startAt, share, of: count })] : [],
    );
    return {
      elapsedMs: Math.max(...done.map(({ elapsedMs }) => elapsedMs), ...lost.map(({ atMs }) => atMs)),
      own: done.length === 0 ? null : mergeReadings(done.map(({ own }) => own)),
      processes: lost.length === 0 ? null : { expected: count, lost },
    };
  } finally {
    signal.removeEventListener('abort', stop);
    for (const child of children) child.end();
  }
}

/** What a lost process may have sent since its last report is lost with it; the rest of its share is unsent. */
function countLost(
  { plan }: Load,
  recorder: Recorder,
  { why, at, handed, startAt, ...share }: Lost & Share & { readonly startAt: number },
): ProcessesSummary['lost'][number] {
  const atMs = Math.max(0, at - startAt);
  const unknown = at < startAt ? 0 : Math.max(0, dueBy(plan, share, atMs) - handed);
  recorder.lose(unknown);
  return { process: share.share + 1, why, atMs, unknown };
}

function jobOf({ run, keys }: Load, setup: PartSetup, share: number): ProcessJob {
  const maxInFlight = Math.max(1, Math.floor(setup.maxInFlight / setup.shares));
  return { ...setup, maxInFlight, settings: run.settings, keys, share };
}

const readyWithinMs = 30_000;
/** How long answers and the last report may take after the end. */
const endWithinMs = 45_000;
/** How long they may take after a stop. */
const stopWithinMs = 4000;

interface ChildOptions {
  readonly load: Load;
  readonly recorder: Recorder;
  readonly inbox: PartInbox;
  readonly job: ProcessJob;
}

type Done = Extract<ProcessMessage, { kind: 'done' }>;

/** A process that ended before it had reported all that it did. */
interface Lost {
  readonly kind: 'lost';
  readonly why: string;
  /** Monotonic time at which it was noticed. */
  readonly at: number;
  /** How many arrivals it had reported on by then. */
  readonly handed: number;
}

/** One process of a load, and what it reports. */
class LoadChild {
  readonly #process: ChildProcess;
  readonly #options: ChildOptions;
  readonly #isReady = Promise.withResolvers<undefined>();
  readonly #isDone = Promise.withResolvers<Done | Lost>();
  /** What it last said that it judged, in case that it says no more. */
  #judged: JudgedPart | null = null;
  #handed = 0;
  #isOver = false;
  #cancel = (): unknown => undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
    const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
    const file = new URL(`./loadProcess.${ending}`, import.meta.url);
    this.#process = fork(file, ['load-process'], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#expectWithin(readyWithinMs);
    this.#process.on('message', (message) => this.#hear(message as ProcessMessage));
    this.#process.once('exit', (code, signal) => {
      const lost = () => this.#lose(endOf(code, signal));
      // What it said last may still be on its way, where this process is busy.
      if (this.#process.connected) this.#process.once('disconnect', lost);
      else lost();
    });
    this.#process.once('error', (error) => this.#lose(`could not be reached: ${error.message}`));
  }

  /** Resolves once it is ready to start, or lost. */
  get ready(): Promise<unknown> {
    return this.#isReady.promise;
  }

  get done(): Promise<Done | Lost> {
    return this.#isDone.promise;
  }

  start(start: ProcessStart): void {
    this.#expectWithin(this.#options.load.plan.durationMs + endWithinMs);
    this.#tell(start);
  }

  /** Ends it soon; the answers so far are still reported. */
  stop(): void {
    this.#expectWithin(stopWithinMs);
    this.#tell('stop');
  }

  end(): void {
    this.#cancel();
    this.#process.kill('SIGKILL');
  }

  #tell(message: ProcessStart | ProcessJob | 'stop'): void {
    // Where it is gone, its exit tells.
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  #hear(message: ProcessMessage): void {
    const { recorder, inbox, job } = this.#options;
    if (this.#isOver) return;
    switch (message.kind) {
      case 'begun':
        this.#tell(job);
        return;
      case 'ready':
        this.#isReady.resolve(undefined);
        return;
      case 'part': {
        const before = takenBy(recorder);
        inbox.take(this, message);
        this.#handed += takenBy(recorder) - before;
        return;
      }
      case 'judged':
        this.#judged = message.judged;
        return;
      case 'done':
        this.#judged = message.judged;
        this.#settle(message);
    }
  }

  #lose(why: string): void {
    this.#settle({ kind: 'lost', why, at: performance.now(), handed: this.#handed });
  }

  /** The first outcome counts: a process that was done has nothing to lose. */
  #settle(outcome: Done | Lost): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { inbox, load } = this.#options;
    this.#cancel();
    this.#isReady.resolve(undefined);
    this.#isDone.resolve(outcome);
    inbox.close(this);
    if (this.#judged !== null) load.judge.absorb(this.#judged);
  }

  #expectWithin(ms: number): void {
    this.#cancel();
    this.#cancel = this.#options.load.run.clock.timer(ms, () => {
      this.#lose(`was not heard of for ${ms / 1000} s`);
      this.#process.kill('SIGKILL');
    });
  }
}

function takenBy(recorder: Recorder): number {
  return recorder.sent + recorder.missedCount + recorder.lost + recorder.warmUp;
}

function endOf(code: number | null, signal: string | null): string {
  if (signal === null) return `ended with ${String(code)}`;
  return signal === 'SIGKILL'
    ? 'was killed (SIGKILL), as the system does where memory runs out: fewer --processes take less'
    : `was ended by ${signal}`;
}

/** A share of the arrivals of a load: every `of`-th, starting with number `share`. */
interface Share {
  readonly share: number;
  readonly of: number;
}

/** How many arrivals of a share are due within `atMs` of the start of the load. */
export function dueBy(plan: LoadPlan, share: Share, atMs: number): number {
  return slicesOf(plan)
    .filter(({ fromMs }) => fromMs <= atMs)
    .reduce((sum, slice) => sum + dueIn(plan, slice, { ...share, atMs }), 0);
}

function dueIn(plan: LoadPlan, slice: Slice, { share, of, atMs }: Share & { readonly atMs: number }): number {
  const { first, count, toMs } = slice;
  const before = (index: number) => Math.floor((index - share - 1) / of);
  if (toMs <= atMs) return before(first + count) - before(first);
  return [...arrivalsOf(plan, slice)].filter((one) => one.index % of === share && one.atMs <= atMs).length;
}
