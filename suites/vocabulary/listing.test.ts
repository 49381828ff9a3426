import { describe, expect, test } from 'vitest';
import { isFilled, isListing, listingOf, orderOf, partition, sameItems, type Listing } from './listing.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';

function page(ids: readonly string[], numbers: Partial<Omit<Listing, 'items'>> = {}): Listing {
  const items = ids.map((checkin_id) => ({ checkin_id }));
  return { items, page: 0, limit: 2, total: 5, totalPages: 3, ...numbers };
}

describe('a list answer', () => {
  const pagination = { page: 0, limit: 25, total: 0, totalPages: 0 };

  test('is taken apart whatever else stands in it', () => {
    const x = exchange({ operation: 'wci.list', body: { success: true, data: [], pagination, links: {} } });
    expect(isListing(x).status).toBe('holds');
    expect(listingOf(x)).toMatchObject({ items: [], limit: 25 });
  });

  test('is none with data as an object', () => {
    const x = exchange({ operation: 'wci.list', body: { success: true, data: {}, pagination } });
    expect(isListing(x).status).toBe('violated');
    expect(listingOf(x)).toBeNull();
  });

  test('has a 0 where a number is left out, which another rule judges', () => {
    const body = { success: true, data: [], pagination: { limit: 25 } };
    expect(listingOf(exchange({ operation: 'wci.list', body }))).toMatchObject(pagination);
  });

  test.each([
    ['0', 0],
    ['many', undefined],
    [null, undefined],
  ])('with a total of %j, whose type another rule judges, has %s', (total, read) => {
    const body = { success: true, data: [], pagination: { ...pagination, total } };
    expect(listingOf(exchange({ operation: 'wci.list', body }))?.total).toBe(read);
  });
});

describe('pages', () => {
  test.each([
    ['the whole of it', [page(['a', 'b']), page(['c', 'd']), page(['e'])], 5],
    ['the whole and an empty page', [page(['a', 'b']), page(['c', 'd']), page([])], 4],
    ['the first pages of many', [page(['a', 'b']), page(['c', 'd']), page(['e', 'f'])], 99],
  ])('are a partition as %s', (_, pages, total) => {
    expect(partition(pages, total, 2).status).toBe('holds');
  });

  test.each([
    ['overlap', [page(['a', 'b']), page(['b', 'c']), page(['d'])], 4],
    ['leave one out', [page(['a', 'b']), page(['d']), page([])], 4],
    ['are all the first one', [page(['a', 'b']), page(['a', 'b']), page(['a', 'b'])], 5],
  ])('are none where they %s', (_, pages, total) => {
    expect(partition(pages, total, 2).status).toBe('violated');
  });

  test('show a total that is too small', () => {
    const pages = [page(['a', 'b']), page(['c', 'd']), page(['e'])];
    expect(partition(pages, 2, 2)).toMatchObject({ at: 'pagination.total', got: { value: 2 } });
  });

  test('are filled up to their limit or the end', () => {
    expect(isFilled(page(['a', 'b'])).status).toBe('holds');
    expect(isFilled(page(['e'], { page: 2 })).status).toBe('holds');
    expect(isFilled(page([], { page: 9 })).status).toBe('holds');
    expect(isFilled(page(['a'])).status).toBe('violated');
    expect(isFilled(page(['a', 'b', 'c'])).status).toBe('violated');
  });

  test('are the same with the same items in the same order', () => {
    expect(sameItems(page(['a', 'b']), page(['a', 'b'])).status).toBe('holds');
    expect(sameItems(page(['b', 'a']), page(['a', 'b'])).status).toBe('violated');
  });
});

describe('the order of a list', () => {
  const item = (checkin_id: string, second: number, departure: string) => ({
    checkin_id,
    created_at: `2026-03-01T12:00:0${second}.000Z`,
    departure_date: departure,
  });
  const [one, two, three] = [
    item('a', 1, '2026-04-02'),
    item('b', 2, '2026-04-01'),
    item('c', 3, '2026-04-05'),
  ];
  const known = ['a', 'b', 'c'];

  test.each([
    ['newest-first', [three, two, one]],
    ['oldest-first', [one, two, three]],
    ['by-departure', [two, one, three]],
    ['other', [two, three, one]],
  ])('is %s', (order, items) => {
    expect(orderOf(items, known)).toBe(order);
  });

  test('is not told where the clocks of several machines may be what puts times out of order', () => {
    const ahead = item('a', 9, '2026-04-02');
    expect(orderOf([ahead, three, two], known)).toBeNull();
    expect(orderOf([two, three, ahead], known)).toBeNull();
  });

  test('is not told where the zones of the airports may be what puts clocks out of order', () => {
    const near = [
      item('b', 2, '2026-04-01T08:00'),
      item('c', 3, '2026-04-02T09:00'),
      item('a', 1, '2026-04-02T07:30'),
    ];
    expect(orderOf(near, known)).toBeNull();
  });

  test('is not told where two orders fit, or too few records are known', () => {
    const alike = [item('a', 1, '2026-04-01'), item('b', 2, '2026-04-01'), item('c', 3, '2026-04-01')];
    expect(orderOf(alike, known)).toBeNull();
    expect(orderOf([one, two, three], ['a', 'b'])).toBeNull();
  });
});
