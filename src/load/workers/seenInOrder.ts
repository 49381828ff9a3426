import type { Exchange } from '../../core/evidence.ts';
import type { SeenExchange } from './seenExchanges.ts';

/** The exchange as a judge reads it, on the clock of this process. */
export function exchangeOf(seen: SeenExchange, { baseUrl, toMonotonic, epochMs }: SeenHere): Exchange {
  const { id, operation, enterprise, key, method, target, body, status, answer } = seen;
  const [sent, received] = [toMonotonic(seen.sent), toMonotonic(seen.received)];
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

interface SeenHere {
  readonly baseUrl: string;
  readonly toMonotonic: (sharedMs: number) => number;
  /** Epoch milliseconds at monotonic zero. */
  readonly epochMs: number;
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
