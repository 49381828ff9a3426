import type { Clock } from '../core/clock.ts';
import { exitCodes, GatecheckError } from '../core/errors.ts';
import type { Exchange, TransportFailure } from '../core/evidence.ts';
import { adviceForFailure } from '../send/failureAdvice.ts';
import type { SharedLimit } from '../send/keyBudgets.ts';
import type { Listener } from './events.ts';
import { describeShared } from './sharedLimits.ts';

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

/** After this many consecutive failures the target counts as lost, unless it was seen within `patienceMs`. */
const patience = 8;
/** How long it must be away to count as lost: a deployment that is being rolled out is back sooner. */
const patienceMs = 4_000;
/** Consecutive server errors or missing answers after which the run stops: more would not help a deployment in trouble. */
const patienceWithErrors = 16;
/** Consecutive requests that the rate limit refused for good; after this many, the run would only make it worse. */
const patienceWithRefusals = 3;

const reasons: Readonly<Record<SessionEnd, string>> = {
  completed: 'the run ended before it',
  budget: 'a budget ended the run before it',
  interrupted: 'the run was interrupted before it ended',
  'target-lost': 'the target did not answer',
  'key-refused': 'the target refused a key',
  'not-this-api': 'what answers is not this API',
  'cut-short': 'the run was cut short before it',
};

export const refusedByLimit = 'the target refuses everything by its rate limit';

const inTrouble = `the target answered ${patienceWithErrors} requests in a row with a server error or not at all, and is left alone`;

/** The reason if no key has room for longer than a run waits; `shared` are the limits that keys were seen to share. */
export function lockedOut(ms: number, shared: readonly SharedLimit[]): string {
  const long = ms < 1e12 ? `for ${Math.ceil(ms / 1000)} s` : 'for ever';
  const [limit] = shared.toSorted((one, other) => other.window.windowMs - one.window.windowMs);
  const why = limit === undefined ? '' : `. The reason: ${describeShared(limit)}`;
  return `${refusedByLimit}, and no key has room ${long}; try again later, or with other keys${why}`;
}

interface EndingOptions {
  readonly clock: Clock;
  readonly listener: Listener;
  /** Milliseconds after which the run is stopped; may be infinite. */
  readonly maxDurationMs: number;
  /** The user's interrupt. */
  readonly interrupt: AbortSignal;
  /** Why the target is gone, if known. */
  readonly whyLost?: (() => string | null) | undefined;
  /** Sends ordinary reads; resolves to whether one is answered without a server error. By default nothing is asked. */
  readonly stillThere?: () => Promise<boolean>;
  /** Server errors are provoked, so they say nothing about the health of the deployment. */
  readonly provokesErrors?: boolean;
  /** Called once, if the run is stopped before its plan is done. */
  readonly onStop: () => void;
}

type Seen = Pick<Exchange, 'id' | 'outcome' | 'request' | 'timings'>;

/** Decides when and why a run ends; its signal stops what is under way. */
export class Ending {
  readonly #options: EndingOptions;
  readonly #abort = new AbortController();
  #end: SessionEnd = 'completed';
  #reason = reasons.completed;
  #failuresInARow = 0;
  /** When the target was last seen, or first missed. */
  #lastThere: number | null = null;
  #lastFailure: string | null = null;
  #refusalsInARow = 0;
  #errorsInARow = 0;
  /** The ordinary reads that are under way; `#looks` counts those that found the target there. */
  #look: Promise<void> | null = null;
  #looks = 0;
  #lostSince: () => readonly string[] = () => [];
  /** Whether one of these errors is the application's own, not a gateway's. */
  #areItsOwn = false;
  /** Failed exchanges since the target was last well: a good answer to an earlier request says nothing about a later error. */
  #errors: { readonly id: string; readonly received: number }[] = [];

  constructor(options: EndingOptions) {
    this.#options = options;
  }

  get end(): SessionEnd {
    return this.#end;
  }

