import type { Operation } from '../shared/call.ts';
import type { Enterprise } from '../shared/keys.ts';
import { invalid } from '../shared/refusal.ts';
import { refuseUnknown } from '../shared/unknownMembers.ts';
import type { WebCheckin } from './context.ts';
import { refuseWithout } from './entitlement.ts';
import type { WebCheckinPolicy } from './policy.ts';
import { statuses } from './records.ts';
import { listItemView } from './view.ts';

interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly status: string | null;
}

/** GET /extPartner/api/webcheckin/requests */
export function listOperation(service: WebCheckin): Operation<ListQuery> {
  const { policy } = service;
  return {
    prepare: ({ query }) => {
      refuseUnknown(query.keys(), ['page', 'limit', 'status'], policy);
      return readQuery(query, policy);
    },
    run: ({ enterprise }, query) => {
      refuseWithout(enterprise.entitlement, 'list', policy);
      return { status: 200, body: page(query, enterprise, service) };
    },
  };
}

function readQuery(query: URLSearchParams, policy: WebCheckinPolicy): ListQuery {
  const page = policy.readPage(query.get('page'));
  const limit = policy.readLimit(query.get('limit'));
  const status = policy.readFilter(query.get('status'));
  if (page === null) throw invalid('page must be a zero-based integer.');
  if (limit === null) throw invalid('limit must be an integer from 1 to 100.');
  if (status === undefined) throw invalid('status is not a known status.');
  const known = statuses.some((one) => one === status);
  return { page, limit, status: known ? status : null };
}

function page({ page, limit, status }: ListQuery, enterprise: Enterprise, service: WebCheckin): unknown {
  const { policy, attempts } = service;
  const own = [...attempts.all()].filter((attempt) => policy.sees(attempt, enterprise, 'list'));
  const matching = status === null ? own : own.filter((attempt) => policy.filters(attempt, status));
  const sorted = matching.sort((one, other) => policy.listOrder(one, other));
  const data = sorted.slice(...policy.window(page, limit)).map((attempt) => listItemView(attempt, service));
  const { total, totalPages } = policy.totals(matching.length, own.length, limit);
  return {
    success: true,
    data,
    pagination: { page, limit, total, totalPages: total === 0 ? policy.emptyPages : totalPages },
  };
}
