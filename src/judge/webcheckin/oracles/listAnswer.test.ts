import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../kernel/body.ts';
import { item, listBody, without } from '../../../../test/support/judge/bodies.ts';
import { exchange, judgeLast } from '../../../../test/support/judge/exchanges.ts';

const list = (body: unknown, query?: string) =>
  judgeLast(exchange({ operation: 'wci.list', body, ...(query === undefined ? {} : { query }) }));
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => item({ checkin_id: `chk-${index}` }));

describe('conforming lists', () => {
  const cases: readonly [string, JsonObject, string?][] = [
    ['one item', listBody([item()])],
    ['none, with no page', listBody([], { totalPages: 0 })],
    ['none, with one page', listBody([], { totalPages: 1 })],
    ['a first page of many', listBody(items(25), { total: 26, totalPages: 2 })],
    ['a page that others shortened meanwhile', listBody(items(3), { total: 30, totalPages: 2 })],
    ['the end', listBody(items(1), { page: 2, limit: 2, total: 5, totalPages: 3 }), 'page=2&limit=2'],
    ['beyond the end', listBody([], { page: 9999, total: 3, totalPages: 1 }), 'page=9999'],
    [
      'beyond the end with another page number',
      listBody([], { page: 0, total: 3, totalPages: 1 }),
      'page=9999',
    ],
    ['a page beyond exact numbers', listBody([], { page: 2 ** 62, total: 3 }), `page=${2n ** 62n}`],
    [
      'a limit above the highest',
      listBody(items(100), { limit: 100, total: 250, totalPages: 3 }),
      'limit=500',
    ],
    ['a limit below the lowest', listBody(items(1), { limit: 1, total: 2, totalPages: 2 }), 'limit=-3'],
    ['a limit that is no number, as the default', listBody(items(2)), 'limit=abc'],
    [
      'a limit that is no number, as the lowest',
      listBody(items(1), { limit: 1, total: 2, totalPages: 2 }),
      'limit=',
    ],
    ['a limit with a fraction', listBody(items(2), { limit: 2 }), 'limit=2.7'],
    ['a page with a fraction', listBody([], { page: 1, total: 1 }), 'page=1.5'],
    ['a page as a text', listBody(items(1)), 'page=zwei'],
    ['a filter', listBody(items(2)), 'status=SCHEDULED'],
    ['an ignored filter', listBody(items(2)), 'status=BOGUS'],
    ['a repeated filter', listBody(items(2)), 'status=FAILED&status=SCHEDULED'],
    ['a repeated limit', listBody(items(2), { limit: 3 }), 'limit=1&limit=3'],
    [
      'the other departure name',
      listBody([{ ...without(item(), 'departure_datetime'), departure_date: '2026-03-20' }]),
    ],
    ['both departure names', listBody([item({ departure_date: '2026-03-20T08:00:00Z' })])],
    [
      'both names in some items',
      listBody([item({ checkin_id: 'a' }), item({ checkin_id: 'b', departure_date: '2026-03-20' })], {
        total: 2,
      }),
    ],
    [
      'a booking without pnr',
      listBody([item({ pnr: null, sub_status: 'MISSING_INFO', missing_info: ['pnr'] })]),
    ],
    ['the default page without boarding passes', listBody([without(item(), 'boarding_passes')])],
    ['further members', { ...listBody([item({ airport: 'x' })], { hasNext: false }), meta: {} }],
  ];

  test.each(cases)('%s', (_, body, query) => {
    expect(list(body, query).violated).toEqual([]);
  });
});

