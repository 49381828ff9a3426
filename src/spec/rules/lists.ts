import type { Call } from '../../trace/call.ts';
import type { Violation } from '../kernel/findings.ts';
import { only, type Accusation, type Blame } from '../kernel/blame.ts';
import { RecentMap } from '../../core/recentMap.ts';
import type { Booking } from '../world/booking.ts';
import type { Bookings } from '../world/bookings.ts';
import { ListErrors } from './listErrors.ts';
import { ListWalks } from './listWalks.ts';
import { Listings, oddFormsOf, pageOf, settleMs, type Page, type Whole } from '../world/listings.ts';
import type { Sight } from '../world/sights.ts';

/** Records may be deleted long after they were made, in milliseconds. */
const keptMs = 12 * 3_600_000;
/** Enough to tell of. */
const mostMissing = 20;

interface Open {
  readonly page: Page;
  readonly accusation: Accusation;
}

interface Moving extends Pick<Booking['status'], 'value' | 'by'> {
  readonly rules: readonly string[];
  readonly page: Page;
}

/** A list holds what its enterprise has made, all of it and once, as far as its filter and its pages let it. */
export class ListRules {
  readonly #listings = new Listings();
  readonly #walks: ListWalks;
  readonly #errors: ListErrors;
  readonly #world: Bookings;
  readonly #blame: Blame;
  /** What a write that is answered later may explain. */
  #open: readonly Open[] = [];
  /** What another list has still to make sure of. */
  #unsure: Open[] = [];
  readonly #overlapped = new WeakSet<Accusation>();
  /** What a filter left out that may have moved meanwhile, by its id. */
  readonly #moving = new RecentMap<string, Moving>(500);

