import { onceForEach } from '../../core/latest.ts';
import { hash32 } from '../../core/random.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { objectOf, isObject, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Step } from '../../trace/evidence.ts';
import { textOf } from '../grammar/form.ts';
import { checkinStatuses, readBound, type BoundForm } from '../grammar/listQuery.ts';

/** One page of a list, and how it was asked for. */
export interface Page {
  readonly call: Call;
  readonly items: readonly JsonObject[];
  readonly ids: readonly string[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly bounds: Readonly<Record<'page' | 'limit', BoundForm>>;
  readonly filter: Filter;
}

/** The status that a list is filtered by; null for none, and where it is unknown, it filters nothing. */
export interface Filter {
  readonly status: string | null;
  readonly unknown: string | null;
}

/** All records of a list, on one page or on several of the same total without a write in between. */
export interface Whole {
  readonly ids: ReadonlySet<string>;
  readonly pages: readonly Page[];
}

/** How late a list may be with a change, in milliseconds. */
export const settleMs = 7_000;
/** More than any page holds. */
const mostItems = 1000;
const mostPages = 200;
const mostLimits = 10;

/** A list answer taken apart; null where it is none, or where its request can be read in several ways. */
export function pageOf(call: Call): Page | null {
  const filter = filterOf(call.query);
  const body = call.op === 'wci.list' && call.status === 200 ? objectOf(call.exchange) : null;
  const { data, pagination } = body ?? {};
  if (!Array.isArray(data) || data.length > mostItems || !isObject(pagination) || filter === null)
    return null;
  const { page, limit, total } = pagination;
  if (!isCount(page) || !isCount(limit) || !isCount(total) || limit < 1) return null;
  const { items, ids } = itemsOf(data);
  if (ids.length < data.length || ids.includes('')) return null;
  const bounds = boundsOf(call.query);
  // A page that tells another number than the one that was asked for is judged by that alone.
  const isFirst = call.query.page === undefined;
  const [lowest = 0, highest = isFirst ? 0 : Infinity] = bounds.page.applied ?? [];
  const asked = textOf(call.query.page);
  if (page < lowest || page > highest || (/^\d{1,9}$/.test(asked) && page !== Number(asked))) return null;
  return { call, items, ids, page, limit, total, bounds, filter };
}

/** The same for equal answers. */
const itemsOf = onceForEach((data: readonly unknown[]) => {
  const items = data.filter(isObject);
  return { items, ids: items.map(({ checkin_id: id }) => textOf(id)) };
});

/** The page and the limit that a query asks for. */
export const boundsOf = onceForEach(({ page, limit }: JsonObject) => ({
  page: readBound('page', page),
  limit: readBound('limit', limit),
}));

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Null for another letter case, and for a parameter that is repeated: both have no certain reading. */
export function filterOf({ status }: JsonObject): Filter | null {
  if (status === undefined) return { status: null, unknown: null };
  if (typeof status !== 'string') return null;
  if ((checkinStatuses as readonly string[]).includes(status)) return { status, unknown: null };
  if (/^\s*(scheduled|in_progress|completed|failed)\s*$/i.test(status)) return null;
  // A reader may know some words and not others; the number of kinds is bounded.
  return { status: null, unknown: status.trim() === '' ? 'blank' : `word-${hash32(status) % 64}` };
}

/** What is odd about the query of a list, each with its sentence. */
export const oddFormsOf = onceForEach((query: JsonObject): readonly string[] => {
  const { page, limit } = boundsOf(query);
  const filter = filterOf(query);
  return [
    ...[page, limit].flatMap(({ rule, kind, name }) =>
      kind === 'open' && rule !== null ? [`${rule} answers ${name}`] : [],
    ),
    ...(filter?.unknown ? [`WCI-LST-014 answers ${filter.unknown}`] : []),
  ];
});

/** What lists of one filter showed since the latest write. */
interface Span {
  readonly total: number;
  /** When the latest of its pages was asked for. */
  askedAt: number;
  readonly writes: number;
  /** Pages of each limit, by their numbers. */
  readonly pages: Map<number, Map<number, Page>>;
}

/** The lists of each enterprise since its latest write. */
export class Listings {
  readonly #spans = new RecentMap<string, Span>(500);
  readonly #writes = new RecentMap<string, { count: number; at: number }>(5000);
  #steps = { count: 0, at: -Infinity };

