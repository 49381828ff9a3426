import { checkinOperations } from '../../core/operations.ts';
import type { Exchange } from '../../core/evidence.ts';
import { objectOf, responseOf } from '../kernel/body.ts';
import { holds, differs } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, sampleOf, type Sample } from '../kernel/sample.ts';

/** After these, waiting does not help; a 409 or 500 may well say when to try again. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 402, 404, 422]);

/** Context that does not belong to the error. */
export const errorContext: Oracle = {
  id: 'error-context',
  title: 'no error that waiting does not help carries retryAfter',
  verifies: ['SHR-ERR-006'],
  operations: checkinOperations,
  answers: 'refused',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  if (!response || !exchange.operation?.startsWith('wci.') || !finalStatuses.has(response.status))
    return noSamples;
  const body = objectOf(exchange);
  if (!body) return noSamples;
  const { retryAfter } = body;
  if (retryAfter === undefined || retryAfter === null) return [sampleOf('SHR-ERR-006', holds)];
  const want = is.noted(is.absent, 'except on a 429');
  const got = is.noted(is.value(retryAfter), `with HTTP ${response.status}`);
  return [sampleOf('SHR-ERR-006', differs('context', 'retryAfter', want, got))];
}
