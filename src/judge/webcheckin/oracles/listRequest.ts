import type { Exchange } from '../../../core/evidence.ts';
import { isObject, type Json, type JsonObject } from '../../kernel/body.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { place, shownRecords } from '../records.ts';
import { describeValue } from '../../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { listBody } from './listAnswer.ts';
import { parseListQuery, type GivenParameter } from './listQuery.ts';

/** The list compared with the requested page, limit and status, if the documents allow only one reading of them. */
export const listRequest: Oracle = {
  id: 'list-request',
  title: 'A list applies page, limit and status as documented',
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
  answers: 'accepted',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const body = listBody(exchange);
  const pagination = body?.pagination;
  const data = body?.data;
  if (!isObject(pagination) || !Array.isArray(data)) return noSamples;
  const { page, limit, total } = pagination;
  const query = parseListQuery(exchange.request);
  return [
    judgeLimit(query.limit, limit, data.length),
    judgePage(query.page, page),
    judgeFurtherPage(query.page, pagination),
    judgeEnd(query.page, limit, total, data.length),
    judgeFilter(query.status, exchange),
  ].filter((sample) => sample !== null);
}

/** Which limit must have been applied, and by which requirement; a range if that is open. */
function expectedLimit(
  given: GivenParameter<number>,
): readonly [requirement: string, lowest: number, highest: number] {
  switch (given.kind) {
    case 'absent':
      return ['WCI-LST-003', 25, 25];
    case 'value':
      return ['WCI-LST-008', given.value, given.value];
    case 'outside':
      return given.value > 100 ? ['WCI-LST-006', 100, 100] : ['WCI-LST-007', 1, 1];
    case 'huge':
      return ['WCI-LST-006', 1, 100];
    case 'not-a-number':
    case 'uncertain':
      return ['WCI-LST-011', 1, 100];
  }
}

function judgeLimit(given: GivenParameter<number>, limit: Json | undefined, length: number): Sample | null {
  if (typeof limit !== 'number') return null;
  const [requirement, lowest, highest] = expectedLimit(given);
  const isApplied = limit >= lowest && limit <= highest && length <= limit;
  const isCertain = given.kind !== 'uncertain' && given.kind !== 'huge';
  if (isApplied) return isCertain ? sampleOf(requirement, holds) : null;
  const wanted = lowest === highest ? `limit ${lowest}` : `a limit from ${lowest} to ${highest}`;
  return sampleOf(
    requirement,
    violated('limit', `${wanted} and at most so many items`, `limit ${limit} and ${length} items`),
  );
}

const firstPageRules = {
  absent: 'WCI-LST-002',
  outside: 'WCI-LST-009',
  'not-a-number': 'WCI-LST-010',
} as const;

function judgePage({ kind }: GivenParameter<number>, page: Json | undefined): Sample | null {
  if (typeof page !== 'number' || kind === 'value' || kind === 'huge' || kind === 'uncertain') return null;
  const requirement = firstPageRules[kind];
  return page === 0
    ? sampleOf(requirement, holds)
    : sampleOf(requirement, violated('page', 'page 0', `page ${page}`));
}

/** A page within the list is the one that was asked for, and says so; what one beyond the end is called is open. */
function judgeFurtherPage(given: GivenParameter<number>, { page, limit, total }: JsonObject): Sample | null {
  if (given.kind !== 'value' || typeof page !== 'number') return null;
  if (typeof limit !== 'number' || typeof total !== 'number' || given.value * limit >= total) return null;
  if (page === given.value) return sampleOf('WCI-LST-028', holds);
  return sampleOf('WCI-LST-028', violated('page', `page ${given.value}, as asked for`, `page ${page}`));
}

/** Beyond the end there is nothing to show. */
function judgeEnd(
  given: GivenParameter<number>,
  limit: Json | undefined,
  total: Json | undefined,
  length: number,
): Sample | null {
  if (given.kind !== 'value' || given.value === 0 || typeof limit !== 'number' || typeof total !== 'number')
    return null;
  if (given.value * limit < total) return null;
  const actual = `${length} items on page ${given.value} of ${total} by ${limit}`;
  return length === 0
    ? sampleOf('WCI-LST-017', holds)
    : sampleOf('WCI-LST-017', violated('beyond', 'no items', actual));
}

function judgeFilter(given: GivenParameter<string>, exchange: Exchange): Sample | null {
  const items = shownRecords(exchange);
  if (given.kind !== 'value' || items.length === 0) return null;
  const stray = items.find(({ record }) => record.status !== given.value);
  if (!stray) return sampleOf('WCI-LST-012', holds);
  const actual = `${place(stray, 'status')} is ${describeValue(stray.record.status)}`;
  return sampleOf('WCI-LST-012', violated('filter', `items with status ${given.value}`, actual));
}
