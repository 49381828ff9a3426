import { documentedWebCheckinPolicy } from '../webcheckin/documented.ts';
import { notFound } from '../shared/refusal.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

type Item = Record<string, unknown>;
const clamped = (limit: number) => Math.min(100, Math.max(1, limit));
const pagination = (body: Record<string, unknown>) => body.pagination as Record<string, unknown>;

/** Mistakes that show in one of status, list and subscribe, or in some states, pages and values only. */
export const checkinListDefects: readonly Defect[] = [
  // Pages
  sometimes(
    'page-offset-overflow-500',
    'A page whose offset overflows is an internal error.',
    'WCI-LST-017',
    {
      breaksOn: (field, value) => field === 'page' && Number(value) > Number.MAX_SAFE_INTEGER,
    },
  ),
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
    'WCI-LST-005 also WCI-LST-017 WCI-LST-028',
    {
      window: (page, limit) => (page === 0 ? [0, limit] : [page * 25, (page + 1) * 25]),
    },
  ),
  sometimes(
    'limit-echoed',
    'pagination tells the limit as it would be without clamping.',
    'WCI-LST-006 also WCI-LST-008',
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
    'WCI-LST-005 also WCI-LST-013 WCI-LST-015 WCI-LST-017 WCI-LST-028',
    {
      listBody: (body) => ({
        ...body,
        pagination: { ...pagination(body), total: (body.data as readonly Item[]).length },
      }),
    },
  ),
  sometimes('total-pages-at-least-one-more', 'totalPages counts pages of 25.', 'WCI-LST-015', {
    totals: (matching) => ({ total: matching, totalPages: Math.ceil(matching / 25) }),
  }),

  // Filters
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

  // Items
  sometimes(
    'item-booking-id-text',
    'booking_id of a list item is a string.',
    'WCI-STS-017 also WCI-STS-008',
    {
      listItem: (item) => ({ ...item, booking_id: String(item.booking_id) }),
    },
  ),
  sometimes(
    'item-missing-null',
    'missing_info of a complete list item is null.',
    'WCI-STS-016 also WCI-STS-008',
    {
      listItem: (item) => ({
        ...item,
        missing_info: (item.missing_info as readonly unknown[]).length === 0 ? null : item.missing_info,
      }),
    },
  ),
  sometimes(
    'item-missing-count',
    'missing_info of a list item is a number.',
    'WCI-STS-016 also WCI-STS-008',
    {
      listItem: (item) => ({ ...item, missing_info: (item.missing_info as readonly unknown[]).length }),
    },
  ),
  sometimes('item-message-null', 'checkin_message of a list item is null.', 'WCI-STS-014', {
    listItem: (item) => ({ ...item, checkin_message: null }),
  }),
  sometimes(
    'item-status-lower-case',
    'status of a list item is in lower case.',
    'WCI-SUB-022 also WCI-LST-012 WCI-STS-008 WCI-STS-011 WCI-STS-013',
    {
      listItem: (item) => ({ ...item, status: String(item.status).toLowerCase() }),
    },
  ),
  sometimes(
    'item-completed-as-in-progress',
    'List items of completed records show IN_PROGRESS.',
    'WCI-STS-011 also WCI-LST-012 WCI-STS-012',
    {
      listItem: (item) => ({ ...item, status: item.status === 'COMPLETED' ? 'IN_PROGRESS' : item.status }),
    },
  ),
  sometimes(
    'item-failed-as-scheduled',
    'List items of failed records show SCHEDULED.',
    'WCI-STS-013 also WCI-LST-012 WCI-RDY-019',
    {
      listItem: (item) => ({ ...item, status: item.status === 'FAILED' ? 'SCHEDULED' : item.status }),
    },
  ),
  sometimes(
    'item-passes-over-http',
    'Boarding passes of list items are plain http addresses.',
    'WCI-SUB-062 also WCI-STS-011',
    {
      listItem: (item) => ({
        ...item,
        boarding_passes: (item.boarding_passes as readonly string[]).map((pass) =>
          pass.replace('https:', 'http:'),
        ),
      }),
    },
  ),
  sometimes(
    'item-without-passes',
    'List items do not contain boarding passes.',
    'WCI-STS-011 also WCI-STS-015',
    {
      listItem: (item) => ({ ...item, boarding_passes: [] }),
    },
  ),
  sometimes('item-scheduled-after-departure', 'scheduled_time of an item is a day late.', 'WCI-LST-026', {
    listItem: (item) => ({
      ...item,
      scheduled_time:
        typeof item.scheduled_time === 'string'
          ? new Date(Date.parse(item.scheduled_time) + 3 * 86_400_000).toISOString()
          : null,
    }),
  }),
  sometimes(
    'item-scheduled-zero',
    'An item without scheduled_time shows the zero of a clock.',
    'WCI-LST-030',
    {
      listItem: (item) => ({ ...item, scheduled_time: item.scheduled_time ?? '0001-01-01T00:00:00.000Z' }),
    },
  ),
  sometimes('item-timestamps-in-seconds', 'created_at of a list item has no milliseconds.', 'WCI-DT-026', {
    listItem: (item) => ({ ...item, created_at: String(item.created_at).replace(/\.\d+Z/, 'Z') }),
  }),
  sometimes(
    'item-pnr-lower-case',
    'A list item gives the pnr in small letters.',
    'WCI-LST-020 also WCI-MP-013 WCI-UPD-005 WCI-UPD-014',
    {
      listItem: (item) => ({
        ...item,
        pnr: typeof item.pnr === 'string' ? item.pnr.toLowerCase() : item.pnr,
      }),
    },
  ),
  sometimes(
    'item-flight-number-number',
    'A list item gives the flight number as a number.',
    'WCI-LST-018 also WCI-LST-020',
    {
      listItem: (item) => ({ ...item, flight_number: Number.parseInt(String(item.flight_number), 10) }),
    },
  ),
  sometimes(
    'item-airline-joined',
    'A list item gives the flight number with the airline before it.',
    'WCI-LST-020',
    {
      listItem: (item) => ({
        ...item,
        flight_number: `${String(item.airline)}${String(item.flight_number)}`,
      }),
    },
  ),
  sometimes('list-without-connections', 'Requests of several legs are not listed.', 'WCI-LST-021', {
    sees: (attempt, { enterprise }, { operation }) =>
      attempt.enterprise === enterprise && (operation !== 'list' || attempt.legs.length === 1),
  }),
  sometimes('list-without-failed', 'A list without a filter leaves failed requests out.', 'WCI-STS-013', {
    sees: (attempt, { enterprise }, { operation, by }) =>
      attempt.enterprise === enterprise &&
      !(operation === 'list' && by === null && attempt.progress.status === 'FAILED'),
  }),
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

  // Status
  sometimes('status-completed-missing-null', 'missing_info of a completed record is null.', 'WCI-STS-016', {
    statusBody: (fields) => ({
      success: true,
      ...fields,
      missing_info: fields.status === 'COMPLETED' ? null : fields.missing_info,
    }),
  }),
  sometimes(
    'status-booking-id-other',
    'The status gives a booking_id that is one too high.',
    'WCI-STS-006 also WCI-STS-008 WCI-STS-013 WCI-UPD-033',
    {
      statusBody: (fields) => ({ success: true, ...fields, booking_id: Number(fields.booking_id) + 1 }),
    },
  ),
  sometimes(
    'status-id-upper-case',
    'The status gives the checkin_id in capitals.',
    'WCI-STS-006 also WCI-SUB-017 WCI-UPD-033',
    {
      statusBody: (fields) => ({
        success: true,
        ...fields,
        checkin_id: String(fields.checkin_id).toUpperCase(),
      }),
    },
  ),
  sometimes(
    'status-incomplete-as-complete',
    'The status of an incomplete record has an empty missing_info.',
    'WCI-STS-007 also WCI-RDY-019 WCI-STS-008 WCI-UPD-027 WCI-UPD-033',
    {
      statusBody: (fields) => ({ success: true, ...fields, missing_info: [] }),
    },
  ),
  sometimes(
    'status-complete-with-missing',
    'A complete record still names what was missing.',
    'WCI-RDY-017 also WCI-CB-020 WCI-STS-007 WCI-STS-008 WCI-SUB-018 WCI-UPD-033',
    {
      statusBody: (fields) => ({
        success: true,
        ...fields,
        missing_info: fields.sub_status === 'COMPLETE_INFO' ? ['passport'] : fields.missing_info,
      }),
    },
  ),
  always(
    'completed-without-passes-shown',
    'Only the first of several boarding passes is shown.',
    'WCI-CB-020 also WCI-STS-011',
    {
      finishedPasses: (passes) => passes.slice(0, 1),
    },
  ),

  // Subscribe
  sometimes(
    'subscribe-booking-id-null',
    'A repeated subscribe gives no booking_id.',
    'WCI-SUB-016 also WCI-STS-017 WCI-SUB-007',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        booking_id: fields.message === 'ALREADY_SUBSCRIBED' ? null : fields.booking_id,
      }),
    },
  ),
  sometimes(
    'repeat-says-scheduled',
    'A repeated subscribe says SCHEDULED whatever became of the attempt.',
    'WCI-SUB-017',
    {
      subscribeBody: (fields) =>
        documentedWebCheckinPolicy.subscribeBody(
          fields.message === 'ALREADY_SUBSCRIBED' && fields.status !== 'SCHEDULED'
            ? { ...fields, status: 'SCHEDULED', sub_status: 'COMPLETE_INFO' }
            : fields,
        ),
    },
  ),
  sometimes('repeat-success-false', 'success of a repeated subscribe is false.', 'SHR-ERR-034', {
    subscribeBody: (fields) => ({ success: fields.message !== 'ALREADY_SUBSCRIBED', ...fields }),
  }),
  sometimes(
    'complete-in-progress',
    'A complete booking gets status IN_PROGRESS.',
    'WCI-SUB-003 also WCI-STS-007 WCI-SUB-023 WCI-SUB-017',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        status: fields.sub_status === 'COMPLETE_INFO' ? 'IN_PROGRESS' : fields.status,
      }),
    },
  ),
  sometimes(
    'incomplete-failed',
    'An incomplete booking gets status FAILED.',
    'WCI-SUB-012 also WCI-CB-011 WCI-STS-007',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        status: fields.sub_status === 'MISSING_INFO' ? 'FAILED' : fields.status,
      }),
    },
  ),
];
