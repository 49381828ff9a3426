import { shortBytes } from '../core/bytes.ts';
import type { Clock } from '../core/clock.ts';
import type { Exchange, Outcome } from '../core/evidence.ts';
import { noReservation, type Allowance, type Reservation } from './allowance.ts';
import { FreshRecords, freshPauses } from './freshRecords.ts';
import type { Intent } from './journalText.ts';
import type { WindowLimit } from '../core/windowLimit.ts';
import type { ApiKey, KeyRole } from './keyRing.ts';
import { SharedBodies } from './sharedBodies.ts';
import type { SharedLimit } from './keyBudgets.ts';
import type { Pacer, Ticket } from './pacer.ts';
import { inRealTime, type Pause } from './pause.ts';
import { intentOf, RequestMaker, type ReadyRequest, type RequestSettings } from './readyRequest.ts';
import type { ApiRequest, KeyChoice } from './request.ts';
import { furtherTries, resendPauses } from './resend.ts';
import { retryAfterMs } from './retryAfter.ts';
import type { Transport, WireResult } from './transport.ts';

interface ClientOptions extends RequestSettings {
  readonly transport: Transport;
  readonly pacer: Pacer;
  readonly allowance: Allowance;
  readonly clock: Clock;
  /** Longest wait that a 429 may impose, in milliseconds; longer ones are not waited for. */
  readonly longestRetryAfterMs: number;
  readonly signal: AbortSignal;
  /** By default what has to be waited for is waited for. */
  readonly pause?: Pause;
  /** Puts labels in place of secrets in what a failure says: a certificate may name one. By default nothing is known of any. */
  readonly redact?: (text: string) => string;
  /** Gets every exchange first. */
  readonly onExchange: (exchange: Exchange) => void;
  readonly onRetryAfter: (key: string, ms: number) => void;
  /** A request was refused by the rate limit and is not sent again. */
  readonly onRefused: () => void;
  /** Several keys turned out to share a limit. */
  readonly onShared?: (limit: SharedLimit) => void;
  /** Keys turned out to be allowed fewer requests. */
  readonly onLower?: (limit: WindowLimit) => void;
  /** A key has to wait `ms`, longer than a run waits, and no key has room before. */
  readonly onLockedOut?: (ms: number) => void;
  /** Knows what a request may cost, and what its outcome shows that it did cost. */
  readonly spending: Spending;
  /** Called if no key of an enterprise has room; returns whether there are further keys now. */
  readonly moreKeys?: (role: KeyRole) => Promise<boolean>;
  /** Notes a request that may leave something behind, before it is sent. */
  readonly beforeEffect?: (intent: Intent) => Promise<void>;
  /** Resolves once the evidence journal can take more; undefined if it can. */
  readonly ready: () => Promise<void> | undefined;
  /** What a request of a check has to wait for, null for nothing; throws if its operation is left alone. By default all may pass. */
  readonly admit?: (request: ApiRequest, check: string) => Promise<void> | null;
  /**
   * Gets an answer, and the issued key of its request, before the sender does, who waits for the returned promise; null to wait
   * for nothing.
   */
  readonly onAnswer?: (key: ApiKey | null, exchange: Exchange) => Promise<void> | null;
}

/** Knows which requests cost quota units or leave subscriptions behind. */
export interface Spending {
  /** What is reserved before sending; null if the request can cost nothing. */
  kindOf(request: ApiRequest): 'quota' | 'subscription' | null;
  /** Called after the answer: whether the unit counts as spent. In doubt it does. */
  wasSpent(request: ApiRequest, exchange: Exchange): boolean;
  /** Quota units counted earlier that the last answer proved unspent; reported once. */
  takeUnspent(): number;
  /** Quota units counted as spent only because nothing proves the opposite. */
  unproven(): number;
}

/** A request of a check, and how it waits. */
interface Sending {
  readonly request: ApiRequest;
  readonly check: string;
  readonly pause: Pause;
}

const attempts = 3;
/** No documented window is longer: a longer wait is a mistake, so the key is tried again after this. */
const longestBlockMs = 3_600_000;

