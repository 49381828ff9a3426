import type { Clock } from '../../core/clock.ts';
import type { Exchange, Headers, Outcome } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import { BudgetExhausted, noReservation, type Allowance, type Reservation } from '../../send/allowance.ts';
import type { Spending } from '../../send/client.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { Transport, WireRequest, WireResult } from '../../send/transport.ts';
import type { LimiterRuling } from '../judge/accuracy.ts';
import type { Arrival } from '../plan/arrivals.ts';
import type { Lease } from './drive.ts';
import type { LoadPayload } from '../plan/payloads.ts';
import type { Recorder, SampleKind } from './recorder.ts';

export interface SenderOptions {
  readonly transport: Transport;
  readonly baseUrls: Readonly<Record<Api, string>>;
  readonly extraHeaders: Headers;
  readonly payload: (operation: Arrival['operation'], draw: number, twin?: number) => LoadPayload;
  readonly recorder: Pick<Recorder, 'record' | 'miss' | 'lose' | 'waiting'>;
  readonly allowance: Allowance;
  /** Counts what writes cost and leave behind. */
  readonly spending: Spending;
  /** Called with the status of each answer, or null if none came: shows if a target is gone. */
  readonly onOutcome: (status: number | null) => void;
  /** Gets every exchange before anything is recorded, to judge the load. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Removes secrets from text that is stored. */
  readonly redact: (text: string) => string;
  /** Offset of monotonic times to the clock shared by all machines; and its possible error. */
  readonly shared: { readonly offsetMs: number; readonly errorMs: number };
}

/** A request whose answer was lost may still be on its way: the target may decide it this much later. */
const lostGraceMs = 10_000;
/** How long answers may take to come after a load was aborted. */
export const cutOffMs = 1500;
const lookMs = 25;

