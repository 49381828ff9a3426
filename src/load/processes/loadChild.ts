import { fork, type ChildProcess } from 'node:child_process';
import type { JudgedPart } from '../judge/judgedPart.ts';
import type { Recorder } from '../send/recorder.ts';
import type { Load } from '../load.ts';
import type { PartInbox } from './loadParts.ts';
import type { ProcessJob, ProcessMessage, ProcessStart } from './loadProcess.ts';

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
export interface Lost {
  readonly kind: 'lost';
  readonly why: string;
  /** Monotonic time at which it was noticed. */
  readonly at: number;
  /** How many arrivals it had reported on by then. */
  readonly handed: number;
}

/** One process of a load, and what it reports. */
export class LoadChild {
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
