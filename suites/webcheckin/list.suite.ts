import {
  type Json,
  type Judgement,
  type OwnRecord,
  answered,
  fixed,
  generate,
  holds,
  idsOf,
  isListing,
  isObject,
  list,
  listingOf,
  objectOf,
  ok,
  oracles,
  orderOf,
  otherKey,
  passive,
  property,
  responseOf,
  sameMembers,
  shows,
  suite,
  unclear,
  differs,
  equals,
  is,
  all,
  numberDue,
  ofAnother,
} from '../checks.ts';
import { freshEnterprise } from '../support/enterprises.ts';
import { sameKey, withKey } from '../support/keys.ts';
import {
  type Listed,
  countedIn,
  endsOf,
  findRecord,
  isListed,
  listed,
  notListed,
  pagesOf,
} from '../support/listing.ts';
import { observeItem } from '../support/observeItem.ts';
import { farPage, farPages, judgeFarPage } from '../support/farPages.ts';

export default suite('GET /extPartner/api/webcheckin/requests', [
  passive('wci', oracles.listRequest),

  fixed({
    id: 'wci.list.defaults',
    title: 'a list without parameters is page 0 by 25',
    verifies: ['WCI-LST-001', 'WCI-LST-002', 'WCI-LST-003'],
    tags: ['smoke'],
    run: async (t) => {
      const x = await t.send(list());
      t.judge(x, { 'WCI-LST-001': isListing(x) });
      const listing = listingOf(x);
      t.assume(listing !== null, 'pagination is not made of numbers');
      if (!listing) return;
      t.judge(x, {
        'WCI-LST-002': shows(listing, 'page', 0),
        'WCI-LST-003':
          listing.items.length > 25
            ? differs('length', 'data', is.atMost(25, 'items'), is.number(listing.items.length, 'items'))
            : shows(listing, 'limit', 25),
      });
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
      const { item, page, listing, whole } = await findRecord(t, record, {
        key: sameKey(t, record.subscribed),
        until: isListed,
      });
      t.judge(page, { 'WCI-LST-021': item ? holds : notListed(record.checkinId, whole) });
      if (!item) return;
      const [leg] = record.body.flights as readonly (typeof record.body)[];
      const sent = { pnr: record.body.pnr, ...leg };
      t.judge(page, {
        'WCI-LST-020': sameMembers(item, sent, ['pnr', 'airline', 'flight_number', 'origin', 'destination']),
      });
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
      const { item, page, whole } = await findRecord(t, record, {
        key: sameKey(t, record.subscribed),
        until: isListed,
      });
      t.judge(page, { 'WCI-LST-021': item ? holds : notListed(record.checkinId, whole) });
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
        const x = await t.send(list(query));
        // An empty page may be one beyond the end, which is the matter of another check.
        if ((query.page ?? '0') === '0' && query.status === undefined)
          t.judge(x, { 'WCI-LST-001': isListing(x) });
        const listing = listingOf(x);
        if (!listing || query.limit === undefined) return;
        t.judge(x, { 'WCI-LST-008': shows(listing, 'limit', Number(query.limit)) });
      }),
  }),

  fixed({
    id: 'wci.list.beyond-the-end',
    title: 'a page beyond the end is empty',
    verifies: ['WCI-LST-015', 'WCI-LST-017', 'WCI-OPN-059'],
    run: async (t) => {
      const x = await t.send(list({ page: '99999', limit: '100' }));
      t.judge(x, { 'WCI-LST-017': answered(x, ok) });
      const listing = listingOf(x);
      t.assume(listing !== null, 'pagination is not made of numbers');
      if (!listing) return;
      const { items, page, total } = listing;
      // Only a longer list than a page can be shows that its pages are counted by the limit that is applied.
      if (total > 100) await t.send(list({ limit: '1000' }));
      t.assume(total < 9_999_900, 'the list is longer than any page that is asked for');
      if (items.length === 0)
        t.observe('WCI-OPN-059', page === 99_999 ? 'empty-page' : 'last-page-number', x);
      else if (page === 0) t.observe('WCI-OPN-059', 'first-page', x);
      t.judge(x, {
        'WCI-LST-017': numberDue('beyond', 'items', 0, items.length),
      });
      // Far beyond, some never get to look whether such a page exists.
      const next = Math.floor(total / 100) + 1;
      await t.each([String(next), ...farPages], async (page) => {
        const far = await farPage(t, page);
        const isBeyond = (listingOf(far)?.total ?? 0) <= Number(page) * 100;
        if (isBeyond) t.judge(far, { 'WCI-LST-017': judgeFarPage(far) });
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
      const query = { page: '0', limit: '100' };
      const look = async () => {
        const before = await listed(t, query, withKey(one));
        const other = await listed(t, query, withKey(two));
        return { before, other, after: await listed(t, query, withKey(one)) };
      };
      let seen = await look();
      // A list that is late, or late on one of several nodes, may show a record between two looks.
      for (let tries = 1; tries < 3 && sameForBoth(seen).status !== 'holds'; tries += 1) {
        await t.sleep(1000);
        seen = await look();
      }
      t.judge([seen.before.x, seen.other.x, seen.after.x], { 'WCI-LST-022': sameForBoth(seen) });
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
      const rows = [
        { name: 'seen by the first', key: undefined, foreign: theirs.checkinId },
        { name: 'seen by the other', key: otherKey, foreign: mine.checkinId },
      ];
      await t.each(rows, async ({ key, foreign }) => {
        let ends = await endsOf(t, key);
        // How soon a total counts what is listed is not stated.
        for (let tries = 1; tries < 3 && countedIn(ends) !== ends.last.total; tries += 1) {
          await t.sleep(1000);
          ends = await endsOf(t, key);
        }
        const { first, last } = ends;
        const { x, items, total, totalPages } = last;
        t.assume(totalPages === first.totalPages, 'the list grew by a page meanwhile');
        const seen = [...first.items, ...items].some((item) => item.checkin_id === foreign);
        t.assume(
          pagesOf(last) === Math.max(1, Math.ceil(total / 100)),
          'totalPages does not follow from total',
        );
        const counted = countedIn(ends);
        t.judge([first.x, x], {
          'WCI-LST-023': seen ? ofAnother('leak', 'data[].checkin_id', 'enterprise', foreign) : holds,
          'WCI-LST-024': equals('total', 'pagination.total', counted, total, 'as many as are listed'),
        });
      });
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

/** What a second key sees between two looks of the first: the same as in one of them, though the list may change meanwhile. */
function sameForBoth(looks: Readonly<Record<'before' | 'other' | 'after', Listed>>): Judgement {
  const [before, other, after] = [looks.before, looks.other, looks.after].map(({ total, items }) =>
    [total, ...idsOf(items).toSorted()].join(' '),
  );
  if (other === before || other === after) return holds;
  if (before !== after) return unclear('the list changed meanwhile');
  const want = is.value(idsOf(looks.after.items), `of ${looks.after.total} that one key sees`);
  const got = is.value(idsOf(looks.other.items), `of ${looks.other.total}`);
  return differs('keys', 'data[].checkin_id', want, got);
}

/** Their ids, the oldest first: exchanges are numbered as they are sent. */
function inOrderOfCreation(records: readonly OwnRecord[]): readonly string[] {
  const place = ({ subscribed }: OwnRecord) => Number(subscribed.id.slice(1));
  return records.toSorted((one, other) => place(one) - place(other)).map(({ checkinId }) => checkinId);
}
