import * as is from '../../../spec/kernel/value.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { isObject, objectOf, type Json, type JsonObject } from '../../kernel/body.ts';
import { holds, differs, equals, numberDue, type Judgement } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { boundsOf, oddFormsOf } from '../../../spec/world/listings.ts';
import { rowOf } from '../../../spec/kernel/blame.ts';
import { jsonWords } from '../../../spec/wording/words.ts';
import { place, sightsIn } from '../../../spec/world/sights.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { callOf, type Call } from '../../../trace/call.ts';
import { answered, answeredOtherwise, invalid, ok } from '../../kernel/answer.ts';
import { readForms } from '../../../spec/grammar/readForms.ts';
import { checkinStatuses, listTable } from '../../../spec/grammar/listQuery.ts';

/** The list compared with the requested page, limit and status, if the documents allow only one reading of them. */
export const listRequest: Oracle = {
  id: 'list-request',
  title: 'A list applies page, limit and status as documented',
  // SHR-ERR-017, WCI-LST-001 and WCI-LST-014 are judged by other oracles as well.
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
    'WCI-LST-032',
  ],
  operations: ['wci.list'],
  createWatch: () => ({ exchange: judge, suspicion: suspect }),
};

/** What comes instead of a list. */
function judgeRefusal(exchange: Exchange, call: Call): readonly Sample[] {
  const features = readForms(call.query, { operation: 'wci.list', carrier: 'query' });
  const [doubt, ...more] = oddFormsOf(call.query);
  // It is refused for the only thing that may be a reason.
  if (call.status === 400 && doubt !== undefined)
    return more.length === 0 && answered(exchange, invalid).status === 'holds'
      ? [sampleOf(rowOf(doubt), holds)]
      : noSamples;
  const isPlain =
    exchange.request.body === null &&
    Object.keys(call.query).every((name) => name in listTable) &&
    features.every(({ kind }) => kind === 'free');
  if (!isPlain) return noSamples;
  if (call.status === 400) {
    const want = is.answer(200, 'since nothing in page, limit and status is invalid');
    return [sampleOf('SHR-ERR-017', answeredOtherwise(exchange, want, 'status'))];
  }
  const isFirst = ['0', undefined].some((page) => page === call.query.page);
  const judgement = answered(exchange, ok);
  return isFirst && judgement.status === 'violated' && !unsaid.has(call.status ?? 0)
    ? [sampleOf('WCI-LST-001', judgement)]
    : noSamples;
}

/** One of these may be due to the key, or an accident. */
const unsaid: ReadonlySet<number> = new Set([401, 500]);

function judge(exchange: Exchange): readonly Sample[] {
  const call = callOf(exchange);
  if (call?.op !== 'wci.list' || call.status === null) return noSamples;
  if (call.status !== 200) return call.keyState === 'active' ? judgeRefusal(exchange, call) : noSamples;
  const { pagination, data } = objectOf(exchange) ?? {};
  if (!isObject(pagination) || !Array.isArray(data)) return noSamples;
  const { query } = call;
  return [
    judgeLimit(query, pagination.limit, data.length),
    judgePage(query, pagination, data.length),
    ...judgeFurtherPage(query, pagination, data.length),
    judgeFilter(query.status, exchange),
  ].filter((sample) => sample !== null);
}

/** An internal error, which one request may have by accident, where the documents know of a list or a refusal. */
function suspect(exchange: Exchange): readonly Sample[] {
  const call = callOf(exchange);
  if (call?.op !== 'wci.list' || call.keyState !== 'active' || call.status !== 500) return noSamples;
  const rows = new Set(oddFormsOf(call.query).map(rowOf));
  const [row = 'WCI-LST-001', ...more] = rows;
  return more.length > 0 ? noSamples : [sampleOf(row, answered(exchange, ok, invalid))];
}

function judgeLimit(query: JsonObject, limit: Json | undefined, length: number): Sample | null {
  if (typeof limit !== 'number') return null;
  const { rule, applied, isCertain } = boundsOf(query).limit;
  const [lowest, highest] = applied ?? [Number(query.limit), Number(query.limit)];
  const requirement = rule ?? 'WCI-LST-011';
  if (limit >= lowest && limit <= highest && length <= limit)
    return isCertain || rule !== null ? sampleOf(requirement, holds) : null;
  const want = is.noted(
    lowest === highest ? is.value(lowest) : is.range(lowest, highest),
    'and at most so many items',
  );
  const got = is.value(limit, `and ${length} items`);
  return sampleOf(requirement, differs('limit', 'pagination.limit', want, got));
}

function judgePage(query: JsonObject, { page = 0, total }: JsonObject, length: number): Sample | null {
  const { rule, kind, applied, isCertain } = boundsOf(query).page;
  if (rule === null || applied === null) return null;
  const isOdd = kind === 'open';
  if (isOdd && !(Number.isInteger(page) && Number(page) >= 0))
    return sampleOf(rule, differs('page', 'pagination.page', is.type('integer'), is.value(page)));
  if (!isCertain) return sampleOf(rule, holds);
  if (typeof page !== 'number') return null;
  if (isOdd && page === applied[0] && length === 0 && Number(total) > 0)
    return sampleOf(rule, differs('items', 'data', is.number(1, 'items', 'or more'), is.value([])));
  return sampleOf(rule, equals('page', 'pagination.page', applied[0], page));
}

/** A page within the list is the one that was asked for, and says so; what one beyond the end is called is open, and it holds nothing. */
function judgeFurtherPage(
  query: JsonObject,
  { page, limit, total }: JsonObject,
  length: number,
): readonly Sample[] {
  const { name, rule } = boundsOf(query).page;
  if (rule === 'WCI-LST-017') return [sampleOf(rule, judgeFarPage(page, length))];
  if (name !== 'page-in-bounds') return noSamples;
  if (typeof limit !== 'number' || typeof total !== 'number') return noSamples;
  const asked = Number(query.page);
  if (asked * limit >= total) return asked === 0 ? noSamples : [judgeEnd(asked, limit, total, length)];
  if (typeof page !== 'number') return noSamples;
  return [sampleOf('WCI-LST-028', equals('page', 'pagination.page', asked, page))];
}

/** No items, or what is done with an invalid page: page 0. Never the items of another page. */
function judgeFarPage(page: Json | undefined, length: number): Judgement {
  if (length === 0 || page === 0) return holds;
  const want = is.number(0, 'items', 'or those of page 0');
  return differs('far-page', 'data', want, is.number(length, 'items', `on page ${jsonWords(page)}`));
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
