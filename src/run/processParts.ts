import { stepMs, type LoadPlan } from '../load/plan.ts';
import { Recorder, type RecorderSnapshot } from '../load/recorder.ts';
import { Waiting, type Wait } from '../load/waiting.ts';
import type { SeenExchange, SeenExchanges } from '../load/workers/seenExchanges.ts';

/** What happened in a process of a load since its last part. */
export interface ProcessPart {
  readonly snapshot: RecorderSnapshot;
  /** Consecutive requests without an answer. */
  readonly failed: number;
  /** Answers that matter for judging the whole load. */
  readonly seen: readonly SeenExchange[];
  /** What is not answered yet. */
  readonly waits: readonly Wait[];
}

/** Records the results of requests, and hands them in part by part. */
export class ProcessParts {
  readonly waiting = new Waiting();
  readonly #plan: LoadPlan;
  readonly #seen: SeenExchanges;
  readonly #tell: (part: ProcessPart) => void;
  #recorder: Recorder;
  #failed = 0;

  constructor(plan: LoadPlan, seen: SeenExchanges, tell: (part: ProcessPart) => void) {
    [this.#plan, this.#seen, this.#tell] = [plan, seen, tell];
    this.#recorder = this.#fresh();
  }

  record(...args: Parameters<Recorder['record']>): void {
    this.#recorder.record(...args);
  }

  miss(...args: Parameters<Recorder['miss']>): void {
    this.#recorder.miss(...args);
  }

  lose(count: number): void {
    this.#recorder.lose(count);
  }

  outcome(answered: boolean): void {
    this.#failed = answered ? 0 : this.#failed + 1;
  }

  hand(): void {
    const waits = this.waiting.waits(performance.now());
    this.#tell({ snapshot: this.#recorder.snapshot(), failed: this.#failed, seen: this.#seen.take(), waits });
    this.#recorder = this.#fresh();
  }

  #fresh(): Recorder {
    return new Recorder(stepMs(this.#plan), this.#plan.warmUpMs);
  }
}
