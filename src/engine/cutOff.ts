import type { Exchange } from '../core/evidence.ts';
import type { OperationId } from '../core/operations.ts';
import { documentedStatuses } from '../judge/shared/statusSet.ts';
import { kindOf } from './operationOutages.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { violated } from '../judge/kernel/judgement.ts';
import type { Sample } from '../judge/kernel/sample.ts';
import type { ApiRequest } from '../send/request.ts';
import type { Claimed } from '../trace/evidence.ts';
import type { PassiveTallies } from './tally.ts';

/** How often a request that was cut off twice is sent again, each time after a read. */
const furtherTries = 3;
/** Share of the requests to other operations that may be lost: beyond it the network is to blame. */
const mostLost = 0.05;
/** So many cut-offs of an operation in a row prove the same. */
const manyInARow = 16;
/** Kinds of requests that are tried so in a run. */
const mostKinds = 12;

/** A request whose connection was closed without an answer. */
export interface CutOff {
  readonly request: ApiRequest;
  readonly exchange: Exchange;
}

interface CutOffOptions {
  /** Sends a request of a check. */
  readonly send: (request: ApiRequest, check: string) => Promise<Exchange>;
  readonly read: () => ApiRequest;
  readonly tallies: PassiveTallies;
  readonly claim: (claimed: Claimed) => void;
}

/** Whether the other side closed the connection after it may have read the request. */
export function isCutOff({ outcome }: Exchange): boolean {
  return outcome.kind === 'failure' && outcome.failure.reason === 'reset' && outcome.failure.maybeDelivered;
}

/** Names requests that a deployment cuts off each time, while it answers others: its handler breaks instead of answering. */
export class CutOffs {
  readonly #options: CutOffOptions;
  readonly #counts = new Map<string, { sent: number; lost: number }>();
  readonly #tried = new Set<string>();
  readonly #blamed = new Set<string>();
  /** The cut-offs of each operation since its last answer. */
  readonly #rows = new Map<string, readonly Exchange[]>();

  constructor(options: CutOffOptions) {
    this.#options = options;
  }

  see(exchange: Exchange): void {
    const { operation, outcome } = exchange;
    const count = this.#counts.get(operation ?? '') ?? { sent: 0, lost: 0 };
    count.sent += 1;
    count.lost += outcome.kind === 'failure' ? 1 : 0;
    this.#counts.set(operation ?? '', count);
    if (operation === null) return;
    const row = isCutOff(exchange) ? [...(this.#rows.get(operation) ?? []), exchange] : [];
    this.#rows.set(operation, row.slice(-manyInARow));
    if (row.length === manyInARow && !this.#isNetworkBad(operation)) this.#blame(operation, row.slice(-5));
  }

  /** Whether requests like this one were proved to be cut off each time. */
  isBlamed({ operation, headers }: ApiRequest): boolean {
    return operation !== null && this.#blamed.has(kindOf(operation, headers));
  }

  /**
   * Sends a request again that was cut off in both attempts at a check, and judges the operation if that happens each time. Returns
   * whether it does.
   */
  async prove(first: CutOff, again: CutOff | null): Promise<boolean> {
    if (this.isBlamed(first.request)) return true;
    const { operation } = first.request;
    if (operation === null || again === null) return false;
    const { request, exchange } = again;
    const kind = kindOf(operation, request.headers);
    const tried = `${exchange.check} ${kind}`;
    if (this.#tried.has(tried) || this.#tried.size >= mostKinds) return false;
    this.#tried.add(tried);
    const seen = [first.exchange, exchange];
    for (let tries = 0; tries < furtherTries; tries += 1) {
      const read = await this.#options.send(this.#options.read(), exchange.check);
      if (responseOf(read) === null) return false;
      const next = await this.#options.send(request, exchange.check);
      if (!isCutOff(next)) return false;
      seen.push(next);
    }
    if (this.#isNetworkBad(operation)) return false;
    this.#blame(operation, seen);
    this.#blamed.add(kind);
    return true;
  }

  #isNetworkBad(operation: string): boolean {
    const others = [...this.#counts].flatMap(([name, count]) => (name === operation ? [] : [count]));
    const sum = (of: 'sent' | 'lost') => others.reduce((all, count) => all + count[of], 0);
    return sum('lost') > mostLost * sum('sent');
  }

  #blame(operation: NonNullable<ApiRequest['operation']>, seen: readonly Exchange[]): void {
    const last = seen.at(-1);
    if (!last) return;
    const exchanges = seen.map(({ id }) => id);
    this.#options.tallies.add(last, cutOffOf(operation, exchanges));
    this.#options.claim({ claim: 'cut-off', exchanges });
  }
}

/** What these exchanges break, which were cut off each time. */
export function cutOffOf(operation: OperationId, exchanges: readonly string[]): Sample {
  const { requirement, statuses } = documentedStatuses[operation];
  const expected = `an answer, with one of HTTP ${[...statuses].join(', ')}`;
  const actual = `the connection closed without one each time (${exchanges.join(', ')}), while reads in between are answered`;
  return { requirement, judgement: violated('cut-off', expected, actual) };
}
