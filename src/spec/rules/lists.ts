import { onceForEach } from '../../core/latest.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Violation } from '../kernel/findings.ts';
import { only, type Accusation, type Blame } from '../kernel/blame.ts';
import { RecentMap } from '../../core/recentMap.ts';
import type { Booking } from '../world/booking.ts';
import type { Bookings } from '../world/bookings.ts';
import { boundsOf, filterOf, Listings, pageOf, type Page, type Whole } from '../world/listings.ts';
import type { Sight } from '../world/sights.ts';

/** How late a list may be with a change, in milliseconds. */
const settleMs = 7_000;
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
  readonly #world: Bookings;
  readonly #blame: Blame;
  /** What a write that is answered later may explain. */
  #open: readonly Open[] = [];
  /** What another list has still to make sure of. */
  #unsure: Open[] = [];
  readonly #overlapped = new WeakSet<Accusation>();
  /** What a filter left out that may have moved meanwhile, by its id. */
  readonly #moving = new RecentMap<string, Moving>(500);
  /** The first request of a form that was an internal error. */
  readonly #broken = new Map<string, Call>();

  constructor(world: Bookings, blame: Blame) {
    this.#world = world;
    this.#blame = blame;
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
    this.#judgeError(call);
    const page = pageOf(call);
    if (!page) return;
    this.#confirm(page);
    this.#judgeLength(page);
    this.#judgeFirst(page);
    this.#judgeUnknown(page);
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
    const rule = filter.status === null ? 'WCI-LST-005' : 'WCI-LST-013';
    if (items.length === wanted) this.#blame.keep(only(rule));
    else this.#suspect(rule, page, { want: `${wanted} items of ${total}`, got: `${items.length} items` });
  }

  /** What falls back to the first page shows its items. */
  #judgeFirst(page: Page): void {
    const { bounds, ids, limit } = page;
    const { rule, kind, isCertain, applied } = bounds.page;
    if (kind !== 'open' || !isCertain || rule === null || applied?.[0] !== 0) return;
    const first = this.#listings.spanOf(page)?.pages.get(limit)?.get(0);
    if (!first || (ids.length === first.ids.length && ids.every((id) => first.ids.includes(id)))) return;
    this.#suspect(rule, page, { want: `the items of ${first.call.exchange.id}`, got: 'other items' });
  }

  /** An unknown filter is ignored. */
  #judgeUnknown(page: Page): void {
    const all = this.#listings.totalOf(page.call.enterprise);
    const { unknown } = page.filter;
    if (unknown === null || all === null) return;
    const { total } = all;
    if (page.total === total) this.#blame.keep(only(`WCI-LST-014 ${unknown}`));
    else
      this.#suspect(
        `WCI-LST-014 ${unknown}`,
        page,
        { want: `total ${total}`, got: `total ${page.total}` },
        { total, askedAt: Math.min(page.call.sentAt, all.askedAt) },
      );
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

  /** An internal error twice for what the documents speak of, and never another answer. */
  #judgeError(call: Call): void {
    const forms = oddFormsOf(call.query);
    if (call.status !== 500) {
      if (call.status !== null) for (const form of forms) this.#blame.keep(only(form));
      return;
    }
    const name = forms.join();
    const before = this.#broken.get(name);
    this.#broken.set(name, call);
    if (!before || forms.length === 0) return;
    const because = [before.exchange, call.exchange];
    const violation = {
      code: 'list-error',
      at: 'answer',
      want: 'a list, or 400',
      got: 'HTTP 500',
      because,
    };
    this.#blame.accuse(only(...forms), 'list', violation);
  }

  #accuse(rules: readonly string[], page: Page, shown: Pick<Violation, 'at' | 'want' | 'got'>): Accusation {
    const because = [page.call.exchange];
    const violation = { code: 'known:list', ...shown, because };
    const accusation = this.#blame.accuse(only(...rules), 'list', violation);
    this.#open = [...this.#open, { page, accusation }].slice(-100);
    return accusation;
  }
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

/** What is odd about the query of a list, each with its sentence. */
const oddFormsOf = onceForEach((query: JsonObject): readonly string[] => {
  const { page, limit } = boundsOf(query);
  const filter = filterOf(query);
  return [
    ...[page, limit].flatMap(({ rule, kind, name }) =>
      kind === 'open' && rule !== null ? [`${rule} answers ${name}`] : [],
    ),
    ...(filter?.unknown ? [`WCI-LST-014 answers ${filter.unknown}`] : []),
  ];
});
