import * as is from '../../src/spec/kernel/value.ts';
import type { Exchange } from '../../src/core/evidence.ts';
import { answered, ok } from '../../src/judge/kernel/answer.ts';
import { isObject, objectOf, responseOf, type Json, type JsonObject } from '../../src/judge/kernel/body.ts';
import { holds, type Judgement, numberDue, differs, equals } from '../../src/judge/kernel/judgement.ts';

/** A list answer taken apart. */
export interface Listing {
  readonly items: readonly JsonObject[];
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly totalPages: number;
}

/**
 * The parts of a successful list answer, or null if one is missing. A number that is absent counts as 0, as serializers leave
 * that out: another rule judges it (WCI-LST-016), and all others can still be judged.
 */
export function listingOf(exchange: Exchange): Listing | null {
  const body = responseOf(exchange)?.status === 200 ? objectOf(exchange) : null;
  const { data, pagination } = body ?? {};
  if (!Array.isArray(data) || !isObject(pagination)) return null;
  const { page = 0, limit = 0, total = 0, totalPages = 0 } = pagination;
  const numbers = [page, limit, total, totalPages];
  // A number in quotes breaks a rule of its own, and is no reason to judge nothing else.
  const isNumber = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}$/.test(value));
  if (!numbers.every(isNumber)) return null;
  const items = (data as readonly unknown[]).filter(isObject);
  return {
    items,
    page: Number(page),
    limit: Number(limit),
    total: Number(total),
    totalPages: Number(totalPages),
  };
}

/** Whether a list answer is 200 with its data and pagination. */
export function isListing(exchange: Exchange): Judgement {
  const status = answered(exchange, ok);
  if (status.status !== 'holds') return status;
  const { data, pagination } = objectOf(exchange) ?? {};
  if (Array.isArray(data) && isObject(pagination)) return holds;
  const want = is.pattern('an object with a data array and a pagination object');
  return differs('shape', 'body', want, is.value({ data, pagination }));
}

/** The ids of some items, as text for comparison. */
export function idsOf(items: readonly JsonObject[]): readonly string[] {
  return items.map((item) => textOf(item.checkin_id));
}

/** Whether pagination shows a number in a member. */
export function shows(listing: Listing, member: 'page' | 'limit' | 'total', wanted: number): Judgement {
  return equals(member, `pagination.${member}`, wanted, listing[member]);
}

/** Whether two pages show the same items in the same order. */
export function sameItems(one: Listing, other: Listing): Judgement {
  const [mine, theirs] = [idsOf(one.items), idsOf(other.items)];
  if (mine.length === theirs.length && mine.every((id, index) => id === theirs[index])) return holds;
  return differs('items', 'data[].checkin_id', is.value(theirs), is.value(mine));
}

/**
 * Whether pages from the first on form one list: no item twice, and as many items as `total` says, as far as
 * the pages reach.
 */
export function partition(pages: readonly Listing[], total: number, limit: number): Judgement {
  const ids = pages.flatMap(({ items }) => idsOf(items));
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) {
    const got = is.value(repeated, `on two of ${pages.length} pages`);
    return differs('overlap', 'data[].checkin_id', is.whose('a record on no other page'), got);
  }
  const expected = Math.min(total, pages.length * limit);
  if (ids.length === expected) return holds;
  const sizes = pages.map(({ items }) => items.length).join(' + ');
  // Distinct items beyond the total show that it is the total that is wrong.
  if (ids.length > total)
    return differs(
      'total',
      'pagination.total',
      is.noted(is.range(ids.length, null), `for ${sizes} items`),
      is.value(total),
    );
  const shown = pages.length < 2 || pages.length > 20 ? undefined : sizes;
  const want = is.number(expected, 'items', `on ${pages.length} pages of ${limit}`);
  return differs('gap', 'data', want, is.number(ids.length, 'items', shown));
}

/** Whether a page holds as many items as its limit and the total allow. */
export function isFilled({ items, limit, total, page }: Listing): Judgement {
  const expected = Math.max(0, Math.min(limit, total - page * limit));
  return numberDue('length', 'items', expected, items.length, `on page ${page} of ${total} by ${limit}`);
}

/** From UTC-12 to UTC+14. */
const mostZonesMs = 26 * 3_600_000;

/**
 * The order of listed records, some of which are known in the order of their creation; null if several orders fit, or
 * nothing distinguishes them.
 */
export function orderOf(items: readonly JsonObject[], known: readonly string[]): string | null {
  const ids = idsOf(items);
  const places = known.map((id) => ids.indexOf(id)).filter((place) => place >= 0);
  if (places.length < 3) return null;
  const created = items.map((item) => textOf(item.created_at));
  const departures = items.map((item) => textOf(item.departure_datetime ?? item.departure_date).slice(0, 16));
  const fitting = [
    ...(isSorted(created.toReversed()) && isSorted(places.toReversed()) ? ['newest-first'] : []),
    ...(isSorted(created) && isSorted(places) ? ['oldest-first'] : []),
    ...(isSorted(departures) ? ['by-departure'] : []),
  ];
  if (fitting.length === 1) return fitting[0] ?? null;
  return fitting.length === 0 && !isByOwnTimes(created) && !mayBeInstants(departures) ? 'other' : null;
}

/** Times of machines whose clocks differ put a list in another order than the one in which it was filled. */
function isByOwnTimes(created: readonly string[]): boolean {
  return new Set(created).size > 1 && (isSorted(created) || isSorted(created.toReversed()));
}

/** Local clocks of different airports may be out of order though their instants are not. */
function mayBeInstants(clocks: readonly string[]): boolean {
  const times = clocks.map((clock) => Date.parse(clock.length > 10 ? `${clock}Z` : clock));
  return times.every((time, index) => index === 0 || time + mostZonesMs >= (times[index - 1] ?? 0));
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function isSorted(values: readonly string[] | readonly number[]): boolean {
  return values.every((value, index) => {
    const before = values[index - 1];
    return before === undefined || before <= value;
  });
}
