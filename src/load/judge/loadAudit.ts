import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/evidence.ts';
import { isObject, memberOf, responseOf } from '../../judge/kernel/body.ts';
import { holds, unclear, type Judgement, differs } from '../../judge/kernel/judgement.ts';
import { sampleOf, type Sample } from '../../judge/kernel/sample.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import * as is from '../../spec/kernel/value.ts';
import { list, type ApiRequest } from '../../send/request.ts';

interface AuditOptions {
  /** A key of the enterprise whose list is read. */
  readonly key: ApiKey;
  /** Ids of the records that the load certainly made for this enterprise. */
  readonly made: ReadonlySet<string>;
  readonly clock: Clock;
  readonly send: (request: ApiRequest) => Promise<Exchange>;
}

const requirement = 'WCI-LST-021';
const pageSize = 100;
/** Longer lists are not read completely: only their total is compared with the records that were made. */
const mostPages = 30;
/** A record may appear in the list late; it must be missing twice, this far apart. */
const lagMs = 3000;

/** Whether every record that a load made is in the list of its enterprise, once no requests are under way. Null if none was made. */
export async function auditList(options: AuditOptions): Promise<Sample | null> {
  if (options.made.size === 0) return null;
  const first = await walk(options);
  if (first.missing === 0) return sampleFor(first, holds);
  await options.clock.sleep(lagMs);
  const again = await walk(options);
  return sampleFor(again, judge(again, options.made.size));
}

interface Walk {
  readonly last: Exchange;
  readonly total: number | null;
  /** Number of records that were not in the list, or for which its total is too small; null if the list was not answered. */
  readonly missing: number | null;
  readonly example: string | null;
}

async function walk({ key, made, send }: AuditOptions): Promise<Walk> {
  const left = new Set(made);
  for (let page = 0; ; page += 1) {
    const query = { page: String(page), limit: String(pageSize) };
    const exchange = await send(list(query, { key: { kind: 'key', key } }));
    const total = memberOf(exchange, 'pagination', 'total');
    const data = memberOf(exchange, 'data');
    if (responseOf(exchange)?.status !== 200 || !Array.isArray(data) || typeof total !== 'number')
      return { last: exchange, total: null, missing: null, example: null };
    const items: readonly unknown[] = data;
    for (const item of items)
      if (isObject(item) && typeof item.checkin_id === 'string') left.delete(item.checkin_id);
    const isLong = total > mostPages * pageSize;
    const [example = null] = left;
    if (isLong) return { last: exchange, total, missing: Math.max(0, made.size - total), example: null };
    const isEnd = items.length === 0 || (page + 1) * pageSize >= total || page + 1 >= mostPages;
    if (left.size === 0 || isEnd) return { last: exchange, total, missing: left.size, example };
  }
}

function judge({ missing, total, example }: Walk, made: number): Judgement {
  if (missing === null) return unclear('the list was not answered after the load');
  if (missing === 0) return holds;
  const such = example === null ? '' : `, such as ${example}`;
  return differs(
    'unlisted',
    'data',
    is.text(`all ${made} records that the load made in the list of their enterprise`),
    is.text(`${missing} of them missing, with a total of ${total ?? 0}${such}`),
  );
}

function sampleFor({ last }: Walk, judgement: Judgement): Sample {
  return { ...sampleOf(requirement, judgement), evidence: [last] };
}
