import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import type { UnclearCase } from './attemptResult.ts';
import { documentedStatuses } from '../../judge/shared/answers.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import { differs } from '../../judge/kernel/judgement.ts';
import type { Sample } from '../../judge/kernel/sample.ts';
import type { ApiRequest } from '../../send/request.ts';
import type { Claimed } from '../../trace/evidence.ts';
import { kindOf } from './requestKind.ts';
import * as is from '../../spec/kernel/value.ts';
import type { PassiveTallies } from '../findings/tally.ts';

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
  /** Reads of several operations, one of which is answered unless the network is away. */
  readonly reads: () => readonly ApiRequest[];
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
  /** The cut-offs of each kind of request since its last answer. */
  readonly #rows = new Map<string, readonly Exchange[]>();
  /** The last cut-off of each kind of request. */
  readonly #last = new Map<string, Exchange>();
  /** Ids of cut-offs, by the kind of the request. */
  readonly #ids = new Map<string, Set<string>>();
  /** The latest request of each fixture that was cut off. */
  readonly #ofFixtures = new Map<string, CutOff>();

  constructor(options: CutOffOptions) {
    this.#options = options;
  }

  see(exchange: Exchange): void {
    const { operation, outcome } = exchange;
    const count = this.#counts.get(operation ?? '') ?? { sent: 0, lost: 0 };
    if (count.sent === 0) this.#counts.set(operation ?? '', count);
    count.sent += 1;
    count.lost += outcome.kind === 'failure' ? 1 : 0;
    const isLost = isCutOff(exchange);
    if (operation === null || (!isLost && this.#rows.size === 0)) return;
    const kind = kindOf({ ...exchange.request, operation });
    if (!isLost) {
      this.#rows.delete(kind);
      return;
    }
    this.#last.set(kind, exchange);
    this.#ids.set(kind, (this.#ids.get(kind) ?? new Set()).add(exchange.id));
    const row = [...(this.#rows.get(kind) ?? []), exchange].slice(-manyInARow);
    this.#rows.set(kind, row);
    const isProved = row.length === manyInARow && !this.#blamed.has(kind) && !this.#isNetworkBad(operation);
    if (isProved) this.#blame(operation, kind, row.slice(-5));
  }

  /** Whether requests like this one were proved to be cut off each time. */
  isBlamed(request: Pick<ApiRequest, 'operation' | 'headers' | 'body'>): boolean {
    const { operation } = request;
    if (operation === null || this.#blamed.size === 0) return false;
    return this.#blamed.has(kindOf({ ...request, operation }));
  }

  /** The end of the last request like this one, if all of them end so: what is left alone for it is not sent again. */
  lastOf(request: ApiRequest): Exchange | null {
    const { operation } = request;
    if (operation === null || !this.isBlamed(request)) return null;
    return this.#last.get(kindOf({ ...request, operation })) ?? null;
  }

  /** Whether an exchange was cut off as each of its kind is, so that a finding says all that it shows. */
  isExplained(exchange: Exchange): boolean {
    return isCutOff(exchange) && this.isBlamed({ ...exchange.request, operation: exchange.operation });
  }

  /** Whether a case stayed undecided for such an exchange, of its own or of a fixture that its cause names. */
  explains({ evidence, cause }: UnclearCase): boolean {
    const named = new Set([...evidence, ...(cause.match(/\bx\d+\b/g) ?? [])]);
    return [...this.#blamed].some((kind) => !named.isDisjointFrom(this.#ids.get(kind) ?? new Set()));
  }

  /** A fixture sends once more what was cut off; if that is cut off as well, it is tried further. */
  async seeFixture(request: ApiRequest, exchange: Exchange): Promise<void> {
    const { operation } = request;
    if (operation === null) return;
    const name = `${exchange.check} ${kindOf({ ...request, operation })}`;
    const before = this.#ofFixtures.get(name);
    if (isCutOff(exchange)) this.#ofFixtures.set(name, { request, exchange });
    else this.#ofFixtures.delete(name);
    if (before && isCutOff(exchange)) await this.prove(before, { request, exchange });
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
    const kind = kindOf({ ...request, operation });
    const tried = `${exchange.check} ${kind}`;
    if (this.#tried.has(tried) || this.#tried.size >= mostKinds) return false;
    this.#tried.add(tried);
    const seen = [first.exchange, exchange];
    for (let tries = 0; tries < furtherTries; tries += 1) {
      const read = this.#options.reads().find((one) => one.operation !== operation && !this.isBlamed(one));
      if (!read || responseOf(await this.#options.send(read, exchange.check)) === null) return false;
      const next = await this.#options.send(request, exchange.check);
      if (!isCutOff(next)) return false;
      seen.push(next);
    }
    if (this.#isNetworkBad(operation)) return false;
    this.#blame(operation, kind, seen);
    return true;
  }

  #isNetworkBad(operation: string): boolean {
    const others = [...this.#counts].flatMap(([name, count]) => (name === operation ? [] : [count]));
    const sum = (of: 'sent' | 'lost') => others.reduce((all, count) => all + count[of], 0);
    return sum('lost') > mostLost * sum('sent');
  }

  #blame(operation: OperationId, kind: string, seen: readonly Exchange[]): void {
    const last = seen.at(-1);
    if (!last) return;
    this.#blamed.add(kind);
    const exchanges = seen.map(({ id }) => id);
    const sample = cutOffOf(operation, exchanges);
    this.#options.tallies.add(last, sample);
    // The list of its statuses is only read into a table; that this one is answered is written.
    if (last.check.startsWith('fixture.') && operation === 'fla.subscribe')
      this.#options.tallies.add(last, { ...sample, requirement: 'FLA-SUB-001' });
    this.#options.claim({ claim: 'cut-off', exchanges });
  }
}

/** What these exchanges break, which were cut off each time. */
export function cutOffOf(operation: OperationId, exchanges: readonly string[]): Sample {
  const { requirement, statuses } = documentedStatuses[operation];
  const words = `the connection closed without one each time (${exchanges.join(', ')}), while reads in between are answered`;
  const judgement = differs(
    'cut-off',
    'answer',
    is.text(`an answer, with one of HTTP ${[...statuses].join(', ')}`),
    is.counted(words, exchanges),
    exchanges.map((id) => ({ id })),
  );
  return { requirement, judgement };
}
