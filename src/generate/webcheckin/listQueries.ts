import * as fc from 'fast-check';
import { boundForms, checkinStatuses, type BoundForm } from '../../spec/grammar/listQuery.ts';
import { textAt } from '../../spec/kit/json.ts';

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
export interface TolerantListQuery extends Pick<BoundForm, 'name' | 'isSpelled'> {
  readonly rule: string;
  readonly parameter: 'page' | 'limit';
  readonly query: fc.Arbitrary<ListQuery>;
  /** What pagination shows after falling back, from a lowest to a highest value. */
  readonly applied: NonNullable<BoundForm['applied']>;
}

export const tolerantListQueries: readonly TolerantListQuery[] = (['limit', 'page'] as const).flatMap(
  (parameter) =>
    boundForms[parameter].flatMap(({ kind, rule, name, make, applied, ...form }) => {
      const query = make(fc).map((change) => ({ [parameter]: textAt(change({}), parameter) }));
      return kind === 'open' && rule !== null && applied
        ? [{ rule, name, parameter, query, applied, ...(form.isSpelled && { isSpelled: form.isSpelled }) }]
        : [];
    }),
);

export { farPages } from '../../spec/grammar/listQuery.ts';

/** Statuses that are none; a lenient reader takes all but the first for COMPLETED, or for several. */
export const unknownStatuses = ['BOGUS', 'COMPL', 'DONE', 'COMPLETED.', 'COMPLETED,FAILED'];
