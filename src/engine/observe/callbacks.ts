import type { Clock } from '../../core/clock.ts';
import type { Delivery } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import type { Mailbox } from '../../receive/mailbox.ts';
import type { Script } from '../../receive/script.ts';
import type { Sink } from '../../receive/sink.ts';
import { StateHandlerError, type StateHandler } from '../../target/stateHandler.ts';
import { CheckSkipped } from '../attempt/signals.ts';

/** An address of the sink that one check registers. */
export interface CallbackAddress {
  readonly url: string;
  readonly mailbox: Mailbox;
}

/**
 * How a wait ended: the awaited has come; or the deployment reports that nothing is left to deliver, so what is missing never
 * comes; or enough time has passed for a queue that is as quick as it was so far.
 */
export type Waited = 'come' | 'nothing-pending' | 'patience';

/** The callback sink as a check uses it. */
export interface Callbacks {
  /** A new address; every delivery to it is accepted unless `script` says otherwise. */
  open(api: Api, script?: Script): CallbackAddress;
  /** Waits until the deliveries to an address are `enough`, or no more can come, or patience ends. */
  wait(
    address: CallbackAddress,
    enough: (deliveries: readonly Delivery[]) => boolean,
    options?: { readonly patienceMs?: number },
  ): Promise<Waited>;
  /**
   * Waits until nothing more can come to any address, or patience ends. For callers that do not need certainty, it ends as soon
   * as nothing is pending but what addresses refused and the deployment may repeat.
   */
  settle(options?: { readonly patienceMs?: number; readonly besideRepetitions?: boolean }): Promise<Waited>;
  /** Whether the deployment reports how many deliveries are pending, so that silence is certain. */
  readonly tellsPending: boolean;
  /** Whether a delivery that an address refused may still be repeated: a queue in order keeps all others until then. */
  readonly mayRepeat: () => boolean;
  /** Whether there is an address for the callbacks of an API: for checks that do not need one. */
  isReachable(api: Api): boolean;
}

interface CallbacksOptions {
  /** Null in a run without a sink. */
  readonly sink: Sink | null;
  readonly state: StateHandler;
  /** Why nothing is delivered to the addresses of the sink; null if nothing speaks against it. */
  readonly whyAstray?: () => string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The effects of a change are pending once the change is answered; by default false. */
  readonly isPrompt?: boolean | undefined;
  /** Called with the time that a delivery took to come. */
  readonly onCome?: (ms: number) => void;
}

/**
 * Shortest and longest wait for a queue that does not report what is pending, and the factor by which the slowest delivery is
 * multiplied.
 */
const patience = { leastMs: 5_000, mostMs: 60_000, slowest: 10 };
/** A deployment that reports what is pending may have a retry ahead; this is the longest wait for it. */
const patienceWithPendingMs = 30_000;
/** Shortest wait for a delivery that is reported. */
const worthTellingMs = 100;
/** What is gathered for a moment may be pending nowhere: silence of what is awaited is certain after this. */
const gatheredMs = 3_000;
/** Time between two queries of what is pending. */
const lookMs = { first: 20, most: 100 };
const promptLookMs = { first: 2, most: 25 };

/** The sink, shared by the checks of a run; learns how quickly the deployment delivers. */
export function createCallbacks(options: CallbacksOptions): Callbacks {
  const { sink, state, clock, signal, isPrompt, onCome, whyAstray = () => null } = options;
  const looks = isPrompt ? promptLookMs : lookMs;
  const tellsPending = state.offers('callbacks.pending');
  let slowestMs = 0;
  const usualPatience = () =>
    tellsPending
      ? patienceWithPendingMs
      : Math.min(patience.mostMs, Math.max(patience.leastMs, slowestMs * patience.slowest));
  const pending = async () => (await state.set('callbacks.pending', {})).pending;

  const until = async (
    come: () => boolean,
    patienceMs: number,
    { most, leastMs = 0 }: { readonly most?: () => number; readonly leastMs?: number } = {},
  ): Promise<Waited> => {
    const start = clock.monotonic();
    const least = Math.min(leastMs, patienceMs);
    let idle = 0;
    let left: unknown = 0;
    for (let wait = looks.first; !come(); wait = Math.min(looks.most, wait * 2)) {
      // One query may fall between the change and its being queued.
      if (tellsPending) left = await pending();
      const isIdle = tellsPending && typeof left === 'number' && left <= (most?.() ?? 0);
      if (come()) break;
      const waitedMs = clock.monotonic() - start;
      idle = isIdle && waitedMs >= least ? idle + 1 : 0;
      if (idle >= 2) return left === 0 ? 'nothing-pending' : 'patience';
      if (waitedMs >= patienceMs) return 'patience';
      await sink?.inbox.nextArrival(isIdle ? Math.max(wait, least - waitedMs) : wait, signal);
    }
    const ms = clock.monotonic() - start;
    if (ms >= worthTellingMs) onCome?.(ms);
    slowestMs = Math.max(slowestMs, ms);
    return 'come';
  };

  return {
    tellsPending,
    mayRepeat: () => (sink?.inbox.refused ?? 0) > 0,
    isReachable: (api) => (sink?.urls[api] ?? null) !== null && whyAstray() === null,
    open: (api, script) => {
      const base = sink?.urls[api] ?? null;
      if (sink === null || base === null) throw new CheckSkipped('the callback sink is out of reach');
      const why = whyAstray();
      if (why !== null) throw new StateHandlerError('callbacks.route', why);
      const mailbox = sink.inbox.open(script);
      return { url: `${base}/${mailbox.token}`, mailbox };
    },
    wait: (address, enough, { patienceMs = usualPatience() } = {}) =>
      until(() => enough(address.mailbox.deliveries), patienceMs, { leastMs: gatheredMs }),
    settle: ({ patienceMs = usualPatience(), besideRepetitions = false } = {}) =>
      until(() => false, patienceMs, besideRepetitions ? { most: () => sink?.inbox.refused ?? 0 } : {}),
  };
}

/** How long a check has waited for callbacks, in milliseconds of the run's time. */
export class CallbackWaits {
  readonly #monotonic: () => number;
  #ms = 0;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  get ms(): number {
    return this.#ms;
  }

  /** The same callbacks, which also count the time of their waits. */
  of(callbacks: Callbacks): Callbacks {
    return {
      ...callbacks,
      wait: (...given) => this.#timed(callbacks.wait(...given)),
      settle: (...given) => this.#timed(callbacks.settle(...given)),
    };
  }

  async #timed<T>(waiting: Promise<T>): Promise<T> {
    const start = this.#monotonic();
    try {
      return await waiting;
    } finally {
      this.#ms += this.#monotonic() - start;
    }
  }
}

/** Passes each callback of a load to everyone who waits for one, judges first. */
export class DeliveryHub {
  readonly #listeners: ((delivery: Delivery) => void)[] = [];
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(sink: Sink | null) {
    sink?.inbox.listen((delivery) => this.#take(delivery));
  }

  add(listener: (delivery: Delivery) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `wake` at each delivery to this address, until the returned function is called. */
  watch(registration: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(registration) ?? new Set();
    this.#waiting.set(registration, waiting.add(wake));
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0) this.#waiting.delete(registration);
    };
  }

  #take(delivery: Delivery): void {
    for (const listener of this.#listeners) listener(delivery);
    for (const wake of this.#waiting.get(delivery.registration) ?? []) wake();
  }
}
