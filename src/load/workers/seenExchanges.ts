import { z } from 'zod';
import type { Exchange } from '../../core/evidence.ts';
import { operationIds } from '../../core/operations.ts';

const text = (most: number) => z.string().max(most);

/** An exchange as it travels to whoever hands the load out: without headers, and without any secret. Times of the shared clock. */
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

/** What one part may hand in; what is more is not handed in, which blames nobody. */
const mostKept = 400;

/** What a worker was answered in a part, as it hands it in. */
export const seenInPartSchema = z.array(seenSchema).max(mostKept);

interface WatchOptions {
  /** Name of the worker. */
  readonly name: string;
  readonly redact: (text: string) => string;
  /** What to add to monotonic times for the shared clock, and how far that may be off. */
  readonly shared: () => { readonly offsetMs: number; readonly errorMs: number };
}

/** After this time a record that shows nothing new is handed in again: another worker may have been shown something newer. */
const againMs = 5000;
const mostStatuses = 20;
const mostRecords = 5000;
const longest = 40_000;

/** Keeps what of a worker's answers matters to the whole of a load: subscribes, and what statuses show that is new. */
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

  /** What came since the last time. */
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