/** Sends requests one by one within the limits and budgets of the run, and makes an exchange of each. */
export class Client {
  readonly #options: ClientOptions;
  readonly #bodies = new SharedBodies();
  readonly #fresh = new FreshRecords();
  readonly #requests: RequestMaker;
  readonly #pause: Pause;
  #throttled = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#requests = new RequestMaker(options);
    this.#pause = options.pause ?? ((wait) => wait());
  }

  /** Number of 429s to requests that did not ask for one. */
  get throttled(): number {
    return this.#throttled;
  }

  /**
   * Sends a request for a check. A 429 that was not asked for is kept as evidence, waited for, and the request is sent again;
   * this returns the last answer. Rejects only with `BudgetExhausted` or the reason of an interrupt.
   */
  async send(given: ApiRequest, check: string, pause = this.#pause): Promise<Exchange> {
    const request = this.#withSharedBody(given);
    for (let attempt = 1; ; attempt += 1) {
      const first = await this.#sendOnce(request, check, pause);
      const sending = { request, check, pause };
      const sent = furtherTries(request, first) === 0 ? first : await this.#sendAgain(first, sending);
      const exchange = this.#fresh.isAwaited(request, sent) ? await this.#lookAgain(sent, sending) : sent;
      const refused = exchange.outcome.kind === 'response' && exchange.outcome.response.status === 429;
      if (!refused || request.wantsRefusal) return exchange;
      this.#throttled += 1;
      const patiently = attempt === 1 ? pause : inRealTime(pause);
      if (attempt < attempts && (await this.#waitOut(request, exchange, patiently))) continue;
      this.#options.onRefused();
      return exchange;
    }
  }

  /** Sends a request again if the network disturbed it and a repetition does no harm; the last attempt counts. */
  async #sendAgain(first: Exchange, { request, check, pause }: Sending): Promise<Exchange> {
    const { clock, signal, allowance } = this.#options;
    let exchange = first;
    for (const [resent, ms] of resendPauses.entries()) {
      // The last requests of a budget are left for checks that have not sent any.
      const isOver = resent >= furtherTries(request, exchange) || allowance.requestsLeft <= 1;
      if (isOver || signal.aborted) return exchange;
      await pause(() => clock.sleep(ms, signal));
      exchange = await this.#sendOnce(request, check, pause);
    }
    return exchange;
  }

  /** Reads a new record again until it is found, or no copy can be that late. */
  async #lookAgain(first: Exchange, { request, check, pause }: Sending): Promise<Exchange> {
    const { clock, signal, allowance } = this.#options;
    let exchange = first;
    for (const ms of freshPauses) {
      if (!this.#fresh.isAwaited(request, exchange) || allowance.requestsLeft <= 1) return exchange;
      await pause(() => clock.sleep(ms, signal));
      exchange = await this.#sendOnce(request, check, pause);
    }
    return exchange;
  }

  /** Blocks the key until its limit has room again; false if that is unknown or takes too long. */
  async #waitOut(request: ApiRequest, exchange: Exchange, pause: Pause): Promise<boolean> {
    const { pacer, clock, signal, longestRetryAfterMs, onRetryAfter } = this.#options;
    const wait = retryAfterMs(exchange.outcome);
    const candidates = this.#usable(request);
    const used = candidates.find((key) => key.label === exchange.key);
    if (used) this.#seeRefusal(used, wait);
    if (wait === null) return false;
    // The server frees the slot after `wait` at the earliest; a little more avoids another refusal.
    const ms = Math.min(wait, longestBlockMs) + 250;
    if (used) pacer.block(used, ms);
    const another = used !== undefined && (await this.#hasAnother(request, candidates));
    if (!another && wait > longestRetryAfterMs) {
      await pause(() => Promise.resolve(), { ms: wait, isLockedOut: true });
      if (request.key.kind === 'pool' && this.#isLockedOut(candidates)) this.#options.onLockedOut?.(wait);
      return false;
    }
    if (another) return true;
    await pause(
      () => {
        onRetryAfter(exchange.key ?? 'none', ms);
        return clock.sleep(ms, signal);
      },
      { ms, isLockedOut: false },
    );
    return true;
  }

  /** Keys of which one uses up the room of the others are kept below what they have in common. */
  #seeRefusal(key: ApiKey, waitMs: number | null): void {
    const { pacer, onShared, onLower } = this.#options;
    const limit = pacer.sharedBy(key, waitMs);
    if (limit !== null) {
      if (pacer.share(limit)) onShared?.(limit);
      return;
    }
    const lower = pacer.learn(key, waitMs);
    if (lower !== null) onLower?.(lower);
  }

  /** Whether a key has room, or will have within what a run waits; makes further keys if possible. */
  async #hasAnother(request: ApiRequest, candidates: readonly ApiKey[]): Promise<boolean> {
    if (candidates.length > 1 && !this.#isLockedOut(candidates)) return true;
    const { key } = request;
    return key.kind === 'pool' && (await this.#options.moreKeys?.(key.enterprise)) === true;
  }

  #isLockedOut(candidates: readonly ApiKey[]): boolean {
    const { pacer, longestRetryAfterMs } = this.#options;
    return pacer.refusedFor(candidates) > longestRetryAfterMs;
  }

  async #sendOnce(request: ApiRequest, check: string, pause: Pause): Promise<Exchange> {
    const { signal, allowance } = this.#options;
    signal.throwIfAborted();
    const full = this.#options.ready();
    if (full) await full;
    const { admit } = this.#options;
    for (let hold = admit?.(request, check); hold; hold = admit?.(request, check)) await pause(() => hold);
    signal.throwIfAborted();
    const kind = this.#options.spending.kindOf(request);
    const reservation = kind === null ? noReservation : await this.#reserve(kind);
    let ticket: Ticket | null = null;
    try {
      const atOnce = this.#tryTicket(request);
      ticket = atOnce === 'later' ? await this.#ticket(request, pause) : atOnce;
      signal.throwIfAborted();
      allowance.takeRequest();
    } catch (error) {
      ticket?.done();
      reservation.release();
      throw error;
    }
    const shot = this.#requests.make(request, ticket);
    if (reservation !== noReservation) await this.#options.beforeEffect?.(intentOf(shot, check));
    const result = await this.#options.transport.send(shot.wire);
    const exchange = this.#conclude(shot, result, check, reservation);
    const doubt = this.#options.onAnswer?.(ticket?.key ?? null, exchange);
    if (doubt) {
      await pause(() => doubt);
      signal.throwIfAborted();
    }
    return exchange;
  }

  /**
   * Sends requests at the same time, whatever the limits say: for checks that want to see a limiter at work. The budgets count
   * them like all others; none of them may cost units.
   */
  async burst(requests: readonly ApiRequest[], check: string): Promise<readonly Exchange[]> {
    const { signal, allowance, spending, transport } = this.#options;
    signal.throwIfAborted();
    await this.#options.ready();
    if (requests.some((request) => spending.kindOf(request) !== null))
      throw new Error('what costs units is sent one by one');
    requests.forEach(() => allowance.takeRequest());
    const shots = requests.map((request) => this.#requests.make(request, this.#forced(request)));
    const wires = shots.map(({ wire }) => wire);
    const results = await (transport.burst?.(wires) ??
      Promise.all(wires.map((wire) => transport.send(wire))));
    return shots.flatMap((shot, index) => {
      const result = results[index];
      return result ? [this.#conclude(shot, result, check, noReservation)] : [];
    });
  }

  #forced(request: ApiRequest): Ticket | null {
    const candidates = this.#requests.candidates(request);
    return candidates.length === 0 ? null : this.#options.pacer.force(candidates);
  }

  #conclude(
    shot: ReadyRequest,
    { outcome: seen, timings }: WireResult,
    check: string,
    reservation: Reservation,
  ): Exchange {
    shot.ticket?.done();
    const outcome = this.#recorded(seen);
    const exchange: Exchange = { ...intentOf(shot, check), outcome, timings };
    if (this.#options.spending.wasSpent(shot.request, exchange)) reservation.spend();
    else reservation.release();
    const unspent = this.#options.spending.takeUnspent();
    if (unspent > 0) this.#options.allowance.refundQuota(unspent);
    this.#fresh.learn(exchange);
    this.#options.onExchange(exchange);
    return exchange;
  }

  #recorded(outcome: Outcome): Outcome {
    const { redact } = this.#options;
    if (outcome.kind === 'response') return this.#withShared(outcome);
    const { failure } = outcome;
    return redact === undefined
      ? outcome
      : { ...outcome, failure: { ...failure, message: redact(failure.message) } };
  }

  /** A long body is a file, which is hardly sent again. */
  #withSharedBody(request: ApiRequest): ApiRequest {
    const { body } = request;
    if (body === null || body.length >= shortBytes) return request;
    const shared = this.#bodies.share(body);
    return shared === body ? request : { ...request, body: shared };
  }

  #withShared(outcome: Outcome & { readonly kind: 'response' }): Outcome {
    const { response } = outcome;
    const body = this.#bodies.share(response.body);
    return body === response.body ? outcome : { ...outcome, response: { ...response, body } };
  }

  #reserve(kind: 'quota' | 'subscription'): Promise<Reservation> {
    const { allowance, spending } = this.#options;
    if (kind === 'subscription') return allowance.reserveSubscription();
    return allowance.reserveQuota(() => spending.unproven());
  }

  /** A ticket if a key has room now or the request carries none. */
  #tryTicket(request: ApiRequest): Ticket | null | 'later' {
    if (request.wantsRefusal) return this.#forced(request);
    const candidates = this.#requests.candidates(request);
    if (candidates.length === 0) return null;
    const { pacer } = this.#options;
    const ticket = pacer.tryAcquire(candidates);
    if (ticket) return ticket;
    const substitutes = this.#requests.substitutes(request);
    return (substitutes.length === 0 ? null : pacer.tryAcquire(substitutes)) ?? 'later';
  }

  /** A ticket for any key with room: existing keys first, then new ones, and only then after a wait. */
  async #ticket(request: ApiRequest, pause: Pause): Promise<Ticket | null> {
    const { pacer, signal, moreKeys } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const ticket = this.#tryTicket(request);
      if (ticket !== 'later') return ticket;
      const role = roleOf(request.key);
      if (role !== null && (await moreKeys?.(role)) === true) continue;
      const usable = this.#usable(request);
      const room = { ms: pacer.freeIn(usable), isLockedOut: this.#isLockedOut(usable) };
      await pause(() => pacer.waitFor(usable, signal), room);
    }
  }

  #usable(request: ApiRequest): readonly ApiKey[] {
    return [...this.#requests.candidates(request), ...this.#requests.substitutes(request)];
  }
}

/** Whose keys a request may carry if there were more of them; null if it has to carry a certain one. */
function roleOf(key: KeyChoice): KeyRole | null {
  if (key.kind === 'pool') return key.enterprise;
  return key.kind === 'key' ? (key.otherwise ?? null) : null;
}
