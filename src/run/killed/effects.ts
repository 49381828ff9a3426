import { operationIds, type OperationId } from '../../core/operations.ts';
import type { Exchange } from '../../core/evidence.ts';
import { Ledger, type SideEffect } from '../../engine/ledger.ts';
import { rawRequest, type ApiRequest } from '../../send/request.ts';
import type { ExchangeLine, SendingLine } from '../../send/journalLine.ts';
import { exchangeOf } from '../recorded/lineEvidence.ts';

/** What the requests of a journal left behind, by the same rules as during a run. */
export class Effects {
  readonly #ledger = new Ledger();
  /** Requests that were about to be sent when the run ended, by the id of the exchange. */
  readonly #open = new Map<string, SendingLine>();
  /** Ids of the exchanges: a journal that was put together by hand may hold a line twice, or in another order. */
  readonly #seen = new Set<string>();

  /** Number of requests that were about to be sent and have no exchange. */
  get unanswered(): number {
    return this.#open.size;
  }

  sending(line: SendingLine): void {
    if (!this.#seen.has(line.id)) this.#open.set(line.id, line);
  }

  /** False if the exchange was there before. */
  exchange(line: ExchangeLine): boolean {
    this.#open.delete(line.id);
    if (this.#seen.has(line.id)) return false;
    this.#seen.add(line.id);
    this.#note(line);
    return true;
  }

  state(name: string, at: number): void {
    this.#ledger.state(name, at);
  }

  /** Whether a request without an exchange took effect is unknown. */
  all(): readonly SideEffect[] {
    const failure = { reason: 'aborted', message: 'the run was cut short', maybeDelivered: true };
    for (const line of this.#open.values())
      this.#note({ ...line, type: 'exchange', durationMs: 0, response: null, failure });
    return this.#ledger.sideEffects;
  }

  #note(line: ExchangeLine): void {
    const operation = operationIds.find((id) => id === line.operation);
    if (operation === undefined) return;
    const exchange = exchangeOf(line, { operation, prefix: '', slackMs: 0 });
    this.#ledger.wasSpent(requestOf(operation, exchange), exchange);
  }
}

function requestOf(operation: OperationId, { request, enterprise, key }: Exchange): ApiRequest {
  const holder = { label: key ?? '', enterprise: enterprise ?? '', value: '' };
  return rawRequest(operation, request.body ?? new Uint8Array(), null, { key: { kind: 'key', key: holder } });
}
