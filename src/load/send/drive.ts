import type { Clock } from '../../core/clock.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { Arrival } from '../plan/arrivals.ts';

/** Why a request was not sent: the harness was late, too many were in flight, or no key had a slot in its limits. */
export type MissReason = 'late' | 'in-flight' | 'limits';

/** The right to send an arrival with a key; null if no key may be used. `done` is called once its answer has come. */
export interface Lease {
  readonly arrival: Arrival;
  readonly key: ApiKey | null;
  readonly done: () => void;
}

export interface DriveOptions {
  readonly clock: Clock;
  /** Monotonic time of the load's start. */
  readonly startAt: number;
  readonly maxInFlight: number;
  readonly missAfterMs: number;
  readonly signal: AbortSignal;
  /** Leases for arrivals that are due soon; fewer than requested end the load. */
  readonly lease: (arrivals: readonly Arrival[]) => readonly Lease[] | Promise<readonly Lease[]>;
  /** Sends and handles the answer. Never rejects. `intended` is monotonic. */
  readonly send: (lease: Lease & { readonly key: ApiKey }, intended: number) => Promise<void>;
  readonly miss: (arrival: Arrival, reason: MissReason) => void;
  /** Called once everything is sent; the rest is waiting for answers. */
  readonly onLaunched?: () => void;
}

/** Arrivals within this time are leased together, this long before the first of them is due. */
const chunkMs = 50;
const leadMs = 100;

/**
 * Sends each arrival at its time, whether or not earlier ones were answered: a slow target is not spared. An arrival that cannot
 * be sent within `missAfterMs` of its time is missed. Resolves once everything is answered; after an abort at once, whatever is
 * still under way.
 */
export async function drive(arrivals: Iterable<Arrival>, options: DriveOptions): Promise<void> {
  const flight = new Flight(options);
  try {
    let next = leaseAhead(arrivals[Symbol.iterator](), options);
    for (let chunk = await next(); chunk !== null; chunk = await next()) {
      for (const lease of chunk.leases) {
        // Under load most of them are due, and each needless await costs up to a tenth of sending.
        const waiting = flight.launch(lease);
        if (waiting !== null) await waiting;
      }
      next = chunk.next;
    }
  } catch (error) {
    if (!options.signal.aborted) throw error;
  }
  options.onLaunched?.();
  await flight.landed();
}

interface Chunk {
  readonly leases: readonly Lease[];
  readonly next: () => Promise<Chunk | null>;
}

/** Leases one chunk ahead, so that requesting a lease delays nothing. */
function leaseAhead(
  arrivals: Iterator<Arrival>,
  options: DriveOptions,
  held?: Arrival,
): () => Promise<Chunk | null> {
  const { chunk, rest } = takeChunk(arrivals, held);
  const [first] = chunk;
  if (!first) return () => Promise.resolve(null);
  const leased = leaseInTime(chunk, first.atMs, options);
  // Whoever awaits it gets the error; until then it must not count as unhandled.
  leased.catch(() => undefined);
  return async () => {
    const leases = await leased;
    if (leases.length < chunk.length) return { leases, next: () => Promise.resolve(null) };
    return { leases, next: leaseAhead(arrivals, options, rest) };
  };
}

function takeChunk(arrivals: Iterator<Arrival>, held?: Arrival): { chunk: Arrival[]; rest?: Arrival } {
  const chunk = held ? [held] : [];
  for (let step = arrivals.next(); !step.done; step = arrivals.next()) {
    const [first] = chunk;
    if (first && step.value.atMs >= first.atMs + chunkMs) return { chunk, rest: step.value };
    chunk.push(step.value);
  }
  return { chunk };
}

async function leaseInTime(
  chunk: readonly Arrival[],
  firstMs: number,
  { clock, startAt, signal, lease }: DriveOptions,
): Promise<readonly Lease[]> {
  const wait = startAt + firstMs - leadMs - clock.monotonic();
  if (wait > 0) await clock.sleep(wait, signal);
  signal.throwIfAborted();
  return lease(chunk);
}

/** The requests under way. */
class Flight {
  readonly #options: DriveOptions;
  #open = 0;
  #wake: (() => void) | null = null;

  constructor(options: DriveOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  /** Sends a lease or records why not; waits for its time and for room if necessary, and otherwise returns null. */
  launch(lease: Lease): Promise<void> | null {
    const { clock, startAt, maxInFlight, signal } = this.#options;
    const intended = startAt + lease.arrival.atMs;
    if (intended > clock.monotonic() || (lease.key !== null && this.#open >= maxInFlight))
      return this.#waitFor(lease, intended);
    signal.throwIfAborted();
    this.#launchNow(lease, intended);
    return null;
  }

  async #waitFor(lease: Lease, intended: number): Promise<void> {
    const { clock, missAfterMs, signal } = this.#options;
    const wait = intended - clock.monotonic();
    if (wait > 0) await clock.sleep(wait, signal);
    signal.throwIfAborted();
    if (lease.key !== null) await this.#makeRoom(intended + missAfterMs);
    signal.throwIfAborted();
    this.#launchNow(lease, intended);
  }

  #launchNow(lease: Lease, intended: number): void {
    const { clock, maxInFlight, missAfterMs, send, miss } = this.#options;
    const { key } = lease;
    if (key === null) {
      miss(lease.arrival, 'limits');
      return;
    }
    if (this.#open < maxInFlight && clock.monotonic() <= intended + missAfterMs) {
      this.#open += 1;
      const land = () => {
        this.#open -= 1;
        lease.done();
        this.#wake?.();
      };
      // A rejection should never happen, but must be reported.
      void send({ ...lease, key }, intended).then(land, (error: unknown) => {
        land();
        throw error;
      });
      return;
    }
    lease.done();
    miss(lease.arrival, this.#open >= maxInFlight ? 'in-flight' : 'late');
  }

  async landed(): Promise<void> {
    const { signal } = this.#options;
    while (this.#open > 0 && !signal.aborted) await this.#landing();
  }

  /** Waits for an answer while the maximum is in flight, but not beyond the deadline. */
  async #makeRoom(deadline: number): Promise<void> {
    const { clock, signal, maxInFlight } = this.#options;
    if (this.#open < maxInFlight) return;
    const isOver = () => clock.monotonic() >= deadline || signal.aborted;
    // A timer may be a little early.
    const stopTimer = clock.timer(Math.max(0, deadline - clock.monotonic()) + 1, () => this.#wake?.());
    while (this.#open >= maxInFlight && !isOver()) await this.#landing();
    stopTimer();
  }

  /** The next answer, or whatever else ends a wait. */
  #landing(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}
