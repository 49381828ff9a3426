import { describe, expect, it, test } from 'vitest';
import type { CheckContext, Exchange } from '../checks.ts';
import { findListed, pagesFromTheEnd, showsAllSince } from './listing.ts';

describe('pagesFromTheEnd', () => {
  it.each([
    [0, []],
    [1, []],
    [2, [1]],
    [4, [3, 2, 1]],
    [50, [49, 48, 47, 46, 45]],
    [2_000_000_000, [1_999_999_999, 1_999_999_998, 1_999_999_997, 1_999_999_996, 1_999_999_995]],
  ])('of %i pages', (totalPages, pages) => {
    expect(pagesFromTheEnd(totalPages)).toEqual(pages);
  });

  it.each([-3, 2.5, 1e300, Number.POSITIVE_INFINITY, Number.NaN])(
    'of %d pages, which no list has, are none',
    (totalPages) => {
      expect(pagesFromTheEnd(totalPages)).toEqual([]);
    },
  );
});

test.each<[what: string, pages: Record<number, number[]>, since: number, isSeen: boolean]>([
  ['newest last, and the last page begins before', { 0: [1, 2], 8: [80, 95], 9: [96, 99] }, 90, true],
  ['newest last, and more may have come since', { 0: [1, 2], 8: [91, 95], 9: [96, 99] }, 90, false],
  ['newest first, and the first page ends before', { 0: [99, 80], 8: [4, 3], 9: [2, 1] }, 90, true],
  ['newest first, and its second page is not seen', { 0: [99, 95], 9: [2, 1] }, 90, false],
  ['newest first, down to its second page', { 0: [99, 95], 1: [92, 80], 9: [2, 1] }, 90, true],
  ['in no order', { 0: [50, 2], 8: [80, 3], 9: [1, 99] }, 90, false],
  ['all of one time', { 0: [5, 5], 9: [5, 5] }, 90, false],
  ['one page only', { 0: [99, 1] }, 90, false],
])('a long list %s', (_, pages, since, isSeen) => {
  const seen = Object.entries(pages).map(([number, times]) => {
    const items = times.map((at) => ({ created_at: new Date(at).toISOString() }));
    return [Number(number), { items }] as const;
  });
  expect(showsAllSince(since, new Map(seen))).toBe(isSeen);
});

/** A list that shows the same pagination on every page, and nothing in it. */
function emptyPages(totalPages: string) {
  const pages: unknown[] = [];
  const claims: unknown[] = [];
  const t = {
    assume: () => undefined,
    claim: (claimed: unknown) => claims.push(claimed),
    send: ({ query }: { readonly query: unknown }) => {
      pages.push(query);
      const text = `{ "data": [], "pagination": { "page": 0, "limit": 100, "total": 0, "totalPages": ${totalPages} } }`;
      const response = { status: 200, headers: [], body: Buffer.from(text), truncated: false };
      const exchange = {
        id: `x${pages.length}`,
        operation: 'wci.list',
        outcome: { kind: 'response', response },
      };
      return Promise.resolve(exchange as unknown as Exchange);
    },
  } as unknown as CheckContext;
  return { t, pages, claims };
}

describe('findListed', () => {
  it.each([
    ['3', 3, true],
    ['6', 6, true],
    ['7', 6, false],
    ['2e9', 6, false],
    ['1e999', 1, false],
    ['1.5', 1, false],
  ])(
    'with totalPages %s looks at %i pages, and sees the whole list: %s',
    async (totalPages, looks, whole) => {
      const { t, pages, claims } = emptyPages(totalPages);
      const found = await findListed(t, () => true);
      expect([pages.length, found.whole, found.item]).toEqual([looks, whole, null]);
      const walked = pages.slice(1).map((_, index) => [`x${index + 1}`, `x${index + 2}`]);
      expect(claims).toEqual(walked.map(([after, exchange]) => ({ claim: 'next-page', exchange, after })));
    },
  );
});
