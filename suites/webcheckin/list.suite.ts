import {
  type CheckContext,
  type Json,
  type KeyChoice,
  type OwnRecord,
  all,
  answered,
  equals,
  fixed,
  generate,
  holds,
  idsOf,
  isObject,
  list,
  listingOf,
  objectOf,
  ofAnother,
  ok,
  oracles,
  orderOf,
  otherKey,
  passive,
  property,
  responseOf,
  suite,
} from '../checks.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { sameKey, withKey } from '../support/keys.ts';
import { findRecord, isListed, listed } from '../support/listing.ts';
import { observeItem } from '../support/observeItem.ts';

export default suite('GET /extPartner/api/webcheckin/requests', [
  passive('wci', oracles.listRequest),

  fixed({
    id: 'wci.list.defaults',
    title: 'a list without parameters is page 0 by 25',
    verifies: ['WCI-LST-001', 'WCI-LST-002', 'WCI-LST-003'],
    tags: ['smoke'],
    run: async (t) => {
      await t.send(list());
    },
  }),

  fixed({
    id: 'wci.list.own-record',
    title: 'a new record is listed as it was sent',
    verifies: [
      ...['WCI-LST-020', 'WCI-LST-021', 'WCI-OPN-010', 'WCI-OPN-026', 'WCI-OPN-028', 'WCI-OPN-043'],
      ...['WCI-OPN-055'],
    ],
    uses: ['complete-record', 'incomplete-record', 'workbench-record'],
    tags: ['smoke'],
    run: async (t) => {
      const record = await t.fixtures.completeRecord();
      const workbench = await t.fixtures.workbenchRecord();
      const incomplete = await t.fixtures.incompleteRecord();
      const { item, page, listing } = await findRecord(t, record, {
        key: sameKey(t, record.subscribed),
        until: isListed,
      });
      if (!item) return;
      const [leg] = record.body.flights as readonly (typeof record.body)[];
      const other = listing.items.find((one) => one.checkin_id === incomplete.checkinId);
      observeItem(t, { x: page, item, departure: leg?.departure_datetime, incomplete: other ?? null });
      const known = inOrderOfCreation([record, workbench, incomplete]);
      const order = listing.totalPages <= 1 ? orderOf(listing.items, known) : null;
      if (order !== null) t.observe('WCI-OPN-026', order, page);
    },
  }),

  fixed({
    id: 'wci.list.two-legs',
    title: 'which leg a record of several legs shows',
    verifies: ['WCI-LST-021', 'WCI-OPN-054'],
    uses: ['two-leg-record'],
    run: async (t) => {
      const record = await t.fixtures.itineraryRecord('twoLeg');
      const { item, page } = await findRecord(t, record, {
        key: sameKey(t, record.subscribed),
        until: isListed,
      });
      const legs = record.body.flights as readonly (typeof record.body)[];
      const [first, final] = [legs[0], legs.at(-1)];
      if (!item || !first || !final) return;
      const shown = (from: Json | undefined, to: Json | undefined) =>
        item.origin === from && item.destination === to;
      if (shown(first.origin, final.destination)) t.observe('WCI-OPN-054', 'whole-journey', page);
      else if (shown(first.origin, first.destination)) t.observe('WCI-OPN-054', 'first-leg', page);
      else t.observe('WCI-OPN-054', 'other', page);
    },
  }),

  property({
    id: 'wci.list.valid-queries',
    title: 'valid parameters are applied as given, alone and together',
    verifies: ['WCI-LST-001', 'WCI-LST-008'],
    minCases: 3,
    maxCases: 40,
    run: (t) =>
      t.forAll('query', generate.listQuery, async (query) => {
        await t.send(list(query));
      }),
  }),

  fixed({
    id: 'wci.list.beyond-the-end',
    title: 'a page beyond the end is empty',
    verifies: ['WCI-LST-015', 'WCI-LST-017', 'WCI-OPN-059'],
    run: async (t) => {
      const x = await t.send(list({ page: '99999', limit: '100' }));
      const listing = listingOf(x);
      t.assume(listing !== null, `${x.id}: no list with pagination came back`);
      if (!listing) return;
      const { items, page, total } = listing;
      // Only a longer list than a page can be shows that its pages are counted by the limit that is applied.
      if (total > 100) await t.send(list({ limit: '1000' }));
      t.assume(total < 9_999_900, 'the list is longer than any page that is asked for');
      if (items.length === 0)
        t.observe('WCI-OPN-059', page === 99_999 ? 'empty-page' : 'last-page-number', x);
      else if (page === 0) t.observe('WCI-OPN-059', 'first-page', x);
      // Far beyond, some never get to look whether such a page exists.
      const next = String(Math.floor(total / 100) + 1);
      await t.each([next, ...generate.farPages], async (page) => {
        const limit = page === generate.farPages[0] ? '2088' : '100';
        const far = await t.send(list({ page, limit }));
        // What breaks by the limit is no matter of the page.
        if (limit !== '100' && responseOf(far)?.status === 500) await t.send(list({ page, limit: '100' }));
      });
    },
  }),

  fixed({
    id: 'wci.list.repeated-parameter',
    title: 'which value of a repeated parameter counts',
    verifies: ['WCI-OPN-056'],
    run: async (t) => {
      const x = await t.send(
        list([
          ['limit', '3'],
          ['limit', '7'],
        ]),
      );
      const limit = listingOf(x)?.limit;
      if (limit === 3) t.observe('WCI-OPN-056', 'first', x);
      if (limit === 7) t.observe('WCI-OPN-056', 'last', x);
      if (responseOf(x)?.status === 400) t.observe('WCI-OPN-056', 'refused', x);
    },
  }),

  fixed({
    id: 'wci.list.two-keys',
    title: 'two keys of one enterprise see the same requests',
    verifies: ['WCI-LST-022'],
    needs: ['second-key'],
    uses: ['complete-record'],
    exclusive: true,
    run: async (t) => {
      const { subscribed } = await t.fixtures.completeRecord();
      const one = t.keys.primary.find(({ label }) => label === subscribed.key);
      const two = t.keys.primary.find(({ label }) => label !== subscribed.key);
      if (!one || !two) return;
      for (const key of [one, two, one])
        await t.send(list({ page: '0', limit: '100' }, { key: withKey(key) }));
    },
  }),

  fixed({
    id: 'wci.list.other-enterprise',
    title: 'neither the items nor the total of a list have anything of another enterprise',
    verifies: ['WCI-LST-023', 'WCI-LST-024'],
    uses: ['complete-record', 'other-record'],
    tags: ['smoke'],
    exclusive: true,
    run: async (t) => {
      const [mine, theirs] = [await t.fixtures.completeRecord(), await t.fixtures.otherRecord()];
      // Of short ids, which each enterprise may count for itself, nothing is known without this.
      await judgeEnds(t, undefined, theirs.checkinId);
      await judgeEnds(t, otherKey, mine.checkinId);
    },
  }),

  fixed({
    id: 'wci.list.empty',
    title: 'an enterprise without requests has an empty list',
    verifies: ['WCI-LST-025', 'WCI-OPN-027'],
    needs: ['state:enterprise.create'],
    run: async (t) => {
      const { key } = await freshEnterprise(t);
      const x = await t.send(list({}, { key: withKey(key) }));
      t.judge(x, { 'WCI-LST-025': answered(x, ok) });
      const { data, pagination } = objectOf(x) ?? {};
      t.assume(isObject(pagination) && data !== undefined, 'the answer is no list');
      const { total, totalPages } = isObject(pagination) ? pagination : {};
      t.judge(x, {
        'WCI-LST-025': all(
          equals('not-empty', 'data', [], data),
          equals('not-empty', 'pagination.total', 0, total),
        ),
      });
      if (totalPages === 0 || totalPages === 1)
        t.observe('WCI-OPN-027', totalPages === 0 ? 'zero' : 'one', x);
    },
  }),
]);

/** Their ids, the oldest first: exchanges are numbered as they are sent. */
function inOrderOfCreation(records: readonly OwnRecord[]): readonly string[] {
  const place = ({ subscribed }: OwnRecord) => Number(subscribed.id.slice(1));
  return records.toSorted((one, other) => place(one) - place(other)).map(({ checkinId }) => checkinId);
}

/** Neither the first nor the last page of a list, which may be one, shows a foreign record. */
async function judgeEnds(t: CheckContext, key: KeyChoice | undefined, foreign: string): Promise<void> {
  const first = await listed(t, { page: '0', limit: '100' }, key);
  const last = String(first.totalPages - 1);
  const pages = first.totalPages > 1 ? [first, await listed(t, { page: last, limit: '100' }, key)] : [first];
  const isSeen = pages.some(({ items }) => idsOf(items).includes(foreign));
  t.judge(
    pages.map(({ x }) => x),
    { 'WCI-LST-023': isSeen ? ofAnother('leak', 'data[].checkin_id', 'enterprise', foreign) : holds },
  );
}
