import {
  type CheckContext,
  type Exchange,
  type Listing,
  type TolerantListQuery,
  fc,
  list,
  listingOf,
  responseOf,
} from '../checks.ts';

/** Rows that one request can carry: one about `page` with one about `limit`. */
export function together(rows: readonly TolerantListQuery[]): readonly (readonly TolerantListQuery[])[] {
  const isPage = ({ parameter }: TolerantListQuery) => parameter === 'page';
  const [pages, limits] = [rows.filter(isPage), rows.filter((row) => !isPage(row))];
  return Array.from({ length: Math.max(pages.length, limits.length) }, (_, at) =>
    [pages[at], limits[at]].filter((row) => row !== undefined),
  );
}

/** Whether all parameters of a request fell back, at each try; then each is observed. */
export async function fallBack(
  t: CheckContext,
  rows: readonly TolerantListQuery[],
  observe: (x: Exchange, row: TolerantListQuery) => void,
): Promise<boolean> {
  const statuses = new Set<number | undefined>();
  const both = fc
    .tuple(...rows.map(({ query }) => query))
    .map((queries) =>
      queries.reduce<Readonly<Record<string, string>>>((all, one) => ({ ...all, ...one }), {}),
    );
  await t.forAll(rows.map(({ name }) => name).join(' and '), both, async (query) => {
    const x = await t.send(list(query));
    statuses.add(responseOf(x)?.status);
    if (responseOf(x)?.status === 200) for (const row of rows) observe(x, row);
  });
  return statuses.size === 1 && statuses.has(200);
}

/** Whether a number was read in a text that has one in it; null where the answer does not show it. */
export function fateOfSpelling(
  { parameter }: TolerantListQuery,
  x: Exchange,
): 'read' | 'not-read' | 'refused' | null {
  const listing = listingOf(x);
  if (!listing) return responseOf(x)?.status === 400 ? 'refused' : null;
  const isFallback = parameter === 'page' ? listing.page === 0 : [1, 25].includes(listing.limit);
  return isFallback ? 'not-read' : 'read';
}

/** The variant of WCI-OPN-070 by what became of the texts that were tried. */
export function variantOfSpellings(fates: ReadonlySet<string>): string | null {
  if (fates.has('read')) return fates.size === 1 ? 'all' : 'some';
  if (fates.has('not-read')) return 'none';
  return fates.has('refused') ? 'refused' : null;
}

/** What a limit that is a word becomes, which is open. */
export function observeWordLimit(
  t: CheckContext,
  row: TolerantListQuery,
  listing: Listing | null,
  isRefused: boolean,
): void {
  if (row.name !== 'limit-word') return;
  if (isRefused) t.observe('WCI-OPN-040', 'refused');
  if (listing?.limit === 25) t.observe('WCI-OPN-040', 'default-25');
  if (listing?.limit === 1) t.observe('WCI-OPN-040', 'minimum-1');
}
