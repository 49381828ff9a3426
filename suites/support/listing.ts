import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type KeyChoice,
  type Listing,
  type OwnRecord,
  type Query,
  list,
  listingOf,
  parseTimestamp,
} from '../checks.ts';

export interface Listed extends Listing {
  readonly x: Exchange;
}

/** Lists with valid parameters; unclear if no list comes back, which other checks judge. */
export async function listed(t: CheckContext, query: Query, key?: KeyChoice): Promise<Listed> {
  const x = await t.send(list(query, key === undefined ? {} : { key }));
  const listing = listingOf(x);
  t.assume(listing !== null, `${x.id}: no list came back`);
  if (!listing) throw new Error('unreachable: a list came back');
  return { x, ...listing };
}

/** Lists again for some seconds until the list is as expected: how soon it shows something is not stated. */
export async function listedOnce(
  t: CheckContext,
  query: Query,
  key: KeyChoice,
  isThere: (listing: Listed) => boolean,
): Promise<Listed> {
  let found = await listed(t, query, key);
  for (const pause of pauses) {
    if (isThere(found)) break;
    await t.sleep(pause);
    found = await listed(t, query, key);
  }
  return found;
}

/** Says that these pages were read one after the other, as parts of one walk through a list. */
export function claimWalk(t: CheckContext, pages: readonly Exchange[]): void {
  for (const [index, { id }] of pages.entries()) {
    const before = pages[index - 1];
    if (before) t.claim({ claim: 'next-page', exchange: id, after: before.id });
  }
}

/** The result of a search of the list. */
interface Found {
  readonly item: AnswerObject | null;
  /** The page that shows it, else the last one that was looked at. */
  readonly page: Exchange;
  readonly listing: Listing;
  /** Whether all of the list was seen that may show it, so that what was not found is not there. */
  readonly whole: boolean;
}

interface Search {
  readonly key?: KeyChoice;
  /** The deployment's time before which the item was not written: of a list in this order, the rest need not be seen. */
  readonly since?: number;
  /** Searches again for some seconds until the item is like this: how soon the list shows something is not stated. */
  readonly until?: (item: AnswerObject | null) => boolean;
}

const pauses = [500, 2000, 5000];

/** Searches for an item in the list: the order is open, so it may be on any page. */
export async function findListed(
  t: CheckContext,
  isWanted: (item: AnswerObject) => boolean,
  { key, since, until = () => true }: Search = {},
): Promise<Found> {
  let found = await searchOnce(t, isWanted, { key, since });
  for (const pause of pauses) {
    if (until(found.item)) break;
    await t.sleep(pause);
    found = await searchOnce(t, isWanted, { key, since });
  }
  return found;
}

/** The list item of one record. */
export function findRecord(t: CheckContext, record: OwnRecord | string, search: Search = {}): Promise<Found> {
  const id = typeof record === 'string' ? record : record.checkinId;
  return findListed(t, (item) => item.checkin_id === id, search);
}

/** For `until`. */
export function isListed(item: AnswerObject | null): boolean {
  return item !== null;
}

async function searchOnce(
  t: CheckContext,
  isWanted: (item: AnswerObject) => boolean,
  { key, since }: { readonly key: KeyChoice | undefined; readonly since: number | undefined },
): Promise<Found> {
  const seen = new Map<number, Listed>();
  let before: Exchange | null = null;
  const look = async (number: number) => {
    const shown = await listed(t, { page: String(number), limit: String(pageSize) }, key);
    seen.set(number, shown);
    const { x: page, ...listing } = shown;
    if (before !== null) claimWalk(t, [before, page]);
    before = page;
    return { item: listing.items.find(isWanted) ?? null, page, listing };
  };
  let found = await look(0);
  const { totalPages } = found.listing;
  const isShort = Number.isSafeInteger(totalPages) && totalPages <= mostPages;
  const isSeen = () => isShort || (since !== undefined && showsAllSince(since, seen));
  for (const number of [
    ...pagesFromTheEnd(totalPages),
    ...(since === undefined ? [] : pagesFromTheBeginning(totalPages)),
  ]) {
    if (found.item !== null || (!isShort && isSeen())) break;
    if (!seen.has(number)) found = await look(number);
  }
  return { ...found, whole: found.item !== null || isSeen() };
}

const pageSize = 100;
const mostPages = 6;

/** The pages after the first one to search, the last one first: new records are at one of the two ends. */
export function pagesFromTheEnd(totalPages: number): readonly number[] {
  if (!Number.isSafeInteger(totalPages)) return [];
  return Array.from({ length: mostPages - 1 }, (_, index) => totalPages - 1 - index).filter(
    (page) => page > 0,
  );
}

/** For a list whose newest records come first. */
function pagesFromTheBeginning(totalPages: number): readonly number[] {
  return Number.isSafeInteger(totalPages) && totalPages > mostPages
    ? Array.from({ length: mostPages - 1 }, (_, index) => index + 1)
    : [];
}

/** Whether these pages of a longer list, which is in the order of `created_at`, show whatever was written since. */
export function showsAllSince(since: number, seen: ReadonlyMap<number, Pick<Listed, 'items'>>): boolean {
  const pages = [...seen].toSorted(([one], [other]) => one - other).map(([, { items }]) => items);
  const times = pages.map((items) => items.map(({ created_at: at }) => parseTimestamp(at) ?? Number.NaN));
  const all = times.flat();
  if (seen.size < 2 || all.some(Number.isNaN)) return false;
  const isOrdered = (sign: number) =>
    all.every((at, index) => index === 0 || sign * at >= sign * (all[index - 1] ?? at));
  const [first = 0, last = 0] = [all[0], all.at(-1)];
  if (first === last) return false;
  const [atBeginning, atEnd] = [runFrom(0, 1, seen), runFrom(Math.max(...seen.keys()), -1, seen)];
  if (first > last) return isOrdered(-1) && (times[atBeginning - 1]?.at(-1) ?? since) < since;
  return isOrdered(1) && (times.at(-atEnd)?.[0] ?? since) < since;
}

/** How many pages in a row were seen, from this one on. */
function runFrom(page: number, step: number, seen: ReadonlyMap<number, unknown>): number {
  let count = 0;
  while (seen.has(page + count * step)) count += 1;
  return count;
}
