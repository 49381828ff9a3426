import * as is from '../../../spec/kernel/value.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { isObject, objectOf, responseOf, type Json, type JsonObject } from '../../kernel/body.ts';
import { holds, differs, equals, numberDue } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { boundsOf } from '../../../spec/world/listings.ts';
import { place, sightsIn } from '../../../spec/world/sights.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { callOf } from '../../../trace/call.ts';
import { answeredOtherwise } from '../../kernel/answer.ts';
import { readForms } from '../../../spec/grammar/readForms.ts';
import { checkinStatuses, listTable } from '../../../spec/grammar/listQuery.ts';

/** The list compared with the requested page, limit and status, if the documents allow only one reading of them. */
export const listRequest: Oracle = {
  id: 'list-request',
  title: 'A list applies page, limit and status as documented',
  // SHR-ERR-017 is judged by another oracle as well.
  verifies: [
    'WCI-LST-002',
    'WCI-LST-003',
    'WCI-LST-006',
    'WCI-LST-007',
    'WCI-LST-008',
    'WCI-LST-009',
    'WCI-LST-010',
    'WCI-LST-011',
    'WCI-LST-012',
    'WCI-LST-017',
    'WCI-LST-028',
  ],
  operations: ['wci.list'],
  createWatch: () => ({ exchange: judge }),
};

/** A list request in which nothing can be called invalid is not answered with 400. */
function judgeRefusal(exchange: Exchange): readonly Sample[] {
  const query = callOf(exchange)?.query ?? {};
  const features = readForms(query, { operation: 'wci.list', carrier: 'query' });
  const isPlain =
    exchange.request.body === null &&
    Object.keys(query).every((name) => name in listTable) &&
    features.every(({ kind }) => kind === 'free');
  const want = is.answer(200, 'since nothing in page, limit and status is invalid');
  return isPlain ? [sampleOf('SHR-ERR-017', answeredOtherwise(exchange, want, 'status'))] : noSamples;
}

function judge(exchange: Exchange): readonly Sample[] {
  const status = exchange.operation === 'wci.list' ? responseOf(exchange)?.status : null;
  if (status === 400) return judgeRefusal(exchange);
  const { pagination, data } = (status === 200 ? objectOf(exchange) : null) ?? {};
  if (!isObject(pagination) || !Array.isArray(data)) return noSamples;
  const query = callOf(exchange)?.query ?? {};
  return [
    judgeLimit(query, pagination.limit, data.length),
    judgePage(query, pagination.page),
    ...judgeFurtherPage(query, pagination, data.length),
    judgeFilter(query.status, exchange),
  ].filter((sample) => sample !== null);
}

function judgeLimit(query: JsonObject, limit: Json | undefined, length: number): Sample | null {
  if (typeof limit !== 'number') return null;
  const { rule, applied, isCertain } = boundsOf(query).limit;
  const [lowest, highest] = applied ?? [Number(query.limit), Number(query.limit)];
  const requirement = rule ?? 'WCI-LST-011';
  if (limit >= lowest && limit <= highest && length <= limit)
    return isCertain ? sampleOf(requirement, holds) : null;
  const want = is.noted(
    lowest === highest ? is.value(lowest) : is.range(lowest, highest),
    'and at most so many items',
  );
  const got = is.value(limit, `and ${length} items`);
  return sampleOf(requirement, differs('limit', 'pagination.limit', want, got));
}

function judgePage(query: JsonObject, page: Json | undefined): Sample | null {
  const { rule, applied, isCertain } = boundsOf(query).page;
  if (typeof page !== 'number' || rule === null || applied === null || !isCertain) return null;
  return sampleOf(rule, equals('page', 'pagination.page', applied[0], page));
}

/** A page within the list is the one that was asked for, and says so; what one beyond the end is called is open, and it holds nothing. */
function judgeFurtherPage(
  query: JsonObject,
  { page, limit, total }: JsonObject,
  length: number,
): readonly Sample[] {
  if (boundsOf(query).page.name !== 'page-in-bounds') return noSamples;
  if (typeof limit !== 'number' || typeof total !== 'number') return noSamples;
  const asked = Number(query.page);
  if (asked * limit >= total) return asked === 0 ? noSamples : [judgeEnd(asked, limit, total, length)];
  if (typeof page !== 'number') return noSamples;
  return [sampleOf('WCI-LST-028', equals('page', 'pagination.page', asked, page))];
}

function judgeEnd(asked: number, limit: number, total: number, length: number): Sample {
  return sampleOf(
    'WCI-LST-017',
    numberDue('beyond', 'items', 0, length, `on page ${asked} of ${total} by ${limit}`),
  );
}

function judgeFilter(given: Json | undefined, exchange: Exchange): Sample | null {
  const items = sightsIn(exchange);
  const wanted = checkinStatuses.find((status) => status === given);
  if (wanted === undefined || items.length === 0) return null;
  const stray = items.find(({ record }) => record.status !== wanted);
  if (!stray) return sampleOf('WCI-LST-012', holds);
  const judgement = differs('filter', place(stray, 'status'), wanted, is.value(stray.record.status));
  return sampleOf('WCI-LST-012', judgement);
}
