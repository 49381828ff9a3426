import { RecentMap } from '../../core/recentMap.ts';
import type { Blame, Unblamed } from '../kernel/blame.ts';
import { settleMs, type Listings, type Page } from '../world/listings.ts';

/** Longer lists are not compared place by place. */
const mostItems = 5_000;
/** Records may be deleted by age: what is far apart is not of one list. */
const togetherMs = 600_000;

type Accuse = (rule: string, pages: readonly Page[], shown: Pick<Unblamed, 'at' | 'want' | 'got'>) => unknown;

/** What pages of one list showed to one key since the latest write, as long as their total is the same. */
interface Walk {
  readonly first: Page;
  readonly writes: number;
  /** What stands where, and the first page that showed it. */
  readonly places: Map<number, Place>;
  readonly ids: Set<string>;
  /** Pages of another total since the latest one of the same. */
  odd: readonly Page[];
  /** What a page showed where another one had shown something else, until the next page that has the place. */
  moved: (Place & { readonly at: number; readonly by: Page }) | null;
}

interface Place {
  readonly id: string | undefined;
  readonly page: Page;
}

/** A page that one key was shown, and what another key was shown after it. */
interface ByKeys {
  readonly page: Page;
  readonly writes: number;
  readonly other: Page | null;
}

/** Pages of one list without a write in between are parts of one list, which is that of the enterprise. */
export class ListWalks {
  readonly #walks = new RecentMap<string, Walk>(500);
  readonly #byKeys = new RecentMap<string, ByKeys>(500);
  /** The latest last page of each enterprise. */
  readonly #ends = new RecentMap<string, Page>(500);
  readonly #listings: Listings;
  readonly #blame: Blame;
  readonly #accuse: Accuse;

  constructor(listings: Listings, blame: Blame, accuse: Accuse) {
    this.#listings = listings;
    this.#blame = blame;
    this.#accuse = accuse;
  }

  see(page: Page): void {
    const { enterprise, exchange } = page.call;
    const isPlain = page.filter.unknown === null && page.bounds.page.kind === 'free';
    if (!isPlain || page.total > mostItems || enterprise === null) return;
    const list = `${enterprise} ${page.filter.status ?? ''}`;
    const writes = this.#listings.writesOf(enterprise);
    this.#judgeKeys(`${list} ${page.page} ${page.limit}`, { page, writes, other: null });
    if (page.filter.status === null) this.#judgeEnd(enterprise, page);
    const name = `${list} ${exchange.key ?? ''}`;
    const known = this.#walks.get(name);
    const walk = known && goesOn(known, page, writes) ? known : newWalk(page, writes);
    if (walk !== known) this.#walks.set(name, walk);
    if (page.total !== walk.first.total) walk.odd = [...walk.odd, page].slice(-10);
    else this.#judgeWalk(walk, page);
  }