  /** Notes what may change a list. */
  learn({ op, enterprise, receivedAt }: Call): void {
    if (op !== 'wci.subscribe' && op !== 'wci.update') return;
    this.#writes.set(enterprise ?? '', { count: this.#of(enterprise).count + 1, at: receivedAt });
  }

  step({ operation, endedAt }: Step): void {
    if (!leavesLists.test(operation)) this.#steps = { count: this.#steps.count + 1, at: endedAt };
  }

  /** Whether nothing that is known was written since a time. */
  isQuiet(enterprise: string | null, since: number): boolean {
    return [this.#steps, this.#of(enterprise), this.#of(null)].every(({ at }) => at < since);
  }

  /** The list that a page belongs to, as it was shown before without a write since; null where it is another one. */
  spanOf({ call: { enterprise }, filter, total }: Page, name: unknown = filter.status): Span | null {
    const span = this.#spans.get(spanName(enterprise, name));
    return span?.total === total && span.writes === this.writesOf(enterprise) ? span : null;
  }

  /** How many items an unfiltered list had since the latest write, and when that was asked last; null where none was shown. */
  totalOf(enterprise: string | null): Pick<Span, 'total' | 'askedAt'> | null {
    const span = this.#spans.get(spanName(enterprise, null));
    return span?.writes === this.writesOf(enterprise) ? span : null;
  }

  /** The page with those before it; the whole list, once all of it is known. */
  add(page: Page): Whole | null {
    const { call, filter, total, limit, bounds } = page;
    const last = Math.ceil(total / limit);
    if (filter.unknown !== null) return last <= 1 && page.page === 0 ? wholeOf([page]) : null;
    let span = this.spanOf(page);
    if (!span) {
      span = { total, askedAt: 0, writes: this.writesOf(call.enterprise), pages: new Map() };
      this.#spans.set(spanName(call.enterprise, filter.status), span);
    }
    span.askedAt = call.sentAt;
    const isPlain = bounds.page.kind === 'free' && page.page < Math.max(1, last) && last <= mostPages;
    if (!isPlain) return null;
    const pages = span.pages.get(limit) ?? new Map<number, Page>();
    if (span.pages.size < mostLimits) span.pages.set(limit, pages);
    pages.set(page.page, page);
    return pages.size === Math.max(1, last) ? wholeOf([...pages.values()]) : null;
  }

  #of(enterprise: string | null): { readonly count: number; readonly at: number } {
    return this.#writes.get(enterprise ?? '') ?? never;
  }

  /** How often something was written that may have changed the lists of an enterprise. */
  writesOf(enterprise: string | null): number {
    return this.#steps.count + this.#of(enterprise).count + this.#of(null).count;
  }
}

/** Steps that change no record of web check-in. */
const leavesLists = /\.get$|^(callbacks|keys|flights|entitlement|provider)\./;

const never = { count: 0, at: -Infinity };

function spanName(enterprise: string | null, filter: unknown): string {
  return `${enterprise ?? ''} ${String(filter)}`;
}

function wholeOf(pages: readonly Page[]): Whole {
  const [first, ...more] = pages;
  const isOne = first !== undefined && more.length === 0;
  return { ids: isOne ? setOf(first.ids) : new Set(pages.flatMap(({ ids }) => ids)), pages };
}

const setOf = onceForEach((ids: readonly string[]): ReadonlySet<string> => new Set(ids));
