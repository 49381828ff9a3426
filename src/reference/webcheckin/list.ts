import type { Operation } from '../shared/call.ts';
import { invalid, notFound } from '../shared/refusal.ts';
import { refuseUnknown } from '../shared/unknownMembers.ts';
import type { WebCheckin } from './context.ts';
import { breakOn } from './breakOn.ts';
import { refuseWithout } from './entitlement.ts';
import { ownerOf } from './lookup.ts';
import type { WebCheckinPolicy } from './policy.ts';
import type { Owner } from './policyTerms.ts';
import { statuses, type Attempt } from './records.ts';
import { listItemView } from './view.ts';

interface ListQuery {
  readonly page: number;
  readonly limit: number;
  /** The limit as it was given, if it is a number. */
  readonly asked: number | null;
  readonly status: string | null;
}

/** GET /extPartner/api/webcheckin/requests */
export function listOperation(service: WebCheckin): Operation<ListQuery> {
  const { policy } = service;
  return {
    prepare: ({ query }) => {
      refuseUnknown(query.keys(), ['page', 'limit', 'status'], policy);
      for (const [name, value] of query) breakOn(name, value, policy);
      return readQuery(query, policy);
    },
    run: (caller, query) => {
      refuseWithout(caller.enterprise.entitlement, 'list', policy);
      return { status: 200, body: page(query, ownerOf(caller), service) };
    },
  };
}

function readQuery(query: URLSearchParams, policy: WebCheckinPolicy): ListQuery {
  const asked = Number.parseInt(query.get('limit') ?? '', 10);
  return {
    asked: Number.isNaN(asked) ? null : asked,
    page: readPage(spelled(query.get('page'), policy), policy),
    limit: readLimit(spelled(query.get('limit'), policy), policy),
    status: readFilter(query.get('status'), policy),
  };
}

function spelled(text: string | null, { spelledNumber }: WebCheckinPolicy): string | null {
  return text === null ? null : spelledNumber(text);
}

/** Zero-based; an invalid or negative value falls back to 0. */
function readPage(text: string | null, policy: WebCheckinPolicy): number {
  if (text === null) return policy.defaultPage;
  if (/^\d+$/.test(text)) return Number(text);
  if (policy.invalidPage === 'absolute') return Math.abs(Number.parseInt(text, 10)) || 0;
  if (policy.invalidPage === 'not-a-number') return Number(text);
  if (policy.invalidPage === 'last' && Number(text) < 0) return -1;
  if (policy.invalidPage === 'refused') throw invalid('page must be a zero-based integer.');
  return 0;
}

/** 25 by default, clamped to 1 through 100. */
function readLimit(text: string | null, policy: WebCheckinPolicy): number {
  if (text === null) return policy.defaultLimit;
  if (!/^[+-]?\d+$/.test(text)) {
    if (policy.nonNumericLimit === 'refused') throw invalid('limit must be an integer.');
    if (policy.nonNumericLimit === 'unbounded') return 1000;
    return policy.nonNumericLimit === 'one' ? 1 : policy.defaultLimit;
  }
  const limit = Number(text);
  if (policy.outOfRangeLimit === 'refused' && (limit < 1 || limit > 100))
    throw invalid('limit must lie between 1 and 100.');
  return policy.clampLimit(limit);
}

/** Unknown values are ignored. */
function readFilter(text: string | null, policy: WebCheckinPolicy): string | null {
  const status = policy.canonicalCode(text ?? '');
  if (statuses.some((one) => one === status)) return status;
  if (text !== null && policy.invalidFilter === 'refused') throw invalid('status is not a known status.');
  return policy.unknownFilter(text);
}

/** A new record may take a moment to come to the list; one that has moved on is there. */
function isThere({ madeAt, revision }: Attempt, { policy, clock }: WebCheckin): boolean {
  return revision > 0 || clock.now() - madeAt >= policy.listLagMs;
}

function page({ page, limit, asked, status }: ListQuery, reader: Owner, service: WebCheckin): unknown {
  const { policy, attempts } = service;
  const reading = { operation: 'list', by: status, multipart: false } as const;
  const everybody = attempts.listed();
  const own = everybody.filter(
    (attempt) => policy.sees(attempt, reader, reading) && isThere(attempt, service),
  );
  const matches = (attempt: Attempt) => status === null || policy.filters(attempt, status);
  const matching = own.filter(matches);
  const sorted = (policy.filtersFirst ? matching : own).sort((one, other) => policy.listOrder(one, other));
  const isLast = policy.invalidPage === 'last' && page < 0;
  const window = isLast ? ([-limit, Infinity] as const) : policy.window(page, limit);
  const shown = sorted.slice(...window).filter(matches);
  const data = shown.map((attempt) => listItemView(attempt, service));
  if (policy.beyondEnd === 'missing' && data.length === 0) throw notFound('No such page.');
  const { total, totalPages } = policy.totals(
    matching.length,
    own.length,
    limit,
    everybody.filter(matches).length,
    asked,
  );
  const pages = total === 0 ? policy.emptyPages : totalPages;
  const pagination = { page: isLast ? 0 : page, limit, total, totalPages: pages };
  return policy.listBody({ success: true, data, pagination });
}
