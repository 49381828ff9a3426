import {
  type CheckContext,
  type Exchange,
  type Judgement,
  answered,
  holds,
  list,
  listingOf,
  ok,
  responseOf,
  differs,
  is,
} from '../checks.ts';

/** Pages that an integer of 32 and of 64 bits holds, and whose offset it does not; and one that neither holds. */
export const farPages = [String(2 ** 31 - 1), String(2n ** 62n + 1n), String(10n ** 20n)];

/** With a limit out of bounds on one of them, which the oracles judge; what breaks by it is no matter of the page. */
export async function farPage(t: CheckContext, page: string): Promise<Exchange> {
  const clamped = page === farPages[0] ? await t.send(list({ page, limit: '2088' })) : null;
  const status = clamped && responseOf(clamped)?.status;
  return clamped && (status === 200 || status === 400) ? clamped : t.send(list({ page, limit: '100' }));
}

/** No items, or what is done with an invalid page: page 0 or 400. Never an internal error, or the items of another page. */
export function judgeFarPage(far: Exchange): Judgement {
  if (responseOf(far)?.status === 400) return holds;
  const { items, page } = listingOf(far) ?? { items: [], page: 0 };
  if (items.length === 0 || page === 0) return answered(far, ok);
  const want = is.number(0, 'items', 'or those of page 0');
  return differs('far-page', 'data', want, is.number(items.length, 'items', `on page ${page}`));
}
