import type { Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import * as is from '../../spec/kernel/value.ts';
import { hasApiBody, responseValue } from '../kernel/answer.ts';
import { responseOf } from '../kernel/body.ts';
import { differs, holds } from '../kernel/judgement.ts';
import { noSamples, sampleOf, type Sample } from '../kernel/sample.ts';

export const pathRow = 'SHR-AUT-023';

/** An operation is answered at its path: none is absent there whatever is asked of it. */
export class Paths {
  readonly #answered = new Set<OperationId>();
  readonly #absent = new Map<OperationId, Exchange>();

  judge(exchange: Exchange): readonly Sample[] {
    const { operation, enterprise } = exchange;
    const status = responseOf(exchange)?.status;
    if (operation === null || enterprise === null || status === undefined) return noSamples;
    // An operation that does not exist is answered by 404 without the error body of the API, by 405 or by 501.
    const isAbsent = status === 404 ? !hasApiBody(exchange) : status === 405 || status === 501;
    if (isAbsent && !this.#absent.has(operation)) this.#absent.set(operation, exchange);
    // Anything else without the body of the API may come from in front of the service.
    if (isAbsent || !(status === 200 || hasApiBody(exchange))) return noSamples;
    this.#answered.add(operation);
    return [sampleOf(pathRow, holds)];
  }

  end(): readonly Sample[] {
    const never = [...this.#absent].filter(([operation]) => !this.#answered.has(operation));
    return never.map(([, exchange]) => ({
      requirement: pathRow,
      judgement: differs('path', 'answer', is.text('an answer of the operation'), responseValue(exchange)),
      evidence: [exchange],
    }));
  }
}
