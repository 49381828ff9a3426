import { notFound } from '../shared/refusal.ts';
import { statuses } from '../webcheckin/records.ts';
import { defectsOf, type Defect } from './row.ts';

const { sometimes } = defectsOf('webcheckin');

type Item = Record<string, unknown>;
const clamped = (limit: number) => Math.min(100, Math.max(1, limit));
const pagination = (body: Record<string, unknown>) => body.pagination as Record<string, unknown>;

/** Mistakes in the pages, totals and filters of the list. */
export const checkinListDefects: readonly Defect[] = [
  sometimes('filter-by-beginning', 'The beginning of a status filters by it.', 'WCI-LST-014', {
    unknownFilter: (text) => statuses.find((one) => text && one.startsWith(text)) ?? null,
  }),
  sometimes('filter-by-synonym', 'DONE filters by COMPLETED, and PENDING by SCHEDULED.', 'WCI-LST-014', {
    unknownFilter: (text) => ({ DONE: 'COMPLETED', PENDING: 'SCHEDULED' })[text ?? ''] ?? null,
  }),
  sometimes('filter-by-the-first-of-several', 'Of statuses with commas the first filters.', 'WCI-LST-014', {
    unknownFilter: (text) => statuses.find((one) => text?.startsWith(`${one},`)) ?? null,
  }),
  sometimes('filter-by-letters', 'What is no letter of a status is skipped.', 'WCI-LST-014', {
    unknownFilter: (text) => statuses.find((one) => one === text?.replace(/[^A-Z_]/g, '')) ?? null,
  }),
  sometimes(
    'page-offset-overflow-500',
    'A page whose offset overflows is an internal error.',
    'WCI-LST-017',
    {
      breaksOn: (field, value) => field === 'page' && Number(value) > Number.MAX_SAFE_INTEGER,
    },
  ),
  sometimes('page-beyond-64-bits-500', 'A page of 65 bits is an internal error.', 'WCI-LST-017', {
    breaksOn: (field, value) => field === 'page' && Number(value) > 2 ** 64,
  }),
  sometimes('page-fraction-500', 'A page with a fraction is an internal error.', 'WCI-LST-032', {
    breaksOn: (field, value) => field === 'page' && /\d\.\d/.test(String(value)),
  }),
  sometimes('page-offset-wraps', 'A page whose offset overflows shows the first items.', 'WCI-LST-017', {
    window: (page, limit) => (page * limit > 2 ** 31 ? [0, limit] : [page * limit, (page + 1) * limit]),
  }),
  sometimes(
    'page-right-behind-missing',
    'The page right behind the last one is not found; pages further on are empty.',
    'WCI-LST-017 also SHR-ERR-017',
    {
      listBody: (body) => {
        const { page, limit, total } = pagination(body) as Record<string, number>;
        if (Number(page) > 0 && Number(page) === Math.floor(Number(total) / Number(limit)) + 1)
          throw notFound('No such page.');
        return body;
      },
    },
  ),
  sometimes('limit-negative-500', 'A negative limit is an internal error.', 'WCI-LST-007', {
    breaksOn: (field, value) => field === 'limit' && Number(value) < 0,
  }),
  sometimes('limit-too-large-500', 'A limit of eleven digits is an internal error.', 'WCI-LST-006', {
    breaksOn: (field, value) => field === 'limit' && Number(value) > 2 ** 31,
  }),
  sometimes('limit-negative-absolute', 'A limit of -1 becomes 100.', 'WCI-LST-007', {
    clampLimit: (limit) => (limit < 0 ? 100 : clamped(limit)),
  }),
  sometimes(
    'limit-ignored-on-page',
    'From the second page the default limit applies.',
    'WCI-LST-005 also WCI-LST-008 WCI-LST-017 WCI-LST-028',
    {
      window: (page, limit) => (page === 0 ? [0, limit] : [page * 25, (page + 1) * 25]),
    },
  ),
  sometimes('list-negative-page-last', 'A negative page holds the items of the last one.', 'WCI-LST-009', {
    invalidPage: 'last',
  }),
  sometimes(
    'limit-echoed',
    'pagination tells the limit as it would be without clamping.',
    'WCI-LST-006 WCI-LST-008',
    {
      listBody: (body) => ({
        ...body,
        pagination: {
          ...pagination(body),
          limit: pagination(body).limit === 100 ? 101 : pagination(body).limit,
        },
      }),
    },
  ),
  sometimes(
    'page-told-from-one',
    'pagination tells the page counted from 1.',
    'WCI-LST-002 also WCI-LST-009 WCI-LST-010 WCI-LST-013 WCI-LST-028',
    {
      listBody: (body) => ({
        ...body,
        pagination: { ...pagination(body), page: Number(pagination(body).page) + 1 },
      }),
    },
  ),
  sometimes(
    'total-of-the-page',
    'total counts the items of the page.',
    'WCI-LST-005 also WCI-LST-013 WCI-LST-015 WCI-LST-017 WCI-LST-021 WCI-LST-028',
    {
      listBody: (body) => ({
        ...body,
        pagination: { ...pagination(body), total: (body.data as readonly Item[]).length },
      }),
    },
  ),
  sometimes(
    'zeros-left-out',
    'pagination leaves out what is 0, as serializers do.',
    'WCI-LST-016 also WCI-LST-025',
    {
      listBody: (body) => ({
        ...body,
        pagination: Object.fromEntries(Object.entries(pagination(body)).filter(([, value]) => value !== 0)),
      }),
    },
  ),
  sometimes(
    'total-pages-of-unclamped-limit',
    'Above 100, totalPages is derived from the limit as given.',
    'WCI-LST-015',
    {
      totals: (matching, _all, limit, _everybody, asked) => ({
        total: matching,
        totalPages: Math.ceil(matching / Math.max(limit, asked ?? 0)),
      }),
    },
  ),
  sometimes('total-pages-at-least-one-more', 'totalPages counts pages of 25.', 'WCI-LST-015', {
    totals: (matching) => ({ total: matching, totalPages: Math.ceil(matching / 25) }),
  }),
  sometimes(
    'filter-in-progress-empty',
    'The filter IN_PROGRESS finds nothing.',
    'WCI-LST-012 also WCI-LST-013',
    {
      filters: ({ progress }, status) => status !== 'IN_PROGRESS' && progress.status === status,
    },
  ),
  sometimes('filter-completed-empty', 'The filter COMPLETED finds nothing.', 'WCI-LST-012 also WCI-LST-013', {
    filters: ({ progress }, status) => status !== 'COMPLETED' && progress.status === status,
  }),
  sometimes('filter-failed-empty', 'The filter FAILED finds nothing.', 'WCI-LST-012 also WCI-LST-013', {
    filters: ({ progress }, status) => status !== 'FAILED' && progress.status === status,
  }),
  sometimes('filter-completed-ignored', 'The filter COMPLETED is ignored.', 'WCI-LST-012', {
    filters: ({ progress }, status) => status === 'COMPLETED' || progress.status === status,
  }),
  sometimes('list-without-connections', 'Requests of several legs are not listed.', 'WCI-LST-021', {
    sees: (attempt, { enterprise }, { operation }) =>
      attempt.enterprise === enterprise && (operation !== 'list' || attempt.legs.length === 1),
  }),
  sometimes(
    'list-without-failed',
    'A list without a filter leaves failed requests out.',
    'WCI-STS-013 also WCI-LST-013',
    {
      sees: (attempt, { enterprise }, { operation, by }) =>
        attempt.enterprise === enterprise &&
        !(operation === 'list' && by === null && attempt.progress.status === 'FAILED'),
    },
  ),
  sometimes('list-without-nameless', 'Requests without a pnr are not listed.', 'WCI-LST-021', {
    sees: (attempt, { enterprise }, { operation }) =>
      attempt.enterprise === enterprise && (operation !== 'list' || attempt.pnr !== null),
  }),
  sometimes(
    'total-of-what-is-left',
    'total counts the items from the page on.',
    'WCI-LST-029 also WCI-LST-015 WCI-LST-017 WCI-LST-028',
    {
      listBody: (body) => {
        const { page, limit, total } = pagination(body);
        const left = Number(total) - Number(page) * Number(limit);
        return { ...body, pagination: { ...pagination(body), total: Math.max(0, left) } };
      },
    },
  ),
];
