import { z } from 'zod';
import type { Exchange } from '../../core/evidence.ts';
import { operationIds } from '../../core/operations.ts';

/** What to add to the monotonic times of a process to get those that all senders of a load share, and its possible error. */
export interface SharedTime {
  readonly offsetMs: number;
  readonly errorMs: number;
}

const text = (most: number) => z.string().max(most);

/** An exchange as sent to the coordinator of a load: without headers or secrets. Times are on the shared clock. */
const seenSchema = z.strictObject({
  id: text(200),
  operation: z.enum(operationIds),
  enterprise: text(200),
  key: text(200).nullable(),
  method: text(20),
  target: text(4000),
  body: text(40_000).nullable(),
  status: z.int().min(100).max(999),
  answer: text(40_000),
  sent: z.number(),
  received: z.number(),
});

export type SeenExchange = z.infer<typeof seenSchema>;

/** Most exchanges that one part may report; more are left out, which blames nobody. */
const mostKept = 400;

/** A worker's answers in a part, as reported. */
const seenInPartSchema = z.array(seenSchema).max(mostKept);

interface WatchOptions {
  /** Name of the sender. */
  readonly name: string;
  readonly redact: (text: string) => string;
  readonly shared: () => SharedTime;
}

/** After this time a record that shows nothing new is reported again: another worker may have seen something newer. */
const againMs = 5000;
const mostStatuses = 20;
const mostRecords = 5000;
const longest = 40_000;

/** Stores the answers of a worker that matter for judging the whole load: subscribes, and statuses that show something new. */
export class SeenExchanges {
  readonly #options: WatchOptions;
  readonly #told = new Map<string, { readonly answer: string; readonly at: number }>();
  #kept: SeenExchange[] = [];
  #statuses = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  see(exchange: Exchange): void {
    const { outcome, operation } = exchange;
    if (this.#kept.length >= mostKept || outcome.kind !== 'response' || outcome.response.status !== 200)
      return;
    if (operation === 'wci.subscribe' || (operation === 'wci.status' && this.#isNews(exchange)))
      this.#keep(exchange);
  }

  /** What came since the last call. */
  take(): readonly SeenExchange[] {
    const kept = this.#kept;
    [this.#kept, this.#statuses] = [[], 0];
    return kept;
  }

  #isNews(exchange: Exchange): boolean {
    const { target } = exchange.request;
    const answer = answerOf(exchange);
    const known = this.#told.get(target);
    const at = exchange.timings.received;
    if (known?.answer === answer && at < known.at + againMs) return false;
    if (this.#statuses >= mostStatuses || (known === undefined && this.#told.size >= mostRecords))
      return false;
    this.#statuses += 1;
    this.#told.set(target, { answer, at });
    return true;
  }

  #keep(exchange: Exchange): void {
    const { name, redact, shared } = this.#options;
    const { id, operation, enterprise, key, request, outcome, timings } = exchange;
    if (operation === null || enterprise === null || outcome.kind !== 'response') return;
    const body = request.body === null ? null : redact(Buffer.from(request.body).toString('utf8'));
    const answer = redact(answerOf(exchange));
    if (outcome.response.truncated || answer.length > longest || (body?.length ?? 0) > longest) return;
    const { offsetMs, errorMs } = shared();
    this.#kept.push({
      ...{
        operation,
        enterprise,
        key,
        body,
        answer,
        method: request.method,
        status: outcome.response.status,
      },
      ...{ id: `${name.slice(0, 100)}/${id}`, target: redact(request.target).slice(0, 4000) },
      sent: timings.sent + offsetMs - errorMs,
      received: timings.received + offsetMs + errorMs,
    });
  }
}

function answerOf({ outcome }: Exchange): string {
  return outcome.kind === 'response' ? Buffer.from(outcome.response.body).toString('utf8') : '';
}

/** Where an exchange of a sender is judged. */
interface SeenHere {
  readonly baseUrl: string;
  /** Offset of the monotonic times of this process to the shared clock. */
  readonly offsetMs: number;
  /** Epoch milliseconds at monotonic zero. */
  readonly epochMs: number;
}

/** Exchanges as a judge reads them, on the clock of this process; invalid ones are left out. */
export function exchangesOf(told: unknown, here: SeenHere): readonly Exchange[] {
  return (seenInPartSchema.safeParse(told).data ?? []).map((one) => exchangeOf(one, here));
}

function exchangeOf(seen: SeenExchange, { baseUrl, offsetMs, epochMs }: SeenHere): Exchange {
  const { id, operation, enterprise, key, method, target, body, status, answer } = seen;
  const [sent, received] = [seen.sent - offsetMs, seen.received - offsetMs];
  const headers = [['Content-Type', 'application/json']] as const;
  return {
    ...{ id, check: 'load', operation, enterprise, key },
    request: { ...{ method, baseUrl, target, headers }, body: body === null ? null : Buffer.from(body) },
    outcome: {
      kind: 'response',
      response: { ...{ status, headers }, body: Buffer.from(answer), truncated: false },
    },
    timings: { ...{ sent, received }, sentAt: epochMs + sent, receivedAt: epochMs + received },
  };
}

/** How long to wait for earlier answers: parts arrive one after another, not in the order of their answers. */
const patienceMs = 10_000;
const mostWaiting = 20_000;

/** Sorts the answers of all workers by time before they are judged; stores a bounded number of them. */
export class SeenInOrder {
  readonly #judge: (exchange: Exchange) => void;
  #waiting: Exchange[] = [];
  #latest = Number.NEGATIVE_INFINITY;

  constructor(judge: (exchange: Exchange) => void) {
    this.#judge = judge;
  }

  add(exchanges: readonly Exchange[]): void {
    if (exchanges.length === 0) return;
    for (const exchange of exchanges) this.#latest = Math.max(this.#latest, exchange.timings.received);
    this.#waiting = [...this.#waiting, ...exchanges];
    if (this.#waiting.length > mostWaiting) this.end();
    else this.#release(this.#latest - patienceMs);
  }

  /** Called when nothing more comes. */
  end(): void {
    this.#release(Number.POSITIVE_INFINITY);
  }

  #release(until: number): void {
    const due = this.#waiting.filter(({ timings }) => timings.received <= until);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter(({ timings }) => timings.received > until);
    due.sort((one, other) => one.timings.received - other.timings.received);
    for (const exchange of due) this.#judge(exchange);
  }
}
