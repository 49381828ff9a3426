import {
  type CheckContext,
  type Exchange,
  type KeyChoice,
  type Listing,
  differs,
  fixed,
  generate,
  holds,
  is,
  list,
  listingOf,
  primaryKey,
  responseOf,
  rulesOf,
  sparing,
  suite,
  table,
} from '../checks.ts';
import { withKey } from '../support/keys.ts';
import { claimWalk, listed } from '../support/listing.ts';
import {
  fallBack,
  fateOfSpelling,
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
      const { total } = await listed(t, { limit: '1' }, oneKey(t));
      // Three pages hold all requests, or the first 300. One record on a page is also that of the list before.
      const limit = String(Math.min(100, Math.max(2, Math.ceil(total / 3))));
      const pages = [];
      for (const page of ['0', '1', '2']) pages.push((await listed(t, { page, limit }, oneKey(t))).x);
      claimWalk(t, pages);
      await listed(t, { limit }, oneKey(t));
      if (!t.isSparing) await t.send(list({ page: '-1', limit }, { key: oneKey(t) }));
      await listed(t, { limit: '1' }, oneKey(t));
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
      let found = await totals(t);
      // What was made a moment ago may just be coming to the list.
      for (const pause of [1000, 3000]) {
        if (found.before === found.after && found.sum === found.after) break;
        await t.sleep(pause);
        found = await totals(t);
      }
      const { before, after, sum, evidence } = found;
      t.assume(before === after, 'the list did not stay as it was: others made requests meanwhile');
      t.judge(evidence, {
        'WCI-LST-013':
          sum === after ? holds : differs('totals', 'pagination.total', is.value(after), is.value(sum)),
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
      const [two, second] = [
        { limit: '2', page: '0' },
        { limit: '1', page: '1' },
      ];
      for (const query of [two, second, two])
        await t.send(list({ status: 'SCHEDULED', ...query }, { key: oneKey(t) }));
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
      const observe = (x: Exchange, row: (typeof rows)[number]) => {
        const isRefused = responseOf(x)?.status === 400;
        const listing = listingOf(x);
        const reading = row.isSpelled ? fateOfSpelling(row, x) : null;
        if (reading !== null) spelled.add(reading);
        if (isRefused && !row.isSpelled) fates.add('refused');
        if (listing && !row.isSpelled) fates.add('falls-back');
        observeWordLimit(t, row, listing, isRefused);
      };
      for (const some of together(rows)) {
        // What falls back by itself falls back beside another parameter; only of a list it is known which of them did.
        const isRefused = fates.has('refused');
        const apart = some.length === 1 || isRefused || !(await fallBack(t, some, observe));
        if (!apart) continue;
        for (const row of some)
          await t.forAll(row.name, row.query, async (query) => observe(await t.send(list(query)), row));
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
      const all = await listed(t, { limit: '2' }, oneKey(t));
      for (const status of generate.unknownStatuses) {
        const x = await t.send(list({ limit: '2', status }, { key: oneKey(t) }));
        const isRefused = responseOf(x)?.status === 400;
        if (isRefused || listingOf(x)) t.observe('WCI-OPN-011', isRefused ? 'refused' : 'falls-back', x);
      }
      await listed(t, { limit: '2' }, oneKey(t));
      await observeSpelledStatus(t, all);
    },
  }),
]);

/** Whether a status filters that is written otherwise: there is a record in another one. */
async function observeSpelledStatus(t: CheckContext, { total }: Listing): Promise<void> {
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

/** The total of the list before and after, and the sum of those of each status. */
async function totals(t: CheckContext) {
  const before = await listed(t, { limit: '1' }, oneKey(t));
  const parts = [];
  for (const status of generate.checkinStatuses)
    parts.push(await listed(t, { limit: '25', status }, oneKey(t)));
  const after = await listed(t, { limit: '1' }, oneKey(t));
  const isFiltered = parts.every(({ items }, at) =>
    items.every((item) => item.status === generate.checkinStatuses[at]),
  );
  t.assume(isFiltered, 'the lists are not filtered');
  const sum = parts.reduce((all, { total }) => all + total, 0);
  return { before: before.total, after: after.total, sum, evidence: [...parts, after].map(({ x }) => x) };
}