  #judgeWalk(walk: Walk, page: Page): void {
    const { first, odd, ids } = walk;
    walk.odd = [];
    // Copies of a list may be late: what counts further pages only shows on several of them.
    const [one, ...more] = odd.filter(({ page: number, total }) => number > 0 && total < first.total);
    const total = { at: 'pagination.total', want: `${first.total}` };
    if (one && more.length > 0)
      this.#accuse('WCI-LST-029', [first, page, one], { ...total, got: `${one.total}` });
    else if (!isAsked(page, first)) this.#blame.show('WCI-LST-029');
    this.#judgePlaces(walk, page);
    // A filter may let another record in for one that has moved.
    if (page.filter.status !== null) return;
    for (const id of page.ids) ids.add(id);
    const shown = { at: 'pagination.total', want: `${ids.size} or more`, got: `${page.total}` };
    if (ids.size > page.total) this.#accuse('WCI-LST-005', [first, page], shown);
  }

  /** Each record has its place, whatever pages the list is cut into. */
  #judgePlaces(walk: Walk, page: Page): void {
    const { places, moved } = walk;
    const start = page.page * page.limit;
    const end = Math.min(page.total, start + page.limit);
    if (moved && moved.at >= start && moved.at < end) {
      walk.moved = null;
      if (page.ids[moved.at - start] === moved.id) this.#accuse(...isElsewhere(moved, page));
      else places.clear();
    }
    const kept = new Set<string>();
    for (let at = start; at < end; at += 1) {
      const id = page.ids[at - start];
      const place = places.get(at);
      if (place && place.id !== id) {
        walk.moved ??= { ...place, at, by: page };
        return;
      }
      if (place) kept.add(ruleOf(place.page, page));
      // The latest page that showed it may have asked for the same.
      places.set(at, { id, page });
    }
    this.#blame.show(...kept);
  }

  /** Two keys of an enterprise see the same. */
  #judgeKeys(name: string, now: ByKeys): void {
    const before = this.#byKeys.get(name);
    const { page, writes } = now;
    const isOfOne = before?.writes === writes && page.call.sentAt - before.page.call.receivedAt < togetherMs;
    if (!isOfOne) this.#byKeys.set(name, now);
    else if (page.call.exchange.key !== before.page.call.exchange.key) {
      if (isEqual(page, before.page)) this.#blame.show('WCI-LST-022');
      else this.#byKeys.set(name, { ...before, other: before.other ?? page });
    } else {
      const { other } = before;
      // A copy may be late with what was written of late.
      const isSettled = this.#listings.isQuiet(page.call.enterprise, before.page.call.sentAt - settleMs);
      if (other && isSettled && isEqual(page, before.page))
        this.#accuse('WCI-LST-022', [before.page, page, other], {
          ...{ at: 'data', want: `what ${page.call.exchange.id} shows to another key` },
          got: `${other.ids.length} items of ${other.total}`,
        });
      this.#byKeys.set(name, now);
    }
  }

  /** The total is that of the enterprise alone: two that lack records are not both as long as their lists together. */
  #judgeEnd(enterprise: string, page: Page): void {
    if (page.page !== Math.max(1, Math.ceil(page.total / page.limit)) - 1) return;
    this.#ends.set(enterprise, page);
    const counted = countedIn(page);
    for (const [name, other] of this.#ends) {
      if (name === enterprise || page.call.sentAt - other.call.receivedAt > togetherMs) continue;
      const both = counted + countedIn(other);
      if (counted === page.total && countedIn(other) === other.total && other.total > 0)
        this.#blame.show('WCI-LST-024');
      else if (
        page.total === other.total &&
        Math.max(counted, countedIn(other)) < page.total &&
        both <= page.total
      )
        this.#accuse('WCI-LST-024', [other, page], {
          ...{ at: 'pagination.total', want: `${counted}, as many as are listed` },
          got: `${page.total}, as for another enterprise`,
        });
    }
  }
}

function newWalk(first: Page, writes: number): Walk {
  return { first, writes, places: new Map(), ids: new Set(), odd: [], moved: null };
}

/** Nothing was written, nor has somebody else made a record: then a first page shows another total, or several pages the same one. */
function goesOn({ first, writes, odd }: Walk, page: Page, now: number): boolean {
  if (writes !== now || page.call.sentAt - first.call.receivedAt > togetherMs) return false;
  if (page.total === first.total) return true;
  return page.page > 0 && odd.at(-1)?.total !== page.total;
}

/** The sentence by which two pages show the same in the same place. */
function ruleOf(one: Page, other: Page): string {
  if (other.filter.status !== null) return 'WCI-LST-028';
  const isDefault = [one, other].filter(({ call }) => call.query.page === undefined).length === 1;
  return isDefault && isAsked(one, other) ? 'WCI-LST-004' : 'WCI-LST-005';
}

function isElsewhere({ id, page, by, at }: NonNullable<Walk['moved']>, now: Page) {
  const shown = {
    at: 'data',
    want: `${id ?? 'no record'} in place ${at}`,
    got: by.ids[at - by.page * by.limit] ?? 'no record',
  };
  return [ruleOf(page, by), [page, now, by], shown] as const;
}

function isAsked(one: Page, other: Page): boolean {
  return one.page === other.page && one.limit === other.limit;
}

function isEqual(one: Page, other: Page): boolean {
  return (
    one.total === other.total &&
    one.ids.length === other.ids.length &&
    one.ids.every((id) => other.ids.includes(id))
  );
}

/** How many records a list has by its last page. */
function countedIn({ page, limit, ids }: Page): number {
  return page * limit + ids.length;
}
