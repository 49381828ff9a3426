import {
  type CheckContext,
  type Exchange,
  type Judgement,
  type KeyChoice,
  type Listing,
  type TolerantListQuery,
  about,
  all,
  answered,
  fixed,
  generate,
  holds,
  invalid,
  isFilled,
  isListing,
  list,
  listingOf,
  partition,
  primaryKey,
  responseOf,
  rulesOf,
  sameItems,
  shows,
  sparing,
  suite,
  table,
  differs,
  is,
} from '../checks.ts';
import { withKey } from '../support/keys.ts';
import { claimWalk, type Listed, listed } from '../support/listing.ts';
import {
  fallBack,
  fateOfSpelling,
  hasApplied,
  listOrRefusal,
  observeWordLimit,
  together,
  variantOfSpellings,
} from '../support/listQueries.ts';

const boundRows = generate.tolerantListQueries;

export default suite('GET /extPartner/api/webcheckin/requests: pages and filters', [
  sparing({
    id: 'wci.list.pages',
    title: 'the pages hold every request once, and total is the same on all of them',
    verifies: ['WCI-LST-004', 'WCI-LST-005', 'WCI-LST-008', 'WCI-LST-009', 'WCI-LST-029'],
    uses: ['complete-record', 'incomplete-record', 'workbench-record'],
    // Records that other checks make would move the pages.
    exclusive: true,
    run: async (t) => {
      await makeRecords(t);
      const { pages, bare, negative, total, limit } = await steady(t, () => walk(t));
      const evidence = [...pages, bare].map(({ x }) => x);
      t.judge(evidence, {
        'WCI-LST-029': all(...[...pages, bare].map((page) => shows(page, 'total', total))),
      });
      const [first] = pages;
      if (!first) return;
      t.judge([first.x, bare.x], { 'WCI-LST-004': sameItems(bare, first) });
      t.judge(first.x, { 'WCI-LST-008': all(shows(first, 'limit', limit), isFilled(first)) });
      if (negative) t.judge([first.x, negative], { 'WCI-LST-009': isFirstOrRefused(negative, first) });
      t.judge(evidence, { 'WCI-LST-005': partition(pages, total, limit) });
    },
  }),

  fixed({
    id: 'wci.list.statuses',
    title: 'each status filters by itself, and the four totals add up to the unfiltered one',
    verifies: ['WCI-LST-012', 'WCI-LST-013'],
    uses: ['complete-record', 'incomplete-record'],
    exclusive: true,
    run: async (t) => {
      await makeRecords(t);
      const { parts, after } = await steady(t, async () => {
        const before = await listed(t, { limit: '1' }, oneKey(t));
        const parts = await inTurn(generate.checkinStatuses, (status) =>
          listed(t, { limit: '25', status }, oneKey(t)),
        );
        const after = await listed(t, { limit: '1' }, oneKey(t));
        const isWhole = totalOf(parts) === after.total;
        return { parts, after, moved: before.total !== after.total, isLate: !isWhole };
      });
      for (const [index, part] of parts.entries()) {
        const status = generate.checkinStatuses[index] ?? '';
        if (part.items.length > 0) t.judge(part.x, { 'WCI-LST-012': onlyIn(part, status) });
        t.judge(part.x, { 'WCI-LST-013': about(isFilled(part), `status=${status}`) });
      }
      const totals = is.value(totalOf(parts), parts.map((part) => part.total).join(' + '));
      const whole = is.value(after.total);
      // Totals that fit their own items are right; then it is that of the whole list that is wrong.
      const areFilled = parts.every((part) => isFilled(part).status === 'holds');
      const [want, got] = areFilled ? [totals, whole] : [whole, totals];
      const evidence = [...parts, after].map(({ x }) => x);
      const isSum = totalOf(parts) === after.total;
      t.judge(evidence, {
        'WCI-LST-013': isSum ? holds : differs('totals', 'pagination.total', want, got),
      });
    },
  }),

  fixed({
    id: 'wci.list.combined',
    title: 'page, limit and status combine',
    verifies: ['WCI-LST-028'],
    uses: ['complete-record', 'incomplete-record', 'workbench-record'],
    exclusive: true,
    run: async (t) => {
      await makeRecords(t);
      const { two, second } = await steady(t, async () => {
        const two = await listed(t, { status: 'SCHEDULED', limit: '2', page: '0' }, oneKey(t));
        const second = await listed(t, { status: 'SCHEDULED', limit: '1', page: '1' }, oneKey(t));
        const again = await listed(t, { status: 'SCHEDULED', limit: '2', page: '0' }, oneKey(t));
        const isSame = sameItems(two, again).status === 'holds' && two.total === again.total;
        return { two, second, moved: !isSame || two.items.length < 2 };
      });
      t.assume(two.items.length === 2, 'there are no two scheduled requests');
      t.judge([two.x, second.x], {
        'WCI-LST-028': all(
          shows(second, 'page', 1),
          shows(second, 'limit', 1),
          shows(second, 'total', two.total),
          sameItems(second, { ...two, items: two.items.slice(1) }),
        ),
      });
    },
  }),

  table({
    id: 'wci.list.out-of-bounds',
    title: 'a page or limit outside its bounds falls back or is clamped, or is 400',
    verifies: [...rulesOf(boundRows), 'WCI-OPN-011', 'WCI-OPN-040', 'WCI-OPN-070'],
    uses: ['complete-record'],
    rows: boundRows,
    run: async (t, rows) => {
      await t.fixtures.completeRecord();
      const fates = new Set<string>();
      const spelled = new Set<string>();
      const judge = (x: Exchange, row: TolerantListQuery) => {
        const status = responseOf(x)?.status;
        const listing = listingOf(x);
        const reading = row.isSpelled ? fateOfSpelling(row, x) : null;
        if (reading !== null) spelled.add(reading);
        if (status === 400 && !row.isSpelled) fates.add('refused');
        if (listing && !row.isSpelled) fates.add('falls-back');
        observeWordLimit(t, row, listing, status === 400);
        t.judge(x, { [row.rule]: status === 200 ? hasApplied(row, x) : listOrRefusal(x) });
      };
      for (const some of together(rows)) {
        // What falls back by itself falls back beside another parameter; only of a list it is known which of them did.
        const isRefused = fates.has('refused');
        const apart = some.length === 1 || isRefused || !(await fallBack(t, some, judge));
        if (!apart) continue;
        for (const row of some)
          await t.forAll(row.name, row.query, async (query) => {
            judge(await t.send(list(query)), row);
          });
      }
      const [fate] = fates;
      if (fate !== undefined) t.observe('WCI-OPN-011', fates.size > 1 ? 'mixed' : fate);
      const variant = variantOfSpellings(spelled);
      if (variant !== null) t.observe('WCI-OPN-070', variant);
    },
  }),

  fixed({
    id: 'wci.list.unknown-status',
    title: 'an unknown status is ignored, or is 400',
    verifies: ['WCI-LST-014', 'WCI-OPN-011', 'WCI-OPN-071'],
    uses: ['complete-record'],
    exclusive: true,
    run: async (t) => {
      await t.fixtures.completeRecord();
      const unknown = (status: string) => t.send(list({ limit: '2', status }, { key: oneKey(t) }));
      const { sent, before } = await steady(t, async () => {
        const before = await listed(t, { limit: '2' }, oneKey(t));
        const sent = await inTurn(generate.unknownStatuses, unknown);
        const after = await listed(t, { limit: '2' }, oneKey(t));
        return {
          ...{ sent, before },
          moved: before.total !== after.total || sameItems(before, after).status !== 'holds',
        };
      });
      for (const x of sent) judgeUnknown(t, x, before);
      await observeSpelledStatus(t, before);
    },
  }),
]);

