import type { LoadSummary } from '../summary/summarySchema.ts';
import type { Clock } from '../../core/clock.ts';
import { Recorder } from './recorder.ts';
import { boundsLatency, judgeThreshold, type Threshold } from '../summary/thresholds.ts';

interface AbortWatchOptions {
  readonly thresholds: readonly Threshold[];
  readonly recorder: Recorder;
  readonly clock: Clock;
  /** The warm-up is not judged. */
  readonly warmUpMs: number;
}

const everyMs = 1000;

/** The threshold that stopped the load. */
export type Abort = NonNullable<LoadSummary['aborted']>;

/** Checks the last seconds every second, and stops the load if a threshold that demands it is not met. */
export class AbortWatch {
  readonly #options: AbortWatchOptions;
  readonly #abort = new AbortController();
  readonly #last: Recorder[] = [];
  readonly #longest: number;
  #seconds = 0;
  #ended: Abort | null = null;
  #stop = (): unknown => undefined;

  constructor(options: AbortWatchOptions) {
    this.#options = options;
    this.#longest = Math.max(0, ...options.thresholds.map(({ abortAfterMs }) => abortAfterMs ?? 0));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** What stopped the load; null if nothing did. */
  get ended(): Abort | null {
    return this.#ended;
  }

  /** Starts checking, at the start of the load. */
  start(): void {
    if (this.#longest === 0) return;
    this.#options.recorder.mirror = new Recorder(everyMs);
    this.#stop = this.#options.clock.timer(everyMs, () => this.#look());
  }

  stop(): void {
    this.#stop();
    this.#options.recorder.mirror = null;
  }

  #look(): void {
    const { recorder, clock, thresholds } = this.#options;
    this.#last.push(recorder.mirror ?? new Recorder(everyMs));
    if (this.#last.length > this.#longest / everyMs) this.#last.shift();
    recorder.mirror = new Recorder(everyMs);
    this.#seconds += 1;
    for (const threshold of thresholds) if (this.#judge(threshold)) return;
    this.#stop = clock.timer(everyMs, () => this.#look());
  }

  /** Whether this threshold stops the load now. */
  #judge(threshold: Threshold): boolean {
    const { abortAfterMs } = threshold;
    const sinceStart = this.#seconds * everyMs - this.#options.warmUpMs;
    if (abortAfterMs === null || sinceStart < abortAfterMs) return false;
    const whole = new Recorder(everyMs);
    for (const one of this.#last.slice(-abortAfterMs / everyMs)) whole.absorb(one);
    if (boundsLatency(threshold)) this.#addWaiting(whole, threshold.bound);
    const seen = { recorder: whole, callbackDelays: null, seconds: abortAfterMs / 1000 };
    const result = judgeThreshold(threshold, seen);
    if (result.met || (result.samples === 0 && !this.#isSilent(threshold, abortAfterMs))) return false;
    this.#ended = { ...result, atMs: this.#seconds * everyMs };
    this.#abort.abort(new Error(`${threshold.text} was not met`));
    return true;
  }

  /** What is beyond the bound already, though no answer has come: a target that hangs shows nothing else for a while. */
  #addWaiting(whole: Recorder, boundMs: number): void {
    const { recorder, clock } = this.#options;
    for (const { operation, waitedMs } of recorder.waiting.waits(clock.monotonic())) {
      if (operation === null || waitedMs <= boundMs) continue;
      const times = { atMs: 0, latencyMs: waitedMs, serviceMs: waitedMs, latenessMs: 0 };
      const sample = { operation, status: 'waiting', kind: 'error' } as const;
      whole.record({ ...sample, ...times, example: null }, null);
    }
  }

  /** Whether nothing was answered in all that time though something could have been: a rate of none. */
  #isSilent({ metric }: Threshold, forMs: number): boolean {
    const { recorder, clock } = this.#options;
    return (
      metric === 'rate' && recorder.waiting.waits(clock.monotonic()).some(({ waitedMs }) => waitedMs >= forMs)
    );
  }
}
