import {
  type ApiKey,
  type CheckContext,
  fixed,
  lastLook,
  list,
  listingOf,
  property,
  subscribe,
  suite,
} from '../checks.ts';
import { withFreshPnr } from '../support/checkin.ts';
import { bookingOfItsOwn } from '../support/departures.ts';
import { withKey } from '../support/keys.ts';
import { listed, pagesFromTheEnd } from '../support/listing.ts';

const pageSize = 100;
/** Most records that are made for a list of more than a page: a run with a state handler leaves about a hundred. */
const mostAdded = 10;

export default suite('GET /extPartner/api/webcheckin/requests: after everything else', [
  property({
    id: 'wci.list.last-look',
    title: 'when all is done, the list can be read; the oracles find in it what a refusal left behind',
    verifies: ['WCI-LST-001'],
    tags: [lastLook],
    // One case is one page, the newest records being at either end.
    mostPerCase: { requests: 1 },
    maxCases: 12,
    run: async (t) => {
      let left = t.cases;
      for (const key of readers(t)) left -= await readPages(t, key, left);
    },
  }),

  fixed({
    id: 'wci.list.over-a-page',
    title: 'of more records than a page can hold, the pages are counted by the limit that is applied',
    verifies: ['WCI-LST-015'],
    tags: [lastLook],
    needs: ['writes', 'quota', 'state:enterprise.create'],
    run: async (t) => {
      const key = withKey(t.keys.primary[0] ?? t.skip('there is no key of the enterprise'));
      const { total } = await listed(t, { page: '0', limit: '1' }, key);
      const lacking = Math.max(0, pageSize + 1 - total);
      if (lacking > mostAdded) t.skip(`the list has only ${total} records`);
      for (let added = 0; added < lacking; added += 1)
        await t.send(subscribe(withFreshPnr(t, await bookingOfItsOwn(t, 45)), { key }));
      const { total: then } = await listed(t, { limit: '250' }, key);
      if (then <= pageSize) t.skip(`the list has only ${then} records`);
    },
  }),
]);

/** One key of each enterprise that this run may have made records for. */
function readers({ keys }: CheckContext): readonly ApiKey[] {
  const firsts = [keys.primary[0], keys.given[0], keys.other[0]];
  return [...new Set(firsts)].filter((key) => key !== undefined);
}

/** Reads the list from both its ends, at most so many pages of it; returns how many. */
async function readPages(t: CheckContext, key: ApiKey, most: number): Promise<number> {
  const pages = [0];
  let read = 0;
  for (let page = pages.shift(); page !== undefined && read < most; page = pages.shift()) {
    const x = await t.send(list({ page: String(page), limit: String(pageSize) }, { key: withKey(key) }));
    const totalPages = listingOf(x)?.totalPages ?? 0;
    if (page === 0) pages.push(...pagesFromTheEnd(totalPages));
    read += 1;
    if (page > 0 || totalPages < 2 || read >= most) continue;
    // Only of more than a page it shows whether totalPages follows the limit that is applied.
    await t.send(list({ limit: '250' }, { key: withKey(key) }));
    read += 1;
  }
  return read;
}
