import { omit } from './omit.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in what subscribe, status and list show, and to whom. */
export const checkinRecordDefects: readonly Defect[] = [
  always('booking-id-text', 'booking_id is a string.', 'WCI-SUB-007 also WCI-STS-017', {
    bookingIdShown: String,
  }),
  always(
    'status-message-renamed',
    'The explanation of a subscribe is named checkin_message.',
    'WCI-SUB-008',
    {
      subscribeBody: ({ status_message, ...fields }) => ({
        success: true,
        ...fields,
        checkin_message: status_message,
      }),
    },
  ),
  sometimes(
    'missing-info-null',
    'missing_info of a complete subscribe is null.',
    'WCI-SUB-005 also WCI-STS-007 WCI-STS-016',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        missing_info:
          Array.isArray(fields.missing_info) && fields.missing_info.length === 0 ? null : fields.missing_info,
      }),
    },
  ),
  sometimes(
    'missing-info-hidden',
    'missing_info of a subscribe is always empty.',
    'WCI-SUB-014 also WCI-STS-007 WCI-RDY-001 WCI-RDY-009 WCI-RDY-010 WCI-RDY-011 WCI-RDY-014 WCI-RDY-019 WCI-RDY-020 WCI-RDY-080',
    { subscribeBody: (fields) => ({ success: true, ...fields, missing_info: [] }) },
  ),
  always(
    'message-ok',
    'message of a subscribe is OK.',
    'WCI-SUB-009 also WCI-SUB-002 WCI-SUB-015 WCI-SUB-020',
    { subscribeBody: (fields) => ({ success: true, ...fields, message: 'OK' }) },
  ),
  always(
    'status-lower-case',
    'status of a subscribe is in lower case.',
    'WCI-SUB-022 also WCI-SUB-003 WCI-SUB-012 WCI-SUB-017 WCI-STS-007 WCI-CB-011',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        status: String(fields.status).toLowerCase(),
      }),
    },
  ),
  always('checkin-id-hidden', 'A subscribe does not contain the checkin_id.', 'WCI-SUB-006', {
    subscribeBody: (fields) => ({ success: true, ...omit(fields, 'checkin_id') }),
  }),
  sometimes(
    'passes-over-http',
    'Boarding passes are plain http addresses.',
    'WCI-SUB-062 also WCI-STS-011 WCI-CB-020',
    {
      finishedPasses: (passes) => passes.map((pass) => pass.replace('https:', 'http:')),
    },
  ),
  sometimes(
    'passes-empty',
    'A completed record has no boarding passes.',
    'WCI-STS-011 also WCI-STS-015 WCI-CB-012 WCI-CB-020',
    { finishedPasses: () => [] },
  ),
  sometimes(
    'completed-sub-status',
    'A record under way has the sub-status of a completed one.',
    'WCI-STS-012 WCI-STS-015 also WCI-CB-013',
    {
      automatedSubStatus: {
        SCHEDULED: 'QUEUED',
        IN_PROGRESS: 'BOARDING_PASS_AVAILABLE',
        COMPLETED: 'BOARDING_PASS_AVAILABLE',
        FAILED: 'CHECKIN_FAILED',
      },
    },
  ),
  sometimes('status-alias-unknown', 'checkinId is not known.', 'WCI-STS-002 also WCI-SCP-013', {
    statusAliases: ['checkin_id'],
  }),
  always('status-wrapped', 'The status stands in a data member.', 'WCI-STS-005', {
    statusBody: (fields) => ({ success: true, data: fields }),
  }),
  always('status-without-last-updated', 'The status does not contain last_updated.', 'WCI-STS-005', {
    statusBody: (fields) => ({ success: true, ...omit(fields, 'last_updated') }),
  }),
  sometimes('status-quote-500', 'A quote in a checkin_id is an internal error.', 'SHR-ERR-007', {
    breaksOn: (field, value) => field === 'checkin_id' && String(value).includes("'"),
  }),
  sometimes('status-array-500', 'An array of checkin_id in the query is an internal error.', 'SHR-ERR-007', {
    breaksOn: (field) => field === 'checkin_id[]',
  }),
  sometimes('status-by-booking-id', 'booking_id serves in place of checkin_id.', 'WCI-STS-010', {
    statusAliases: ['checkin_id', 'checkinId', 'booking_id'],
  }),
  sometimes(
    'status-failed-as-scheduled',
    'A failed record reads as SCHEDULED in its status.',
    'WCI-STS-013 also WCI-RDY-019 WCI-SUB-017',
    {
      statusBody: (fields) => ({
        success: true,
        ...fields,
        status: fields.status === 'FAILED' ? 'SCHEDULED' : fields.status,
      }),
    },
  ),
  sometimes(
    'status-updated-at-creation',
    'last_updated of a status is that of the creation for ever.',
    'WCI-STS-019 also WCI-DT-035',
    {
      statusBody: (fields, _reading, { createdAt }) => ({
        success: true,
        ...fields,
        last_updated: new Date(createdAt).toISOString(),
      }),
    },
  ),
  sometimes('default-limit-twenty', 'A page holds 20 items by default.', 'WCI-LST-003', { defaultLimit: 20 }),
  sometimes('limit-unbounded', 'A limit above 100 is applied.', 'WCI-LST-006', {
    clampLimit: (limit) => Math.max(1, limit),
  }),
  sometimes('limit-zero-as-default', 'A limit of 0 becomes 25.', 'WCI-LST-007', {
    clampLimit: (limit) => (limit === 0 ? 25 : Math.min(100, Math.max(1, limit))),
  }),
  sometimes('limit-below-hundred', 'A limit of 100 becomes 99.', 'WCI-LST-008 also WCI-LST-006', {
    clampLimit: (limit) => Math.min(99, Math.max(1, limit)),
  }),
  sometimes('pages-from-one', 'Pages are counted from 1.', 'WCI-LST-005 also WCI-LST-017 WCI-LST-028', {
    window: (page, limit) => [Math.max(0, page - 1) * limit, Math.max(1, page) * limit],
  }),
  sometimes('third-page-shifted', 'From the third page an item is left out.', 'WCI-LST-005', {
    window: (page, limit) => [page * limit + (page > 1 ? 1 : 0), (page + 1) * limit + (page > 1 ? 1 : 0)],
  }),
  sometimes(
    'pages-overlap',
    'The last item of a page comes again on the next.',
    'WCI-LST-005 also WCI-LST-008 WCI-LST-017 WCI-LST-028',
    { window: (page, limit) => [Math.max(0, page * limit - 1), (page + 1) * limit] },
  ),
  sometimes(
    'page-beyond-end-404',
    'A page beyond the end is 404.',
    'WCI-LST-017 also WCI-LST-025 SHR-ERR-017 WCI-LST-001',
    { beyondEnd: 'missing' },
  ),
  sometimes('filter-unknown-empty', 'An unknown filter finds nothing.', 'WCI-LST-014', {
    unknownFilter: (text) => text,
  }),
  sometimes('filter-blank-empty', 'A filter without any text finds nothing.', 'WCI-LST-014', {
    unknownFilter: (text) => (text === '' ? text : null),
  }),
  always('filter-ignored', 'The status filter is ignored.', 'WCI-LST-012', { filters: () => true }),
  sometimes('filter-failed-as-scheduled', 'The filter SCHEDULED also finds failed records.', 'WCI-LST-012', {
    filters: ({ progress }, status) =>
      progress.status === status || (status === 'SCHEDULED' && progress.status === 'FAILED'),
  }),
  sometimes('total-unfiltered', 'total counts what the filter leaves out.', 'WCI-LST-013', {
    totals: (_matching, all, limit) => ({ total: all, totalPages: Math.ceil(all / limit) }),
  }),
  sometimes('total-pages-rounded-down', 'totalPages is rounded down.', 'WCI-LST-015', {
    totals: (matching, _all, limit) => ({ total: matching, totalPages: Math.floor(matching / limit) }),
  }),
  sometimes('total-pages-one-more', 'totalPages is one too many where the pages are full.', 'WCI-LST-015', {
    totals: (matching, _all, limit) => ({ total: matching, totalPages: Math.floor(matching / limit) + 1 }),
  }),
  always('total-pages-text', 'totalPages is a string.', 'WCI-LST-016 also WCI-LST-015', {
    totals: (matching, _all, limit) => ({
      total: matching,
      totalPages: String(Math.ceil(matching / limit)),
    }),
  }),
  always('item-without-scheduled-time', 'List items do not contain scheduled_time.', 'WCI-LST-018', {
    listItem: (item) => omit(item, 'scheduled_time'),
  }),
  always('item-without-departure', 'List items do not contain the departure.', 'WCI-LST-019', {
    departureNames: [],
  }),
  always(
    'item-airports-swapped',
    'List items show origin and destination the wrong way round.',
    'WCI-LST-020 also WCI-MP-002',
    { listItem: (item) => ({ ...item, origin: item.destination, destination: item.origin }) },
  ),
  sometimes(
    'item-stale-sub-status',
    'List items of incomplete records show COMPLETE_INFO.',
    'WCI-STS-008 also WCI-RDY-017',
    {
      listItem: (item) => ({
        ...item,
        sub_status: item.status === 'SCHEDULED' ? 'COMPLETE_INFO' : item.sub_status,
      }),
    },
  ),
  sometimes('item-created-at-moves', 'created_at of an item follows last_updated.', 'WCI-LST-027', {
    listItem: (item) => ({ ...item, created_at: item.last_updated }),
  }),

  sometimes('started-as-complete-info', 'A record under way keeps sub-status COMPLETE_INFO.', 'WCI-SUB-023', {
    automatedSubStatus: {
      SCHEDULED: 'QUEUED',
      IN_PROGRESS: 'COMPLETE_INFO',
      COMPLETED: 'BOARDING_PASS_AVAILABLE',
      FAILED: 'CHECKIN_FAILED',
    },
  }),
  always(
    'checkin-message-null',
    'checkin_message of a status is null.',
    'WCI-STS-014 also WCI-STS-008 WCI-CB-012 WCI-CB-020',
    { statusBody: (fields) => ({ success: true, ...fields, checkin_message: null }) },
  ),
  sometimes(
    'status-completed-lacking',
    'A completed record reads as if its pnr were missing.',
    'WCI-STS-008 also WCI-CB-011',
    {
      statusBody: (fields) => ({
        success: true,
        ...fields,
        ...(fields.status === 'COMPLETED' ? { missing_info: ['pnr'] } : {}),
      }),
    },
  ),
  sometimes('status-by-part', 'A part of a checkin_id reads the record.', 'WCI-STS-004 also WCI-STS-006', {
    idMeant: (sent, ids) =>
      [...ids()].find((id) => id === sent) ?? [...ids()].find((id) => id.startsWith(sent)) ?? sent,
  }),
  sometimes('automation-untimed', 'What the automation does leaves last_updated as it was.', 'WCI-DT-035', {
    automatedAt: () => null,
  }),
  sometimes(
    'automation-passes-untimed',
    'Other boarding passes of the same status leave last_updated as it was.',
    'WCI-DT-035',
    { automatedAt: (now, changed) => (changed.includes('status') ? now : null) },
  ),
  sometimes('status-with-mark', 'A status begins with a byte order mark.', 'SHR-ERR-038', {
    statusBody: (fields) => ({
      raw: `\ufeff${JSON.stringify({ success: true, ...fields })}`,
      mediaType: 'application/json',
    }),
  }),
  sometimes(
    'status-touches',
    'Reading the status moves last_updated.',
    'WCI-STS-009 also WCI-UPD-047 WCI-SUB-072',
    {
      onRead: (attempt, now) => {
        attempt.updatedAt = now;
      },
    },
  ),
  always('list-meta', 'The pagination object is named meta.', 'WCI-LST-001', {
    listBody: ({ pagination, ...body }) => ({ ...body, meta: pagination }),
  }),
  sometimes('list-empty-null', 'data of an empty list is null.', 'WCI-LST-025 also WCI-LST-001', {
    listBody: (body) => ({
      ...body,
      data: Array.isArray(body.data) && body.data.length > 0 ? body.data : null,
    }),
  }),
  always('list-default-page-one', 'Without page the second page is shown.', 'WCI-LST-002 also WCI-LST-004', {
    defaultPage: 1,
  }),
  sometimes('list-negative-page-absolute', 'page=-1 is the second page.', 'WCI-LST-009', {
    invalidPage: 'absolute',
  }),
  sometimes(
    'list-page-not-a-number',
    'A page that is no number is shown as null.',
    'WCI-LST-010 also WCI-LST-009 WCI-LST-016 WCI-LST-032',
    { invalidPage: 'not-a-number' },
  ),
  sometimes('list-limit-unbounded-text', 'A limit that is no number lifts the limit.', 'WCI-LST-011', {
    nonNumericLimit: 'unbounded',
  }),
  sometimes(
    'list-filters-pages',
    'The filter is applied to a page, not to the list.',
    'WCI-LST-028 also WCI-LST-013 WCI-LST-017',
    { filtersFirst: false },
  ),
];
