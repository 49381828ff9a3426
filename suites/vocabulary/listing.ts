import type { Exchange } from '../../src/core/evidence.ts';
import { isObject, objectOf, responseOf, type Json, type JsonObject } from '../../src/judge/kernel/body.ts';

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

/** The ids of some items, as text for comparison. */
export function idsOf(items: readonly JsonObject[]): readonly string[] {
  return items.map((item) => textOf(item.checkin_id));
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
