import type { Clock } from '../../core/clock.ts';
import { exitCodes, GatecheckError } from '../../core/errors.ts';
import type { Listener } from '../observe/events.ts';
import { patience } from './patience.ts';

/** Why a run ended. */
export type SessionEnd =
  | 'completed'
  | 'budget'
  | 'interrupted'
  | 'target-lost'
  | 'key-refused'
  | 'not-this-api'
  /** It was killed or crashed; only its journal is left. */
  | 'cut-short';

const reasons: Readonly<Record<SessionEnd, string>> = {
  completed: 'the run ended before it',
  budget: 'a budget ended the run before it',
  interrupted: 'the run was interrupted before it ended',
  'target-lost': 'the target did not answer',
  'key-refused': 'the target refused a key',
  'not-this-api': 'what answers is not this API',
  'cut-short': 'the run was cut short before it',
};

interface RunEndOptions {
  readonly clock: Clock;
  readonly listener: Listener;
  /** Milliseconds after which the run is stopped; may be infinite. */
  readonly maxDurationMs: number;
  /** The user's interrupt. */
  readonly interrupt: AbortSignal;
  /** Why the target is gone, if known. */
  readonly whyLost?: (() => string | null) | undefined;
  /** Called once, if the run is stopped before its plan is done. */
  readonly onStop: () => void;
}

/** Whether, when and why a run ended; its signal stops what is under way. */
export class RunEnd {
  readonly #options: RunEndOptions;
  readonly #abort = new AbortController();
  #end: SessionEnd = 'completed';
  #reason: string | null = null;
  /** All waits for a restart, and when the current one ends. */
  #waits = { ms: 0, until: Number.NEGATIVE_INFINITY };

  constructor(options: RunEndOptions) {
    this.#options = options;
  }

  get end(): SessionEnd {
    return this.#end;
  }

  /** The reason, worded for a check that did not get its turn. */
  get reason(): string {
    const { whyLost } = this.#options;
    return this.#reason ?? (this.#end === 'target-lost' ? whyLost?.() : null) ?? reasons[this.#end];
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isStopped(): boolean {
    return this.#abort.signal.aborted;
  }

  /** A budget kept a check from its plan; the others continue. */
  note(end: SessionEnd, reason: string): void {
    if (this.isStopped || this.#end === end) return;
    [this.#end, this.#reason] = [end, reason];
    this.#options.listener({ name: 'notice', text: `Some checks stay undecided: ${reason}.` });
  }

  /** Stops the run, once; by default with what is known of the reason. */
  stop(end: SessionEnd, reason: string | null = null): void {
    if (this.isStopped) return;
    [this.#end, this.#reason] = [end, reason];
    const { listener, onStop } = this.#options;
    if (end === 'interrupted') listener({ name: 'interrupted' });
    else listener({ name: 'notice', text: `The run ends here: ${this.reason}.` });
    this.#abort.abort(endOfRun(end, this.reason));
    onStop();
  }

  /**
   * Resolves once a check that was disturbed may be run again, or the run has ended. Of all waits of a run only the first
   * `patience.allRestartsMs` are waited; those at the same time count once.
   */
  async recover(): Promise<void> {
    const { clock } = this.#options;
    if (this.#waits.ms >= patience.allRestartsMs) return;
    const now = clock.monotonic();
    const until = now + patience.restartMs;
    this.#waits = { ms: this.#waits.ms + until - Math.max(now, this.#waits.until), until };
    await clock.sleep(patience.restartMs, this.signal).catch(() => undefined);
  }

  /** Follows the interrupt and the longest duration; returns a function that stops it. */
  listen(): () => void {
    const { interrupt, clock, maxDurationMs } = this.#options;
    const onInterrupt = () => this.stop('interrupted');
    if (interrupt.aborted) onInterrupt();
    interrupt.addEventListener('abort', onInterrupt, { once: true });
    const isBounded = Number.isFinite(maxDurationMs);
    const stopTimer = isBounded ? clock.timer(maxDurationMs, () => this.stop('budget')) : () => undefined;
    return () => {
      interrupt.removeEventListener('abort', onInterrupt);
      stopTimer();
    };
  }
}

/** What a request of an ended run rejects with: no fault of Gatecheck, whoever gets it. */
function endOfRun(end: SessionEnd, reason: string): GatecheckError {
  const exitCode = end === 'interrupted' ? exitCodes.interrupted : exitCodes.inconclusive;
  return new GatecheckError('RUN_ENDED', reason, { exitCode });
}
