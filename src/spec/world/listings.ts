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
  readonly unknown: 'blank' | 'word' | null;
}

/** All records of a list, on one page or on several of the same total without a write in between. */
export interface Whole {
  readonly ids: ReadonlySet<string>;
  readonly pages: readonly Page[];
}

/** More than any page holds. */
const mostItems = 1000;
const mostPages = 200;

/** A list answer taken apart; null where it is none, or where its request can be read in several ways. */
export function pageOf(call: Call): Page | null {
  const filter = filterOf(call);
  const body = call.op === 'wci.list' && call.status === 200 ? objectOf(call.exchange) : null;
  const { data, pagination } = body ?? {};
  if (!Array.isArray(data) || data.length > mostItems || !isObject(pagination) || filter === null) return null;
  const { page, limit, total } = pagination;
  if (!isCount(page) || !isCount(limit) || !isCount(total) || limit < 1) return null;
  const items = (data as readonly unknown[]).filter(isObject);
  const ids = items.map(({ checkin_id: id }) => textOf(id));
  if (ids.length < data.length || ids.includes('')) return null;
  const bounds = { page: readBound('page', call.query.page), limit: readBound('limit', call.query.limit) };
  return { call, items, ids, page, limit, total, bounds, filter };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Null for another letter case, and for a parameter that is repeated: both have no certain reading. */
export function filterOf({ query: { status } }: Call): Filter | null {
  if (status === undefined) return { status: null, unknown: null };
  if (typeof status !== 'string') return null;
  if ((checkinStatuses as readonly string[]).includes(status)) return { status, unknown: null };
  if (/^\s*(scheduled|in_progress|completed|failed)\s*$/i.test(status)) return null;
  return { status: null, unknown: status.trim() === '' ? 'blank' : 'word' };
}

interface Walk {
  readonly total: number;
  readonly startedAt: number;
  readonly pages: Map<number, Page>;
}

/** The pages of each enterprise's lists since its latest write. */
export class Listings {
  readonly #walks = new RecentMap<string, Walk>(500);
  /** When the latest write of an enterprise was answered. */
  readonly #written = new RecentMap<string, number>(5000);
  #steppedAt = -Infinity;

  /** Notes what may change a list. */
  learn({ op, enterprise, receivedAt }: Call): void {
    if (op === 'wci.subscribe' || op === 'wci.update') this.#written.set(enterprise ?? '', receivedAt);
  }

  step({ operation, endedAt }: Step): void {
    if (!operation.endsWith('.get')) this.#steppedAt = endedAt;
  }

  /** Whether nothing that is known was written since a time. */
  isQuiet(enterprise: string | null, since: number): boolean {
    const written = Math.max(this.#steppedAt, this.#written.get(enterprise ?? '') ?? -Infinity);
    return written < since && (this.#written.get('') ?? -Infinity) < since;
  }

  /** The page with those before it; the whole list, once all of it is known. */
  add(page: Page): Whole | null {
    const { call, filter, total, limit, bounds } = page;
    if (!bounds.page.isCertain || bounds.page.name === 'page-otherwise') return null;
    const name = `${call.enterprise ?? ''} ${filter.status ?? ''} ${filter.unknown ?? ''} ${limit}`;
    const last = Math.max(1, Math.ceil(total / limit));
    if (last === 1 && page.page === 0) return wholeOf([page]);
    let walk = this.#walks.get(name);
    if (walk?.total !== total || !this.isQuiet(call.enterprise, walk.startedAt))
      this.#walks.set(name, (walk = { total, startedAt: call.sentAt, pages: new Map() }));
    if (page.page >= last || last > mostPages) return null;
    walk.pages.set(page.page, page);
    return walk.pages.size === last ? wholeOf([...walk.pages.values()]) : null;
  }

  /** The first page of the same list as it was shown before, where nothing was written since. */
  firstOf({ call, filter, limit, total }: Page): Page | null {
    const name = `${call.enterprise ?? ''} ${filter.status ?? ''} ${filter.unknown ?? ''} ${limit}`;
    const walk = this.#walks.get(name);
    const isSame = walk?.total === total && this.isQuiet(call.enterprise, walk.startedAt);
    return isSame ? (walk.pages.get(0) ?? null) : null;
  }
}

function wholeOf(pages: readonly Page[]): Whole {
  return { ids: new Set(pages.flatMap(({ ids }) => ids)), pages };
}
