import type { DeploymentClock } from '../shared/deploymentClock.ts';
import type { Deliver, OutgoingRequest, Route } from './httpDelivery.ts';

/** One event to be delivered, with how hard to try. */
export interface Job {
  /** Whose it is, so that a reset can drop it. */
  readonly enterprise: string;
  /** Jobs of one lane are delivered in order; null for no order. */
  readonly lane: string | null;
  /** Whether those behind it are delivered while it waits to be repeated; by default they wait as well. */
  readonly yields?: boolean;
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  /** Headers and body of the n-th delivery, counted from 0. */
  readonly message: (attempt: number) => { headers: Readonly<Record<string, string>>; body: string };
  /** How long it lies in the queue before the first delivery; 0 by default. */
  readonly delayMs?: number;
  /** How often it is delivered, as a queue may that delivers at least once; 1 by default. */
  readonly copies?: 1 | 2;
  /** Waits before the second, third, … delivery. */
  readonly retryMs: readonly number[];
  readonly succeeded: (status: number) => boolean;
  readonly followRedirects: boolean;
  /** Whether its address gets nothing any more after so many failed deliveries in a row, of which the last had this answer or none. */
  readonly givesUp: (failures: number, status: number | null) => boolean;
  /** Its place where an earlier event for the same address waits to be repeated, after this answer or none; by default in the queue. */
  readonly behindRetry?: (status: number | null) => Behind;
}

/** In the queue, nowhere, or in the only place that is kept for the newest event. */
export type Behind = 'queued' | 'dropped' | 'newest';

type Message = Pick<OutgoingRequest, 'method' | 'headers' | 'body'>;

/** Real time that a state change waits for a delivery under way. */
const PATIENCE_MS = 2_000;

const MOST_REDIRECTS = 3;

/** Delivers events and repeats what failed, on the deployment's clock (Web Check-in, Events rule 3). */
export class CallbackQueue {
  readonly #clock: DeploymentClock;
  readonly #deliver: Deliver;
  readonly #routes = new Map<string, Route>();
  readonly #pending = new Set<Job>();
  readonly #lanes = new Map<string, Job[]>();
  readonly #underWay = new Set<Promise<void>>();
  /** Deliveries that failed in a row, by address. */
  readonly #failures = new Map<string, number>();
  readonly #givenUp = new Set<string>();
  /** What waits to be repeated, and how its last delivery was answered, by address. */
  readonly #repeating = new Map<string, { readonly job: Job; readonly status: number | null }>();
  /** What is queued once that is over, by address. */
  readonly #newest = new Map<string, Job>();
  #closed = false;

  constructor(clock: DeploymentClock, deliver: Deliver) {
    this.#clock = clock;
    this.#deliver = deliver;
  }

  get size(): number {
    return this.#pending.size;
  }

  route(host: string, route: Route): void {
    this.#routes.set(host.toLowerCase(), route);
  }

  push(job: Job): void {
    if (this.#givenUp.has(job.url)) return;
    const behind = this.#placeOf(job);
    if (behind === 'newest') this.#newest.set(job.url, job);
    if (behind === 'queued') this.#queue(job);
  }

  #placeOf(job: Job): Behind {
    const earlier = this.#repeating.get(job.url);
    return (earlier && job.behindRetry?.(earlier.status)) ?? 'queued';
  }

  #queue(job: Job): void {
    this.#pending.add(job);
    if (job.lane === null) {
      this.#start(job, 0);
      return;
    }
    const lane = this.#lanes.get(job.lane);
    if (lane) lane.push(job);
    else {
      this.#lanes.set(job.lane, [job]);
      this.#start(job, 0);
    }
  }

  /** Drops what is still to be delivered for an enterprise. */
  drop(enterprise: string): void {
    for (const job of this.#pending) {
      if (job.enterprise === enterprise) this.#pending.delete(job);
    }
    for (const [name, lane] of this.#lanes) {
      if (lane[0]?.enterprise === enterprise) this.#lanes.delete(name);
    }
  }

  /** Waits for the deliveries that are on the wire now, but not for a receiver that does not answer. */
  async settle(): Promise<void> {
    if (this.#underWay.size === 0) return;
    const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
    await Promise.race([Promise.all(this.#underWay), patience]);
  }

  close(): void {
    this.#closed = true;
    this.#pending.clear();
    this.#lanes.clear();
    this.#failures.clear();
    this.#givenUp.clear();
    this.#repeating.clear();
    this.#newest.clear();
  }

  #start(job: Job, attempt: number): void {
    const delivery = this.#attempt(job, attempt).finally(() => this.#underWay.delete(delivery));
    this.#underWay.add(delivery);
  }

  async #attempt(job: Job, attempt: number): Promise<void> {
    const { delayMs = 0 } = job;
    if (attempt === 0 && delayMs > 0) {
      this.#clock.at(this.#clock.now() + delayMs, () => this.#tryDelivery(job, 0));
      return;
    }
    await this.#tryDelivery(job, attempt);
  }

  async #tryDelivery(job: Job, attempt: number): Promise<void> {
    if (this.#closed || !this.#pending.has(job)) return;
    if (this.#givenUp.has(job.url)) {
      this.#finish(job);
      return;
    }
    const status = await this.#send(job, attempt);
    const isTaken = status !== null && job.succeeded(status);
    const failures = isTaken ? 0 : (this.#failures.get(job.url) ?? 0) + 1;
    this.#failures.set(job.url, failures);
    if (!isTaken && job.givesUp(failures, status)) this.#givenUp.add(job.url);
    if (isTaken) {
      if (job.copies === 2) await this.#send(job, attempt);
      this.#finish(job);
      return;
    }
    const wait = job.retryMs[attempt];
    if (wait === undefined || this.#givenUp.has(job.url)) {
      this.#finish(job);
      return;
    }
    this.#repeating.set(job.url, { job, status });
    if (job.yields && attempt === 0) this.#moveOn(job);
    this.#clock.at(this.#clock.now() + wait, () => this.#attempt(job, attempt + 1));
  }

  async #send(job: Job, attempt: number): Promise<number | null> {
    try {
      return await this.#post(
        job.url,
        { method: job.method, ...job.message(attempt) },
        job.followRedirects ? MOST_REDIRECTS : 0,
      );
    } catch {
      return null;
    }
  }

  async #post(url: string, message: Message, redirects: number): Promise<number | null> {
    const route = this.#routes.get(new URL(url).hostname.toLowerCase()) ?? null;
    const { status, location } = await this.#deliver({ url, route, ...message });
    const redirected = status !== null && status >= 300 && status < 400;
    if (!redirected || !location || redirects === 0) return status;
    return this.#post(new URL(location, url).href, message, redirects - 1);
  }

  #finish(job: Job): void {
    this.#pending.delete(job);
    this.#moveOn(job);
    if (this.#repeating.get(job.url)?.job !== job) return;
    this.#repeating.delete(job.url);
    const next = this.#newest.get(job.url);
    this.#newest.delete(job.url);
    if (next) this.#queue(next);
  }

  /** Begins with the next job of the lane, unless this one has left it already. */
  #moveOn(job: Job): void {
    if (job.lane === null) return;
    const lane = this.#lanes.get(job.lane);
    if (lane?.[0] !== job) return;
    lane.shift();
    const next = lane.at(0);
    if (next) this.#start(next, 0);
    else this.#lanes.delete(job.lane);
  }
}