/** Sends one arrival with its key and records the result. */
export class Sender {
  readonly #options: SenderOptions;
  /** For each request under way, what ends the wait for its answer. */
  readonly #underWay = new Set<(result: WireResult) => void>();
  #isOver = false;
  #count = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send({ arrival, key }: Lease & { readonly key: ApiKey }, intended: number): Promise<void> {
    const payload = this.#options.payload(arrival.operation, arrival.draw, arrival.twin);
    await this.deliver(payload, key, { atMs: arrival.atMs, intended });
  }

  /** Sends one request, records and judges the result; null if no budget has room for it. */
  async deliver(
    { request, expects }: LoadPayload,
    key: ApiKey,
    due: { readonly atMs: number; readonly intended: number },
  ): Promise<Exchange | null> {
    const { recorder } = this.#options;
    const reserving = this.#reserve(request);
    const reservation = reserving instanceof Promise ? await reserving : reserving;
    if (reservation === null) {
      recorder.miss(due.atMs, 'limits');
      return null;
    }
    if (this.#isOver) {
      reservation.release();
      return null;
    }
    const wire = this.#wire(request, key);
    const open = { operation: request.operation, since: due.intended };
    recorder.waiting.open(open);
    const result = await this.#answerTo(wire);
    recorder.waiting.close(open);
    const exchange = this.#exchange(request, key, { request: wire, ...result });
    if (reservation !== noReservation) this.#settle(request, exchange, reservation);
    this.#record(exchange, expects, { ...due, socketMs: result.socketMs });
    if (!isBrokenOff(exchange)) this.#options.onExchange(exchange);
    return exchange;
  }

  /** After an abort: gives answers a moment to come, and counts the requests that are left as cut off. Nothing is sent after it. */
  async cutOff(clock: Clock): Promise<void> {
    const until = clock.monotonic() + cutOffMs;
    while (this.#underWay.size > 0 && clock.monotonic() < until) await clock.sleep(lookMs);
    this.#isOver = true;
    const [now, at] = [clock.monotonic(), clock.now()];
    const failure = { reason: 'aborted', message: 'the load was ended', maybeDelivered: true } as const;
    const timings = { sentAt: at, receivedAt: at, sent: now, received: now };
    for (const end of this.#underWay) end({ outcome: { kind: 'failure', failure }, timings });
    // Whoever waits for them counts them first.
    await clock.sleep(0);
  }

  #answerTo(wire: WireRequest): Promise<WireResult> {
    const { promise, resolve, reject } = Promise.withResolvers<WireResult>();
    this.#underWay.add(resolve);
    this.#options.transport.send(wire).then(
      (result) => {
        this.#underWay.delete(resolve);
        resolve(result);
      },
      (error: unknown) => {
        this.#underWay.delete(resolve);
        reject(error);
      },
    );
    return promise;
  }

  /** What would be sent for an arrival, for callers that send by themselves. */
  prepare(
    arrival: Arrival,
    key: ApiKey,
  ): { readonly wire: WireRequest; readonly expects: readonly number[] } {
    const { request, expects } = this.#options.payload(arrival.operation, arrival.draw);
    return { wire: this.#wire(request, key), expects };
  }

  #record(
    { operation, key, outcome, timings }: Exchange,
    expects: readonly number[],
    {
      atMs,
      intended,
      socketMs,
    }: { readonly atMs: number; readonly intended: number; readonly socketMs: number | undefined },
  ): void {
    const { recorder, shared, onOutcome } = this.#options;
    const { sent, received } = timings;
    // Aborted by our own interrupt, which says nothing about the target.
    if (outcome.kind === 'failure' && outcome.failure.reason === 'aborted') {
      recorder.lose(1);
      return;
    }
    const kind = kindOf(outcome, expects);
    const decision = rulingOf(outcome);
    const from = sent + shared.offsetMs - shared.errorMs;
    const to = received + shared.offsetMs + shared.errorMs + (outcome.kind === 'failure' ? lostGraceMs : 0);
    recorder.record(
      {
        operation: operation ?? 'wci.status',
        status: statusOf(outcome),
        kind,
        atMs,
        // A timer may fire slightly early, which makes no answer any quicker.
        latencyMs: received - Math.min(intended, sent),
        serviceMs: received - sent,
        latenessMs: Math.max(0, sent - intended),
        ...(socketMs === undefined ? {} : { socketMs }),
        example: kind === 'error' ? this.#example(outcome) : null,
      },
      decision === null || key === null ? null : [key, from, to, decision],
    );
    onOutcome(outcome.kind === 'response' ? outcome.response.status : null);
  }

  /** A unit for the possible cost of a write; null if the budget has none left, which the plan prevents. */
  #reserve(request: ApiRequest): Reservation | null | Promise<Reservation | null> {
    const { allowance, spending } = this.#options;
    try {
      allowance.takeRequest();
    } catch (error) {
      return noRoom(error);
    }
    const kind = spending.kindOf(request);
    if (kind === null) return noReservation;
    return (kind === 'quota' ? allowance.reserveQuota() : allowance.reserveSubscription()).catch(noRoom);
  }

  #exchange(
    request: ApiRequest,
    key: ApiKey,
    wire: WireResult & { readonly request: WireRequest },
  ): Exchange {
    this.#count += 1;
    return {
      id: `l${this.#count}`,
      check: 'load',
      operation: request.operation,
      enterprise: key.enterprise,
      key: key.label,
      ...wire,
    };
  }

  #settle(request: ApiRequest, exchange: Exchange, reservation: Reservation): void {
    if (this.#options.spending.wasSpent(request, exchange)) reservation.spend();
    else reservation.release();
    this.#options.allowance.refundQuota(this.#options.spending.takeUnspent());
  }

  #wire(request: ApiRequest, key: ApiKey): WireRequest {
    return {
      baseUrl: this.#options.baseUrls[request.api],
      method: request.method,
      target: request.query === '' ? request.path : `${request.path}?${request.query}`,
      headers: this.#options.extraHeaders.concat([[request.keyHeader, key.value]], request.headers),
      body: request.body,
    };
  }

  #example(outcome: Outcome): string {
    const text =
      outcome.kind === 'failure'
        ? outcome.failure.message
        : Buffer.from(outcome.response.body).subarray(0, 300).toString('utf8');
    return this.#options.redact(text);
  }
}

function noRoom(error: unknown): null {
  if (error instanceof BudgetExhausted) return null;
  throw error;
}

function isBrokenOff({ outcome }: Exchange): boolean {
  return outcome.kind === 'failure' && outcome.failure.reason === 'aborted';
}

function statusOf(outcome: Outcome): string {
  return outcome.kind === 'response' ? String(outcome.response.status) : outcome.failure.reason;
}

function kindOf(outcome: Outcome, expects: readonly number[]): SampleKind {
  if (outcome.kind === 'failure') return 'error';
  if (outcome.response.status === 429) return 'refused';
  return expects.includes(outcome.response.status) ? 'ok' : 'error';
}

/** The limiter's decision; null if it certainly never saw the request. */
export function rulingOf(outcome: Outcome): LimiterRuling | null {
  if (outcome.kind === 'failure') return outcome.failure.maybeDelivered ? 'unknown' : null;
  const { status } = outcome.response;
  if (status === 429) return 'refused';
  return status >= 200 && status < 300 ? 'admitted' : 'unknown';
}
