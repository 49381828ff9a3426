import * as fc from 'fast-check';

export const checkinStatuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;

/** Query of the list operation; everything travels as text. */
export type ListQuery = Readonly<Record<string, string>>;

const page = fc.integer({ min: 0, max: 4 }).map(String);
const limit = fc.oneof(
  fc.constantFrom('1', '2', '25', '99', '100'),
  fc.integer({ min: 1, max: 100 }).map(String),
);
const status = fc.constantFrom(...checkinStatuses);

/** Valid queries: each parameter absent or within its bounds. */
export const listQuery: fc.Arbitrary<ListQuery> = fc.record(
  { page, limit, status },
  { requiredKeys: [], noNullPrototype: true },
);

/**
 * A family of queries outside the bounds: under one reading they fall back, so that the answer shows what was applied,
 * under the other they are refused with 400 (WCI-OPN-011).
 */
export interface TolerantListQuery {
  readonly rule: string;
  readonly name: string;
  readonly query: fc.Arbitrary<ListQuery>;
  /** What pagination shows after falling back; null for a filter, which is ignored altogether. */
  readonly applied:
    | { readonly page: number }
    | { readonly page: 'any integer' }
    | { readonly limit: number }
    | { readonly limitWithin: [1, 100] }
    | null;
}

// Without 1e1, 01, +1 and 2x, which have no certain reading, and without status values in another letter case.
export const tolerantListQueries: readonly TolerantListQuery[] = [
  {
    rule: 'WCI-LST-006',
    name: 'limit-above-100',
    query: numbers('limit', 101, 10_000),
    applied: { limit: 100 },
  },
  {
    rule: 'WCI-LST-006',
    name: 'limit-of-eleven-digits',
    query: texts('limit', '99999999999'),
    applied: { limitWithin: [1, 100] },
  },
  { rule: 'WCI-LST-007', name: 'limit-zero', query: numbers('limit', 0, 0), applied: { limit: 1 } },
  { rule: 'WCI-LST-007', name: 'limit-negative', query: numbers('limit', -1000, -1), applied: { limit: 1 } },
  { rule: 'WCI-LST-009', name: 'page-negative', query: numbers('page', -1000, -1), applied: { page: 0 } },
  {
    rule: 'WCI-LST-010',
    name: 'page-word',
    query: texts('page', 'abc', 'first', 'x', '!'),
    applied: { page: 0 },
  },
  {
    rule: 'WCI-LST-032',
    name: 'page-fraction',
    query: texts('page', '0.5', '1.5'),
    applied: { page: 'any integer' },
  },
  { rule: 'WCI-LST-010', name: 'page-empty', query: texts('page', ''), applied: { page: 0 } },
  {
    rule: 'WCI-LST-011',
    name: 'limit-word',
    query: texts('limit', 'abc', 'all', 'x', '!'),
    applied: { limitWithin: [1, 100] },
  },
  {
    rule: 'WCI-LST-014',
    name: 'status-unknown',
    query: texts('status', 'BOGUS', 'PENDING', 'X'),
    applied: null,
  },
];

function numbers(parameter: string, min: number, max: number): fc.Arbitrary<ListQuery> {
  return fc.integer({ min, max }).map((value) => ({ [parameter]: String(value) }));
}

function texts(parameter: string, ...values: readonly string[]): fc.Arbitrary<ListQuery> {
  return fc.constantFrom(...values).map((value) => ({ [parameter]: value }));
}