/** It is refused, or shows what a list without a filter shows. */
function judgeUnknown(t: CheckContext, x: Exchange, before: Listed): void {
  const isRefused = responseOf(x)?.status === 400;
  t.judge(x, { 'WCI-LST-014': isRefused ? answered(x, invalid) : isListing(x) });
  const listing = isRefused ? null : listingOf(x);
  if (listing)
    t.judge([before.x, x], {
      'WCI-LST-014': all(shows(listing, 'total', before.total), sameItems(listing, before)),
    });
  if (listing || isRefused) t.observe('WCI-OPN-011', isRefused ? 'refused' : 'falls-back', x);
}

/** Whether a status filters that is written otherwise: there is a record in another one. */
async function observeSpelledStatus(t: CheckContext, { total }: Listed): Promise<void> {
  const fates = [];
  for (const status of ['completed', ' COMPLETED ']) {
    const x = await t.send(list({ limit: '2', status }, { key: oneKey(t) }));
    const shown = listingOf(x)?.total;
    if (responseOf(x)?.status === 400) fates.push('refused');
    else if (shown !== undefined) fates.push(shown < total ? 'filter' : 'unknown');
  }
  const [fate] = fates;
  if (fate !== undefined) t.observe('WCI-OPN-071', new Set(fates).size > 1 ? 'by-spelling' : fate);
}

