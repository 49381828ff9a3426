import { describe, expect, test } from 'vitest';
import { listingOf, orderOf } from './listing.ts';
import { exchange } from '../../test/support/judge/exchanges.ts';

describe('a list answer', () => {
  const pagination = { page: 0, limit: 25, total: 0, totalPages: 0 };

  test('is taken apart whatever else stands in it', () => {
    const x = exchange({ operation: 'wci.list', body: { success: true, data: [], pagination, links: {} } });
    expect(listingOf(x)).toMatchObject({ items: [], limit: 25 });
  });

  test('is none with data as an object', () => {
    const x = exchange({ operation: 'wci.list', body: { success: true, data: {}, pagination } });
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
