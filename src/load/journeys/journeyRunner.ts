import { inspect } from 'node:util';
import type { Clock } from '../../core/clock.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { Arrival } from '../plan/arrivals.ts';
import { JourneyFailed, type Journey, type Partner } from './journey.ts';
import type { JourneyTotals } from './journeyTotals.ts';

interface JourneyRunnerOptions {
  readonly journeys: ReadonlyMap<string, Journey>;
  readonly book: JourneyTotals;
  readonly clock: Clock;
  /** Aborts what is under way. */
  readonly signal: AbortSignal;
  /** Aborts it for partners that do not come to their end. */
  readonly breakOff: () => void;
  /** Creates the partner that runs a journey. */
  readonly partner: (beginning: Beginning) => Partner;
}

/** The start of one journey. */
export interface Beginning {
  readonly journey: Journey;
  readonly arrival: Arrival;
  readonly key: ApiKey;
  /** Monotonic time of the intended start. */
  readonly intended: number;
  /** Called with the duration of each step. */
  readonly onStep: (step: string, ms: number) => void;
  /** Called with each step as it begins: a journey may forget to wait for it. */
  readonly onTask: (task: Promise<unknown>) => void;
  /** Resolves when all partners of the load are there. */
  readonly barrier: () => Promise<void>;
}

/** Most virtual partners at the same time. */
const mostUnderWay = 20_000;

/** Runs the journeys of virtual partners, each independently. */
export class JourneyRunner {
  readonly #options: JourneyRunnerOptions;
  /** The partners that are under way; for those that count, which journey they run. */
  readonly #underWay = new Map<Promise<void>, string | null>();
  readonly #barrier = new Barrier();
  #isOver = false;

  constructor(options: JourneyRunnerOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#barrier.open(), { once: true });
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** Starts a journey, which continues by itself; false if too many are running. */
  begin(arrival: Arrival, key: ApiKey, intended: number): boolean {
    const journey = this.#options.journeys.get(arrival.journey ?? '');
    if (!journey) throw new Error(`there is no journey ${arrival.journey ?? ''}`);
    if (this.#underWay.size >= mostUnderWay) return false;
    const done = this.#take(journey, { arrival, key, intended }).finally(() => this.#underWay.delete(done));
    this.#underWay.set(done, this.#options.book.counts(arrival.atMs) ? journey.id : null);
    return true;
  }

  /** Resolves once all have ended, or after `ms`. */
  async landed(ms: number): Promise<void> {
    const { clock, signal } = this.#options;
    this.#barrier.lastBegun();
    const enough = new AbortController();
    const all = Promise.all(this.#underWay.keys()).then(() => enough.abort(new Error('all have landed')));
    const time = clock.sleep(ms, AbortSignal.any([enough.signal, signal])).catch(() => undefined);
    await Promise.race([all, time]);
  }

  /** Ends what is still under way, also where a journey never ends by itself. */
  breakOff(): void {
    this.#options.breakOff();
    this.#isOver = true;
    for (const id of this.#underWay.values()) if (id !== null) this.#options.book.brokenOff(id);
  }

  async #take(journey: Journey, beginning: Pick<Beginning, 'arrival' | 'key' | 'intended'>): Promise<void> {
    const { book, clock, partner } = this.#options;
    const { id } = journey;
    const counts = book.counts(beginning.arrival.atMs);
    book.begun += 1;
    if (counts) book.begin(id);
    const onStep = (step: string, ms: number) => {
      if (counts) book.step(id, step, ms);
    };
    const barrier = async () => {
      await this.#barrier.come();
      this.#options.signal.throwIfAborted();
    };
    const tasks = new Tasks();
    this.#barrier.begin();
    try {
      await journey.run(
        partner({ journey, ...beginning, onStep, onTask: (task) => tasks.add(task), barrier }),
      );
      await tasks.all();
      if (counts && !this.#isOver) book.done(id, clock.monotonic() - beginning.intended);
    } catch (error) {
      if (counts && !this.#isOver) this.#noteFailure(id, error);
    } finally {
      this.#barrier.end();
    }
  }

  #noteFailure(id: string, error: unknown): void {
    const { book, signal } = this.#options;
    if (signal.aborted) book.brokenOff(id);
    else book.failed(id, ...whyFailed(error));
  }
}

/** A bug in the journey's own code is reported as well, and ends no other journey. */
function whyFailed(error: unknown): readonly [step: string, why: string] {
  if (error instanceof JourneyFailed) return [error.step, error.message.slice(0, 200)];
  const text = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error, { depth: 0 });
  return ['', `a fault of the journey: ${text.slice(0, 200)}`];
}

/** Steps that are under way: one that nobody waits for belongs to its journey all the same, and ends no process if it fails. */
class Tasks {
  readonly #open = new Set<Promise<unknown>>();

  add(task: Promise<unknown>): void {
    this.#open.add(task);
    const done = () => this.#open.delete(task);
    task.then(done, done);
  }

  async all(): Promise<void> {
    await Promise.all(this.#open);
  }
}

/** A point at which partners wait for each other, so that all continue at once. */
export class Barrier {
  #underWay = 0;
  #isLastBegun = false;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#underWay += 1;
  }

  end(): void {
    this.#underWay -= 1;
    this.#release();
  }

  /** No more partners start. */
  lastBegun(): void {
    this.#isLastBegun = true;
    this.#release();
  }

  /** Lets everyone continue, even if some are missing. */
  open(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const go of all) go();
  }

  /** Resolves once all running partners are here. */
  come(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#release();
    });
  }

  #release(): void {
    if (this.#isLastBegun && this.#waiting.length >= this.#underWay) this.open();
  }
}