  constructor(world: Bookings, blame: Blame) {
    this.#world = world;
    this.#blame = blame;
    this.#errors = new ListErrors(this.#listings, blame);
    this.#walks = new ListWalks(this.#listings, blame, (rule, pages, shown) => {
      const [page] = pages.slice(-1);
      if (page) this.#accuse([rule], page, shown, pages);
    });
  }

  get listings(): Listings {
    return this.#listings;
  }

  learn(call: Call): void {
    this.#listings.learn(call);
    if (call.op !== 'wci.subscribe' && call.op !== 'wci.update') return;
    for (const { page, accusation } of this.#open)
      if (isOf(call, page) && overlaps(call, page)) {
        accusation.isVoid = true;
        this.#overlapped.add(accusation);
      }
  }

  judge(call: Call): void {
    if (call.op !== 'wci.list' || call.keyState !== 'active') return;
    this.#errors.judge(call);
    const page = pageOf(call);
    if (!page) return;
    this.#confirm(page);
    this.#judgeLength(page);
    this.#judgeFirst(page);
    this.#judgeUnknown(page);
    this.#walks.see(page);
    const whole = this.#listings.add(page);
    if (!whole) return;
    this.#judgeOnce(whole);
    this.#judgeMembers(whole);
  }

  /** Each page is filled as far as the total allows. */
  #judgeLength(page: Page): void {
    const { items, limit, total, filter } = page;
    // What a page beyond the end holds is a matter of its own; what a further page of a filter lacks may have several reasons.
    if (page.page > 0 && (filter.status !== null || page.page * limit >= total)) return;
    const wanted = Math.min(limit, total - page.page * limit);
    const unfiltered = filter.unknown === null ? 'WCI-LST-005' : `WCI-LST-014 ${filter.unknown}`;
    const rule = filter.status === null ? unfiltered : 'WCI-LST-013';
    // What a page by another limit shows is there: how they combine is a matter of the places.
    const byOthers = this.#listings.spanOf(page)?.pages.values() ?? [];
    if (
      filter.status !== null &&
      [...byOthers].some((pages) => (pages.get(0)?.ids.length ?? 0) > items.length)
    )
      return;
    if (items.length === wanted && filter.unknown !== null) return;
    if (items.length === wanted) this.#blame.keep(only(rule));
    else this.#suspect(rule, page, { want: `${wanted} items of ${total}`, got: `${items.length} items` });
  }

  /** What falls back to the first page shows its items. */
  #judgeFirst(page: Page): void {
    const { rule, kind, isCertain, applied } = page.bounds.page;
    if (kind !== 'open' || !isCertain || rule === null || applied?.[0] !== 0) return;
    const first = this.#unlike(page, 0);
    if (first) this.#suspect(rule, page, itemsOf(first));
  }

  /** An unknown filter is ignored. */
  #judgeUnknown(page: Page): void {
    const all = this.#listings.totalOf(page.call.enterprise);
    const { unknown } = page.filter;
    if (unknown === null || all === null) return;
    const rule = `WCI-LST-014 ${unknown}`;
    const { total } = all;
    const other = this.#unlike(page, page.page);
    const askedAt = Math.min(page.call.sentAt, all.askedAt);
    if (page.total !== total)
      this.#suspect(rule, page, { want: `total ${total}`, got: `total ${page.total}` }, { total, askedAt });
    else if (other) this.#suspect(rule, page, itemsOf(other));
    else this.#blame.keep(only(rule));
  }

  /** A page of the same list that has other items. */
  #unlike(page: Page, number: number): Page | null {
    const { ids, limit } = page;
    const other = this.#listings.spanOf(page)?.pages.get(limit)?.get(number);
    return !other || (ids.length === other.ids.length && ids.every((id) => other.ids.includes(id)))
      ? null
      : other;
  }

  /**
   * Between two lists of the same total, or where nothing was written for long before what is compared was asked for, a list is the
   * same.
   */
  #suspect(
    rule: string,
    page: Page,
    shown: Pick<Violation, 'want' | 'got'>,
    { total, askedAt } = { total: page.total, askedAt: page.call.sentAt },
  ): void {
    const { call } = page;
    const isSettled = this.#listings.isQuiet(call.enterprise, askedAt - settleMs);
    const isSteady = this.#listings.spanOf({ ...page, total }) !== null;
    if (!isSettled && !isSteady) return;
    const accusation = this.#accuse([rule], page, { at: 'data', ...shown });
    if (isSettled) return;
    accusation.isVoid = true;
    this.#unsure.push({ page: { ...page, total }, accusation });
  }

  /** Another list of the same total makes sure of what one showed before it. */
  #confirm(page: Page): void {
    const isSame = (one: Page) =>
      one.call.enterprise === page.call.enterprise && one.filter.status === page.filter.status;
    for (const { page: before, accusation } of this.#unsure)
      if (
        isSame(before) &&
        page.filter.unknown === null &&
        this.#listings.spanOf(before) &&
        before.total === page.total
      )
        accusation.isVoid = this.#overlapped.has(accusation);
    if (this.#unsure.length > 0)
      this.#unsure = this.#unsure.filter(({ page: before }) => !isSame(before)).slice(-50);
  }

  #judgeOnce({ ids, pages }: Whole): void {
    const last = pages.at(-1);
    const count = pages.reduce((sum, { ids: some }) => sum + some.length, 0);
    if (!last || pages.length < 2) return;
    if (ids.size === count) this.#blame.keep(only('WCI-LST-005 once'));
    else
      this.#accuse(['WCI-LST-005 once'], last, {
        at: 'data',
        want: 'each record on one page',
        got: `${count - ids.size} on two`,
      });
  }

  #judgeMembers(whole: Whole): void {
    const { ids, pages } = whole;
    const last = pages.at(-1);
    if (!last) return;
    const since = Math.min(...pages.map(({ call }) => call.sentAt));
    let missing = 0;
    for (const booking of this.#world.ofEnterprise(last.call.enterprise)) {
      const isListed = ids.has(booking.id);
      if (!isListed && !this.#mustBeIn(booking, last, since)) continue;
      const rules = sentencesOf(booking, whole, last, this.#world);
      const { value, by } = booking.status;
      if (!isListed && last.filter.status !== null && this.#world.mayMove(booking))
        this.#moving.set(booking.id, { rules, page: last, value, by });
      else if (isListed) this.#blame.keep(only(...rules));
      else if ((missing += 1) <= mostMissing)
        this.#accuse(rules, last, {
          at: 'data',
          want: `${booking.id} among the items`,
          got: `${ids.size} others`,
        });
    }
  }

  #mustBeIn(booking: Booking, { filter, call }: Page, since: number): boolean {
    const { madeAt, madeOn, listedAt } = booking;
    if (call.enterprise !== booking.enterprise || this.#world.time - madeOn > keptMs) return false;
    if (madeAt + settleMs > since && listedAt > since) return false;
    return filter.status === null || isKnownAs(booking, filter.status, since);
  }

  /** A booking that may have moved by itself has not, where it is shown as it was before. */
  see({ record }: Sight, { id, status }: Booking): void {
    const moving = this.#moving.get(id);
    if (!moving) return;
    this.#moving.delete(id);
    if (record.status === moving.value && status.by === moving.by && moving.value === status.value)
      this.#accuse(moving.rules, moving.page, { at: 'data', want: `${id} among the items`, got: 'others' });
  }

  #accuse(
    rules: readonly string[],
    page: Page,
    shown: Pick<Violation, 'at' | 'want' | 'got'>,
    pages: readonly Page[] = [page],
  ): Accusation {
    const because = pages.map(({ call }) => call.exchange);
    const violation = { code: 'known:list', ...shown, because };
    const accusation = this.#blame.accuse(only(...rules), 'list', violation);
    this.#open = [...this.#open, { page, accusation }].slice(-100);
    return accusation;
  }
}

