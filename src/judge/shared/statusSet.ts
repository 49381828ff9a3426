import type { OperationId } from '../../core/operations.ts';
import type { Exchange, RecordedResponse } from '../../core/evidence.ts';
import { listTable } from '../../spec/grammar/listQuery.ts';
import { readForms } from '../../spec/grammar/readForms.ts';
import { inFrontOf, answeredOtherwise } from '../kernel/answer.ts';
import { responseOf } from '../kernel/body.ts';
import { holds, unclear } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { callOf } from '../../trace/call.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, type Sample, sampleOf } from '../kernel/sample.ts';

/** The statuses that the documents list for an operation. */
export const documentedStatuses: Readonly<
  Record<OperationId, { readonly requirement: string; readonly statuses: ReadonlySet<number> }>
> = {
  'wci.subscribe': { requirement: 'SHR-ERR-014', statuses: new Set([200, 400, 401, 402, 422, 429, 500]) },
  'wci.update': { requirement: 'SHR-ERR-015', statuses: new Set([200, 400, 401, 404, 409, 422, 429, 500]) },
  'wci.status': { requirement: 'SHR-ERR-016', statuses: new Set([200, 400, 401, 404, 429, 500]) },
  'wci.list': { requirement: 'SHR-ERR-017', statuses: new Set([200, 400, 401, 429, 500]) },
  'fla.lookup': { requirement: 'SHR-ERR-018', statuses: new Set([200, 400, 401, 404, 429, 500, 502]) },
  'fla.subscribe': {
    requirement: 'SHR-ERR-019',
    statuses: new Set([200, 400, 401, 404, 409, 429, 500, 502]),
  },
};

/** Every operation answers with its documented statuses only. */
export const statusSet: Oracle = {
  id: 'status-set',
  title: 'Each operation answers only with the statuses that are documented for it',
  verifies: Object.values(documentedStatuses).map(({ requirement }) => requirement),
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const response = responseOf(exchange);
  return response && exchange.operation ? [judgeStatus(exchange, exchange.operation, response)] : noSamples;
}

function judgeStatus(exchange: Exchange, operation: OperationId, response: RecordedResponse): Sample {
  const { requirement, statuses } = documentedStatuses[operation];
  const cause = inFrontOf(exchange, response);
  if (cause !== null) return sampleOf(requirement, unclear(cause));
  if (!statuses.has(response.status)) {
    const want: is.Value = { kind: 'statuses', statuses: [...statuses] };
    return sampleOf(requirement, answeredOtherwise(exchange, want, 'status'));
  }
  if (operation !== 'wci.list' || response.status !== 400) return sampleOf(requirement, holds);
  const want = is.answer(200, 'since nothing in page, limit and status is invalid');
  const judgement = isPlainList(exchange) ? answeredOtherwise(exchange, want, 'status') : holds;
  return { requirement, judgement, evidence: [exchange] };
}

/** A list request in which nothing can be called invalid, so that 400 is wrong. */
function isPlainList(exchange: Exchange): boolean {
  const query = callOf(exchange)?.query ?? {};
  const features = readForms(query, { operation: 'wci.list', carrier: 'query' });
  return (
    exchange.request.body === null &&
    Object.keys(query).every((name) => name in listTable) &&
    features.every(({ kind }) => kind === 'free')
  );
}