describe('violating lists', () => {
  const broken = (pagination: JsonObject, count = 1) => listBody(items(count), pagination);
  const cases: readonly [string, unknown, string | undefined, readonly string[]][] = [
    ['no data', { success: true, pagination: listBody([]).pagination }, undefined, ['WCI-LST-001']],
    ['data as an object', { ...listBody([]), data: {} }, undefined, ['WCI-LST-001']],
    ['an item that is no object', { ...listBody([]), data: ['chk-1'] }, undefined, ['WCI-LST-001']],
    ['no pagination', { success: true, data: [] }, undefined, ['WCI-LST-001']],
    [
      'pagination under another name',
      { success: true, data: [], meta: { page: 0 } },
      undefined,
      ['WCI-LST-001'],
    ],
    ['texts for numbers', broken({ page: '0', limit: '25' }), 'page=0&limit=25', ['WCI-LST-016']],
    ['total as a text', broken({ total: '1' }), undefined, ['WCI-LST-016']],
    ['a fraction of pages', broken({ total: 26, totalPages: 1.04 }), undefined, ['WCI-LST-016']],
    ['no totalPages', broken({ totalPages: undefined }), undefined, ['WCI-LST-016']],
    ['a negative total', broken({ total: -1, totalPages: 0 }), undefined, ['WCI-LST-016']],
    ['pages rounded down', broken({ total: 26, totalPages: 1 }), undefined, ['WCI-LST-015']],
    ['one page too many', broken({ total: 25, totalPages: 2 }), undefined, ['WCI-LST-015']],
    ['no page for one item', broken({ total: 1, totalPages: 0 }), undefined, ['WCI-LST-015']],
    ['pages of 500', broken({ limit: 100, total: 101, totalPages: 1 }), 'limit=500', ['WCI-LST-015']],
    ['two pages of nothing', listBody([], { totalPages: 2 }), undefined, ['WCI-LST-015']],
    ['pages counted from 1', broken({ page: 1 }), undefined, ['WCI-LST-002']],
    ['another default limit', broken({ limit: 20 }), undefined, ['WCI-LST-003']],
    ['more items than the default', broken({ total: 30, totalPages: 2 }, 30), undefined, ['WCI-LST-003']],
    ['101 items', broken({ limit: 101, total: 101 }, 101), 'limit=101', ['WCI-LST-006']],
    ['limit 25 for 101', broken({}), 'limit=101', ['WCI-LST-006']],
    ['limit 25 for 0', broken({}), 'limit=0', ['WCI-LST-007']],
    ['a negative limit as it is', broken({ limit: 5 }), 'limit=-5', ['WCI-LST-007']],
    ['another limit than given', broken({}), 'limit=10', ['WCI-LST-008']],
    ['limit 99 clamped', broken({ limit: 50 }), 'limit=99', ['WCI-LST-008']],
    [
      'more items than asked for',
      broken({ limit: 2, total: 3, totalPages: 2 }, 3),
      'limit=2',
      ['WCI-LST-008'],
    ],
    ['a negative page as it is', broken({ page: 1 }), 'page=-1', ['WCI-LST-009']],
    ['a page for a text', broken({ page: 3 }), 'page=abc', ['WCI-LST-010']],
    ['limit 500 for a text', broken({ limit: 500 }), 'limit=abc', ['WCI-LST-011']],
    [
      'an item of another status',
      listBody([item(), item({ checkin_id: 'b', status: 'FAILED', sub_status: 'X' })], { total: 2 }),
      'status=SCHEDULED',
      ['WCI-LST-012'],
    ],
    [
      'the page before the one that was asked for',
      listBody([item()], { page: 1, limit: 1, total: 3, totalPages: 3 }),
      'page=2&limit=1',
      ['WCI-LST-028'],
    ],
    ['the first page for one beyond the end', broken({ total: 1, page: 0 }), 'page=9', ['WCI-LST-017']],
    ['a record twice', listBody([item(), item()], { total: 2 }), undefined, ['WCI-LST-005']],
    ['no departure', listBody([without(item(), 'departure_datetime')]), undefined, ['WCI-LST-019']],
    ['a null departure', listBody([item({ departure_datetime: null })]), undefined, ['WCI-LST-019']],
    [
      'a departure under a third name',
      listBody([{ ...without(item(), 'departure_datetime'), departure: 'x' }]),
      undefined,
      ['WCI-LST-019'],
    ],
    [
      'two names in one list',
      listBody(
        [
          item({ checkin_id: 'a' }),
          { ...without(item({ checkin_id: 'b' }), 'departure_datetime'), departure_date: '2026-03-20' },
        ],
        { total: 2 },
      ),
      undefined,
      ['WCI-LST-019'],
    ],
  ];

  test.each(cases)('%s', (_, body, query, violated) => {
    expect(list(body, query).violated).toEqual(violated);
  });

  test.each(Object.keys(without(without(item(), 'departure_datetime'), 'boarding_passes')))(
    'an item without %s',
    (member) => {
      expect(
        list(listBody([item({ checkin_id: 'chk-0' }), without(item(), member)], { total: 2 })).violated,
      ).toEqual(['WCI-LST-018']);
    },
  );

  test.each(['origin', 'destination', 'airline', 'flight_number', 'sub_status'])(
    'an item whose %s is null',
    (member) => {
      expect(list(listBody([item({ [member]: null })])).violated).toEqual(['WCI-LST-018']);
    },
  );
});