  /** The reason, worded for a check that did not get its turn. */
  get reason(): string {
    return this.#reason === reasons['target-lost'] ? this.#reasonOf('target-lost') : this.#reason;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isStopped(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Something else answered in place of the target. */
  get isReplaced(): boolean {
    return this.#lostSince().length > 0;
  }

  /** The exchanges of the outage that ended the run: they say nothing about the rules. Empty if no outage did. */
  get outage(): ReadonlySet<string> {
    return new Set([
      ...this.#lostSince(),
      ...(this.#reason === inTrouble ? this.#errors.map(({ id }) => id) : []),
    ]);
  }

  /** The failed exchanges since the target was last well: if it stays so, they are an outage. */
  get trouble(): ReadonlySet<string> {
    return new Set(this.#errors.map(({ id }) => id));
  }

  /** Something else answers instead of the target since the exchanges that `since` returns. */
  lose(reason: string, since: () => readonly string[]): void {
    if (this.isStopped) return;
    this.#lostSince = since;
    this.stop('target-lost', reason);
  }

  /** A budget kept a check from its plan; the others continue. */
  note(end: SessionEnd, reason: string): void {
    if (this.isStopped || this.#end === end) return;
    this.#end = end;
    this.#reason = reason;
    this.#options.listener({ name: 'notice', text: `Some checks stay undecided: ${reason}.` });
  }

  stop(end: SessionEnd, reason = this.#reasonOf(end)): void {
    if (this.isStopped) return;
    this.#end = end;
    this.#reason = reason;
    const { listener, onStop } = this.#options;
    if (end === 'interrupted') listener({ name: 'interrupted' });
    else listener({ name: 'notice', text: `The run ends here: ${reason}.` });
    this.#abort.abort(endOfRun(end, reason));
    onStop();
  }

  #reasonOf(end: SessionEnd): string {
    if (end !== 'target-lost') return reasons[end];
    return this.#options.whyLost?.() ?? this.#lastFailure ?? reasons[end];
  }

  /** Counts the signs that the target is gone: missing answers. */
  see({ id, outcome, request, timings }: Seen): void {
    if (outcome.kind === 'failure') {
      this.#failuresInARow += 1;
      this.#lastFailure = describeLoss(request.baseUrl, outcome.failure);
    } else {
      this.#failuresInARow = 0;
      if (outcome.response.status !== 429) this.#refusalsInARow = 0;
    }
    const isAway = outcome.kind === 'failure' || isOfGateway(outcome.response.status);
    if (!isAway || this.#lastThere === null) this.#lastThere = timings.received;
    const isLongAway = timings.received - this.#lastThere >= patienceMs;
    if (this.#failuresInARow >= patience << this.#looks && isLongAway) this.#lookAgain();
    const isWell = outcome.kind === 'response' && outcome.response.status < 500;
    this.#errorsInARow = isWell ? 0 : this.#errorsInARow + 1;
    this.#areItsOwn = !isWell && (this.#areItsOwn || !isAway);
    if (!isWell) this.#errors.push({ id, received: timings.received });
    else if (this.#errors.length > 0 && !this.isStopped)
      this.#errors = this.#errors.filter(({ received }) => received >= timings.sent);
    const isInTrouble =
      this.#errorsInARow >= patienceWithErrors << this.#looks && (this.#areItsOwn || isLongAway);
    if (isInTrouble && this.#options.provokesErrors !== true) this.#lookAgain(inTrouble);
  }

  /** Resolves once it is known whether a target that seems gone is there: until then nothing else is to be sent. Null if nobody asks. */
  get looking(): Promise<void> | null {
    return this.#look;
  }

  /** A deployment that fails only some requests is judged for that, and asked again after twice as many. */
  #lookAgain(reason?: string): void {
    const { stillThere } = this.#options;
    if (stillThere === undefined) this.stop('target-lost', reason);
    if (stillThere === undefined || this.#look !== null || this.isStopped) return;
    this.#look = stillThere().then((isThere) => {
      this.#look = null;
      if (isThere) this.#looks += 1;
      else this.stop('target-lost', reason);
    });
  }

  /** A request that the rate limit refused for good. */
  refused(): void {
    this.#refusalsInARow += 1;
    if (this.#refusalsInARow >= patienceWithRefusals) this.stop('target-lost', refusedByLimit);
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

/** Whether a status is what a gateway answers if it does not reach the application. */
function isOfGateway(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** What is wrong with the connection to the target, and what to do about it. */
function describeLoss(address: string, failure: TransportFailure): string {
  const advice = adviceForFailure(failure);
  return `the target did not answer at ${address}: ${failure.message}. ${advice.replace(/\.$/, '')}`;
}