function itemsOf({ call }: Page) {
  return { want: `the items of ${call.exchange.id}`, got: 'other items' };
}

/** Whether a status is known well enough for a filter to go by. */
function isKnownAs({ status, writtenAt }: Booking, wanted: string, since: number): boolean {
  return status.value === wanted && (writtenAt + settleMs <= since || status.seen.includes('list'));
}

function overlaps({ exchange }: Call, { call }: Page): boolean {
  return exchange.timings.sent < call.exchange.timings.received;
}

function isOf({ enterprise }: Call, { call }: Page): boolean {
  return enterprise === null || enterprise === call.enterprise;
}

/** The sentences by which a list holds a booking, the widest first. */
function sentencesOf(
  booking: Booking,
  { pages }: Whole,
  { filter, call }: Page,
  world: Bookings,
): readonly string[] {
  const { flights, locators, status, key } = booking;
  const rules = ['WCI-LST-021'];
  if (key !== call.exchange.key) rules.push('WCI-LST-022');
  if (world.isRevoked(key)) rules.push('WCI-SCP-012');
  if (flights.length > 1) rules.push('WCI-LST-021 with several legs');
  if (locators?.every((one) => one === '') === true) rules.push('WCI-LST-021 without a locator');
  if (pages.length > 2) rules.push('WCI-LST-005 of several pages');
  if (filter.unknown !== null) rules.push(`WCI-LST-014 ${filter.unknown}`);
  if (filter.status !== null) rules.push(`WCI-LST-012 ${filter.status}`);
  else if (status.value !== null && status.value !== 'SCHEDULED') rules.push(`WCI-STS-013 ${status.value}`);
  return rules;
}

/** The sentences about the query of a list that was an internal error. */
export function brokenListRows({ op, status, query, keyState }: Call): readonly string[] {
  if (op !== 'wci.list' || status !== 500 || keyState !== 'active') return [];
  const [form, ...others] = oddFormsOf(query);
  // Of several things that are odd, any may be the reason.
  return form === undefined || others.length > 0 ? [] : [form.split(' ', 1)[0] ?? form];
}
