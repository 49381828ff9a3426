import type { RecordedRequest } from '../../../core/evidence.ts';
import { queryOf } from '../../kernel/request.ts';

/** The meaning of a query parameter of the list, if the documents leave no doubt about it. */
export type GivenParameter<T> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: T }
  /** An integer outside the range of the parameter. */
  | { readonly kind: 'outside'; readonly value: number }
  /** An integer of so many digits that 32 bits may not hold it. */
  | { readonly kind: 'huge' }
  /** Not a number at all. */
  | { readonly kind: 'not-a-number' }
  /** Repeated, or written in a way that can be read differently. */
  | { readonly kind: 'uncertain' };

interface ListQuery {
  readonly page: GivenParameter<number>;
  readonly limit: GivenParameter<number>;
  readonly status: GivenParameter<string>;
  /** True where there are no other parameters. */
  readonly knownOnly: boolean;
}

export const checkinStatuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;

/** Reads the three parameters of a list request. */
export function parseListQuery(request: RecordedRequest): ListQuery {
  const query = queryOf(request);
  return {
    page: integer(query.getAll('page'), 0, Number.MAX_SAFE_INTEGER),
    limit: integer(query.getAll('limit'), 1, 100),
    status: statusFilter(query.getAll('status')),
    knownOnly: [...query.keys()].every((name) => name === 'page' || name === 'limit' || name === 'status'),
  };
}

/** A list request in which nothing can be called invalid, so that 400 is wrong. */
export function isPlainListRequest(request: RecordedRequest): boolean {
  const { page, limit, status, knownOnly } = parseListQuery(request);
  return knownOnly && request.body === null && [page, limit, status].every(isPlain);
}

function isPlain({ kind }: GivenParameter<unknown>): boolean {
  return kind === 'absent' || kind === 'value';
}

const uncertain = { kind: 'uncertain' } as const;

function integer(values: readonly string[], lowest: number, highest: number): GivenParameter<number> {
  const [text, another] = values;
  if (text === undefined) return { kind: 'absent' };
  if (another !== undefined) return uncertain;
  if (/^(?:0|-?[1-9]\d{0,8})$/.test(text)) {
    const value = Number(text);
    return { kind: value >= lowest && value <= highest ? 'value' : 'outside', value };
  }
  if (/^[1-9]\d{9,}$/.test(text)) return { kind: 'huge' };
  return /^(?!infinity$|nan$)[a-z]*$/i.test(text) ? { kind: 'not-a-number' } : uncertain;
}

function statusFilter(values: readonly string[]): GivenParameter<string> {
  const [text, another] = values;
  if (text === undefined) return { kind: 'absent' };
  const isKnown = another === undefined && (checkinStatuses as readonly string[]).includes(text);
  return isKnown ? { kind: 'value', value: text } : uncertain;
}
