import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type KeyChoice,
  type Listing,
  type Query,
  list,
  listingOf,
} from '../checks.ts';

export interface Listed extends Listing {
  readonly x: Exchange;
}

/** Lists with valid parameters; unclear where no list comes back, which is the matter of other checks. */
export async function listed(t: CheckContext, query: Query, key?: KeyChoice): Promise<Listed> {
  const x = await t.send(list(query, key === undefined ? {} : { key }));
  const listing = listingOf(x);
  t.assume(listing !== null, `${x.id}: no list came back`);
  if (!listing) throw new Error('unreachable: a list came back');
  return { x, ...listing };
}

/** What a search of the list came to. `whole`: all of it was seen, so that what was not found is not there. */
export interface Search {
  readonly item: AnswerObject | null;
  readonly whole: boolean;
  readonly last: Listed;
}

const pageSize = 100;
const mostPages = 5;
/** Pauses before looking again, in milliseconds: how soon a record is listed is not stated. */
const pauses = [500, 2000, 5000];

/** Looks for a record in the list, for some seconds where it is not there at first. */
export async function findListed(
  t: CheckContext,
  wanted: (item: AnswerObject) => boolean,
  options: { readonly key?: KeyChoice; readonly patient?: boolean } = {},
): Promise<Search> {
  const { key, patient = true } = options;
  for (let round = 0; ; round += 1) {
    const search = await searchOnce(t, wanted, key);
    const pause = patient ? pauses[round] : undefined;
    if (search.item !== null || pause === undefined) return search;
    await t.sleep(pause);
  }
}

/** First page, then from the last one backwards: the two ends at which new records are. */
async function searchOnce(
  t: CheckContext,
  wanted: (item: AnswerObject) => boolean,
  key: KeyChoice | undefined,
): Promise<Search> {
  let last = await listed(t, { page: '0', limit: String(pageSize) }, key);
  const rest = Array.from(
    { length: Math.max(0, last.totalPages - 1) },
    (_, index) => last.totalPages - 1 - index,
  );
  for (const page of [null, ...rest.slice(0, mostPages - 1)]) {
    if (page !== null) last = await listed(t, { page: String(page), limit: String(pageSize) }, key);
    const item = last.items.find(wanted);
    if (item) return { item, whole: true, last };
  }
  return { item: null, whole: rest.length < mostPages, last };
}
