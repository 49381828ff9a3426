import * as is from '../../../spec/kernel/value.ts';
import { z } from 'zod';
import { bareObjectOf, isObject, objectOf, responseOf, type JsonObject } from '../../kernel/body.ts';
import { holds, differs } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { sightsIn } from '../../../spec/world/sights.ts';
import { describeValue, rule } from '../../kernel/rule.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import type { Exchange } from '../../../core/evidence.ts';

const count = z.int('an integer').min(0, 'an integer of at least 0');
/** A page is shown as it was requested, however large: beyond what a double holds exactly it is still an integer. */
const farCount = z
  .number('an integer')
  .refine(Number.isInteger, 'an integer')
  .min(0, 'an integer of at least 0');
const frame = rule(
  'WCI-LST-001',
  z.object({
    data: z.array(z.custom(isObject, 'an object')),
    pagination: z.custom(isObject, 'an object'),
  }),
);
const integers = rule(
  'WCI-LST-016',
  z.object({ page: farCount, limit: count, total: count, totalPages: count }),
);

/** The frame of a list answer, and whether its numbers and items agree. */
export const listAnswer: Oracle = {
  id: 'list-answer',
  title: 'A list has its items and a pagination whose numbers agree',
  verifies: ['WCI-LST-001', 'WCI-LST-005', 'WCI-LST-015', 'WCI-LST-016', 'WCI-LST-019'],
  operations: ['wci.list'],
  answers: 'accepted',
  judges: 'answers',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  const body = listBody(exchange);
  if (!body) return noSamples;
  const samples = [frame.judge(bareObjectOf(exchange) ?? {}), ...judgeItems(exchange)];
  const { pagination } = body;
  return isObject(pagination) ? [...samples, ...judgePagination(pagination)] : samples;
}

/** The body of a successful list answer. */
export function listBody(exchange: Exchange): JsonObject | null {
  return exchange.operation === 'wci.list' && responseOf(exchange)?.status === 200
    ? objectOf(exchange)
    : null;
}

function judgePagination(pagination: JsonObject): readonly Sample[] {
  const types = integers.judge(pagination, 'pagination');
  const { limit, total, totalPages } = pagination;
  if (types.judgement.status !== 'holds' || Number(limit) < 1) return [types];
  const pages = Math.ceil(Number(total) / Number(limit));
  // Whether an empty list has no page or one is open.
  if (totalPages === pages || (total === 0 && totalPages === 1))
    return [types, sampleOf('WCI-LST-015', holds)];
  const got = is.value(totalPages, `with total ${describeValue(total)} and limit ${describeValue(limit)}`);
  return [types, sampleOf('WCI-LST-015', differs('pages', 'pagination.totalPages', pages, got))];
}

function judgeItems(exchange: Exchange): readonly Sample[] {
  const items = sightsIn(exchange);
  const [first] = items;
  if (!first) return [];
  const samples: Sample[] = [];
  const ids = items.map(({ record }) => record.checkin_id).filter((id) => typeof id === 'string');
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) {
    const want = is.whose('another record in each item');
    samples.push(
      sampleOf(
        'WCI-LST-005',
        differs('repeated', 'data[].checkin_id', want, is.value(repeated, 'twice in one page')),
      ),
    );
  }
  const nameless = items.find(({ record }) => departureNames(record).length === 0);
  const common = departureNames(first.record).filter((name) =>
    items.every(({ record }) => departureNames(record).includes(name)),
  );
  if (!nameless && common.length > 0) return [...samples, sampleOf('WCI-LST-019', holds)];
  const want = is.pattern('an object with departure_datetime or departure_date, named alike in every item');
  const got = nameless
    ? is.value(Object.keys(nameless.record))
    : is.text('one name in some items and the other in others');
  const judgement = differs('departure', nameless?.at ?? 'data', want, got);
  return [...samples, sampleOf('WCI-LST-019', judgement)];
}

function departureNames(record: JsonObject): readonly string[] {
  return ['departure_datetime', 'departure_date'].filter((name) => {
    const value = record[name];
    return typeof value === 'string' && value.trim() !== '';
  });
}
