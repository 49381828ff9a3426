import type { Exchange } from '../core/evidence.ts';
import { operations, type OperationId } from '../core/operations.ts';
import { errorCode } from '../judge/kernel/answer.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { ApiRequest } from '../send/request.ts';
import { isDisturbance } from './disturbance.ts';
import { kindOf } from './requestKind.ts';

/** Disturbed answers of one operation in a row after which it is left alone, if it has been away for `patienceMs`. */
const patience = 24;
/** A deployment that is being rolled out is back sooner. */
const patienceMs = 4_000;

interface OutageOptions {
  /** Called once for each operation, with what people are told. */
  readonly onOutage: (text: string) => void;
  /** Outages are provoked, so they say nothing about the health of the deployment. */
  readonly provokesErrors: boolean;
}

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
  readonly #options: OutageOptions;
  readonly #away = new Map<string, Away>();
  readonly #leftAlone = new Map<string, string>();

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** Why an operation is left alone; null if it is not. */
  of(request: Pick<ApiRequest, 'operation' | 'headers' | 'body'>): string | null {
    const { operation } = request;
    if (operation === null || this.#leftAlone.size === 0) return null;
    return this.#leftAlone.get(kindOf({ ...request, operation })) ?? null;
  }

  see(exchange: Exchange): void {
    const { operation, timings, request } = exchange;
    if (operation === null || this.#options.provokesErrors) return;
    const isGone = isAway(exchange);
    if (!isGone && this.#away.size === 0) return;
    const kind = kindOf({ ...request, operation });
    if (!isGone) {
      this.#away.delete(kind);
      return;
    }
    const away = this.#away.get(kind) ?? { count: 0, since: timings.received };
    away.count += 1;
    this.#away.set(kind, away);
    const isOut = away.count >= patience && timings.received - away.since >= patienceMs;
    if (isOut && !this.#leftAlone.has(kind)) this.#leave(operation, kind, exchange);
  }

  #leave(operation: OperationId, kind: string, exchange: Exchange): void {
    const status = responseOf(exchange)?.status;
    const last = status === undefined ? 'with no answer' : `with HTTP ${status}`;
    const { method, path } = operations[operation];
    const why = `${method} ${path}${kind.slice(operation.length)} failed ${patience} times in a row, at last ${last}, and is left alone`;
    this.#leftAlone.set(kind, why);
    this.#options.onOutage(
      `${why}: each further request might leave something behind. What needs it stays undecided; find out why it fails while other operations answer, then run again.`,
    );
  }
}

/** Whether no answer came, or one of a gateway that does not reach the application, which names its own errors. */
function isAway(exchange: Exchange): boolean {
  return isDisturbance(exchange, true) && !codeForm.test(errorCode(exchange) ?? '');
}

/** The form of the documented error codes: an upstream source that fails is answered by the application with 502. */
const codeForm = /^[A-Z][A-Z_]+$/;