/** All pages of one comparison are asked for with one key: whether two see the same is another matter. */
function oneKey(t: CheckContext): KeyChoice {
  return t.keys.lead === null ? primaryKey : withKey(t.keys.lead);
}

/** Three records at least, so that pages and filters have something to work on. */
async function makeRecords(t: CheckContext): Promise<void> {
  await t.fixtures.completeRecord();
  await t.fixtures.incompleteRecord();
  await t.fixtures.workbenchRecord();
}

/** Three pages that hold all requests, or the first 300, between two looks at the total. */
async function walk(t: CheckContext) {
  const { total } = await listed(t, { limit: '1' }, oneKey(t));
  const limit = Math.min(100, Math.max(1, Math.ceil(total / 3)));
  const pages = await inTurn([0, 1, 2], (page) =>
    listed(t, { page: String(page), limit: String(limit) }, oneKey(t)),
  );
  claimWalk(
    t,
    pages.map(({ x }) => x),
  );
  const bare = await listed(t, { limit: String(limit) }, oneKey(t));
  // What pagination tells of a negative page is the matter of another check, which every run can afford.
  const query = { page: '-1', limit: String(limit) };
  const negative = t.isSparing ? null : await t.send(list(query, { key: oneKey(t) }));
  const after = await listed(t, { limit: '1' }, oneKey(t));
  return { pages, bare, negative, total, limit, moved: after.total !== total };
}

/** A negative page has the items of page 0, or is refused (WCI-OPN-011). */
function isFirstOrRefused(negative: Exchange, first: Listing): Judgement {
  if (responseOf(negative)?.status === 400) return answered(negative, invalid);
  const listing = listingOf(negative);
  return listing ? sameItems(listing, first) : isListing(negative);
}

function totalOf(parts: readonly Listed[]): number {
  return parts.reduce((sum, { total }) => sum + total, 0);
}

interface Measured {
  readonly moved: boolean;
  /** Whether something may be missing that has not come to all lists yet. */
  readonly isLate?: boolean;
}

/** Measures until nothing moved in between and nothing seems late, a few times at most. */
async function steady<T extends Measured>(t: CheckContext, measure: () => Promise<T>): Promise<T> {
  let measured = await measure();
  // What was made a moment ago may just be coming to the list.
  for (const pause of [1000, 3000]) {
    if (!measured.moved && !measured.isLate) return measured;
    await t.sleep(pause);
    measured = await measure();
  }
  t.assume(!measured.moved, 'the list did not stay as it was: others made requests meanwhile');
  return measured;
}

async function inTurn<T, R>(values: readonly T[], take: (value: T) => Promise<R>): Promise<readonly R[]> {
  const taken: R[] = [];
  for (const value of values) taken.push(await take(value));
  return taken;
}

function onlyIn({ items }: Listed, status: string): Judgement {
  const stray = items.find((item) => item.status !== status);
  if (!stray) return holds;
  return differs('filter', 'data[].status', status, is.value(stray.status));
}
