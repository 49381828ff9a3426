import type { Exchange } from '../../core/evidence.ts';
import { operations, type OperationId } from '../../core/operations.ts';
import type { ApiRequest } from '../../send/request.ts';
import { kindOf } from '../attempt/requestKind.ts';
import { patience } from './patience.ts';
import { isAway, statusOf } from './signs.ts';

interface Away {
  count: number;
  /** When the first of them was missed, on the clock of `timings.received`. */
  readonly since: number;
}

/**
 * Operations that only a gateway answers, or nobody, while others work: each further subscribe might create a record and take a
 * unit. What the application itself answers counts as an answer, whatever it is: it is judged for that.
 */
export class OperationOutages {
  readonly #onOutage: (text: string) => void;
  readonly #away = new Map<string, Away>();
  readonly #leftAlone = new Map<string, string>();

  /** `onOutage` is called once for each kind of request, with what people are told. */
  constructor(onOutage: (text: string) => void) {
    this.#onOutage = onOutage;
  }

  /** Why an operation is left alone; null if it is not. */
  of(request: Pick<ApiRequest, 'operation' | 'headers' | 'body'>): string | null {
    const { operation } = request;
    if (operation === null || this.#leftAlone.size === 0) return null;
    return this.#leftAlone.get(kindOf({ ...request, operation })) ?? null;
  }

  see(exchange: Exchange): void {
    const { operation, timings, request } = exchange;
    const isGone = isAway(exchange);
    if (operation === null || (!isGone && this.#away.size === 0)) return;
    const kind = kindOf({ ...request, operation });
    if (!isGone) {
      this.#away.delete(kind);
      return;
    }
    const away = this.#away.get(kind) ?? { count: 0, since: timings.received };
    away.count += 1;
    this.#away.set(kind, away);
    const isOut = away.count >= patience.ofOneKind && timings.received - away.since >= patience.awayMs;
    if (isOut && !this.#leftAlone.has(kind)) this.#leave(operation, kind, statusOf(exchange));
  }

  #leave(operation: OperationId, kind: string, status: number | null): void {
    const last = status === null ? 'with no answer' : `with HTTP ${status}`;
    const { method, path } = operations[operation];
    const times = `${patience.ofOneKind} times in a row`;
    const why = `${method} ${path}${kind.slice(operation.length)} failed ${times}, at last ${last}, and is left alone`;
    this.#leftAlone.set(kind, why);
    this.#onOutage(
      `${why}: each further request might leave something behind. What needs it stays undecided; find out why it fails while other operations answer, then run again.`,
    );
  }
}
