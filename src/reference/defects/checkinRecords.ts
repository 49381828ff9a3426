import { omit } from './omit.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in what subscribe, status and list show, and to whom. */
export const checkinRecordDefects: readonly Defect[] = [
  always(
    'booking-id-text',
    'booking_id is a string.',
    { bookingIdShown: String },
    ['WCI-SUB-007'],
    ['WCI-STS-017'],
  ),
  always(
    'status-message-renamed',
    'The explanation of a subscribe is named checkin_message.',
    {
      subscribeBody: ({ status_message, ...fields }) => ({
        success: true,
        ...fields,
        checkin_message: status_message,
      }),
    },
    ['WCI-SUB-008'],
  ),
  sometimes(
    'missing-info-null',
    'missing_info of a complete subscribe is null.',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        missing_info:
          Array.isArray(fields.missing_info) && fields.missing_info.length === 0 ? null : fields.missing_info,
      }),
    },
    ['WCI-SUB-005'],
    ['WCI-STS-007', 'WCI-STS-016'],
  ),
  sometimes(
    'missing-info-hidden',
    'missing_info of a subscribe is always empty.',
    { subscribeBody: (fields) => ({ success: true, ...fields, missing_info: [] }) },
    ['WCI-SUB-014'],
    ['WCI-STS-007', 'WCI-RDY-001', 'WCI-RDY-010', 'WCI-RDY-011', 'WCI-RDY-014', 'WCI-RDY-019', 'WCI-RDY-020'],
  ),
  always(
    'message-ok',
    'message of a subscribe is OK.',
    { subscribeBody: (fields) => ({ success: true, ...fields, message: 'OK' }) },
    ['WCI-SUB-009'],
    ['WCI-SUB-002', 'WCI-SUB-015', 'WCI-SUB-020'],
  ),
  always(
    'status-lower-case',
    'status of a subscribe is in lower case.',
    {
      subscribeBody: (fields) => ({
        success: true,
        ...fields,
        status: String(fields.status).toLowerCase(),
      }),
    },
    ['WCI-SUB-022'],
    ['WCI-SUB-003', 'WCI-SUB-012', 'WCI-STS-007', 'WCI-CB-011'],
  ),
  always(
    'checkin-id-hidden',
    'A subscribe does not tell the checkin_id.',
    { subscribeBody: (fields) => ({ success: true, ...omit(fields, 'checkin_id') }) },
    ['WCI-SUB-006'],
  ),
  sometimes(
    'passes-over-http',
    'Boarding passes are plain http addresses.',
    { finishedPasses: (passes) => passes.map((pass) => pass.replace('https:', 'http:')) },
    ['WCI-SUB-062'],
    ['WCI-CB-020'],
  ),
  sometimes(
    'passes-empty',
    'A completed record has no boarding passes.',
    { finishedPasses: () => [] },
    ['WCI-STS-011'],
    ['WCI-STS-015', 'WCI-CB-012', 'WCI-CB-020'],
  ),
  sometimes(
    'completed-sub-status',
    'A record under way has the sub-status of a completed one.',
    {
      automatedSubStatus: {
        SCHEDULED: 'QUEUED',
        IN_PROGRESS: 'BOARDING_PASS_AVAILABLE',
        COMPLETED: 'BOARDING_PASS_AVAILABLE',
        FAILED: 'CHECKIN_FAILED',
      },
    },
    ['WCI-STS-012'],
    ['WCI-STS-015', 'WCI-CB-013'],
  ),
  sometimes(
    'status-alias-unknown',
    'checkinId is not known.',
    { statusAliases: ['checkin_id'] },
    ['WCI-STS-002'],
    ['WCI-SCP-013'],
  ),
  always(
    'status-wrapped',
    'The status stands in a data member.',
    { statusBody: (fields) => ({ success: true, data: fields }) },
    ['WCI-STS-005'],
  ),
  always(
    'status-without-last-updated',
    'The status does not tell last_updated.',
    { statusBody: (fields) => ({ success: true, ...omit(fields, 'last_updated') }) },
    ['WCI-STS-005'],
  ),
  sometimes(
    'status-by-booking-id',
    'booking_id serves in place of checkin_id.',
    { statusAliases: ['checkin_id', 'checkinId', 'booking_id'] },
    ['WCI-STS-010'],
  ),
  sometimes(
    'status-failed-as-scheduled',
    'A failed record reads as SCHEDULED in its status.',
    {
      statusBody: (fields) => ({
        success: true,
        ...fields,
        status: fields.status === 'FAILED' ? 'SCHEDULED' : fields.status,
      }),
    },
    ['WCI-STS-013'],
    ['WCI-RDY-019'],
  ),
  always(
    'status-of-anyone',
    "The status of any enterprise's record can be read.",
    { sees: (attempt, { enterprise }, reading) => reading === 'status' || attempt.enterprise === enterprise },
    ['WCI-SCP-001'],
    ['WCI-SCP-004', 'WCI-SCP-014'],
  ),
  sometimes(
    'status-of-anyone-by-alias',
    "The status of any enterprise's record can be read by checkinId.",
    {
      sees: (attempt, { enterprise }, reading) =>
        reading === 'status.alias' || attempt.enterprise === enterprise,
    },
    ['WCI-SCP-013'],
  ),
  always(
    'list-of-everyone',
    'The list shows the records of all enterprises.',
    { sees: (attempt, { enterprise }, reading) => reading === 'list' || attempt.enterprise === enterprise },
    ['WCI-LST-023'],
    ['WCI-LST-025'],
  ),
  sometimes(
    'update-of-anyone',
    "Any enterprise's record can be updated.",
    {
      sees: (attempt, { enterprise }, reading) =>
        reading === 'update.checkin_id' || attempt.enterprise === enterprise,
    },
    ['WCI-SCP-002'],
    ['WCI-SCP-004', 'WCI-SCP-006', 'WCI-SCP-011'],
  ),
  sometimes(
    'update-of-anyone-by-booking',
    "Any enterprise's record can be updated by its booking_id.",
    {
      sees: (attempt, { enterprise }, reading) =>
        reading === 'update.booking_id' || attempt.enterprise === enterprise,
    },
    ['WCI-SCP-003'],
    ['WCI-SCP-004', 'WCI-SCP-006'],
  ),
  sometimes(
    'list-of-the-key',
    'A key lists only what was made with it.',
    {
      sees: (attempt, reader, reading) =>
        attempt.enterprise === reader.enterprise && (reading !== 'list' || attempt.apiKey === reader.apiKey),
    },
    ['WCI-LST-022'],
  ),
  sometimes(
    'status-of-the-key',
    'A key reads the status only of what was made with it.',
    {
      sees: (attempt, reader, reading) =>
        attempt.enterprise === reader.enterprise &&
        (!reading.startsWith('status') || attempt.apiKey === reader.apiKey),
    },
    ['WCI-SCP-010'],
    ['WCI-SCP-012'],
  ),
  sometimes(
    'update-of-the-key',
    'A key updates only what was made with it.',
    {
      sees: (attempt, reader, reading) =>
        attempt.enterprise === reader.enterprise &&
        (!reading.startsWith('update') || attempt.apiKey === reader.apiKey),
    },
    ['WCI-UPD-044'],
  ),
  sometimes(
    'foreign-forbidden',
    "Another enterprise's record is forbidden.",
    { foreignRecord: 'forbidden' },
    ['WCI-SCP-001', 'WCI-SCP-002', 'WCI-SCP-003'],
    ['WCI-SCP-004', 'WCI-SCP-011', 'WCI-SCP-014', 'SHR-ERR-015', 'SHR-ERR-016'],
  ),
  sometimes(
    'foreign-told',
    "The message of a 404 tells that the record is another enterprise's.",
    { foreignRecord: 'told' },
    ['WCI-SCP-004'],
  ),
  sometimes('default-limit-twenty', 'A page holds 20 items by default.', { defaultLimit: 20 }, [
    'WCI-LST-003',
  ]),
  sometimes(
    'limit-unbounded',
    'A limit above 100 is applied.',
    { clampLimit: (limit) => Math.max(1, limit) },
    ['WCI-LST-006'],
  ),
  sometimes(
    'limit-zero-as-default',
    'A limit of 0 becomes 25.',
    { clampLimit: (limit) => (limit === 0 ? 25 : Math.min(100, Math.max(1, limit))) },
    ['WCI-LST-007'],
  ),
  sometimes(
    'limit-below-hundred',
    'A limit of 100 becomes 99.',
    { clampLimit: (limit) => Math.min(99, Math.max(1, limit)) },
    ['WCI-LST-008'],
    ['WCI-LST-006'],
  ),
  sometimes(
    'pages-from-one',
    'Pages are counted from 1.',
    { window: (page, limit) => [Math.max(0, page - 1) * limit, Math.max(1, page) * limit] },
    ['WCI-LST-005'],
    // The second page of a short list is beyond its end, and shows the first.
    ['WCI-LST-017', 'WCI-LST-028'],
  ),
  sometimes(
    'third-page-shifted',
    'From the third page an item is left out.',
    { window: (page, limit) => [page * limit + (page > 1 ? 1 : 0), (page + 1) * limit + (page > 1 ? 1 : 0)] },
    ['WCI-LST-005'],
  ),
  sometimes(
    'pages-overlap',
    'The last item of a page comes again on the next.',
    { window: (page, limit) => [Math.max(0, page * limit - 1), (page + 1) * limit] },
    ['WCI-LST-005'],
    ['WCI-LST-008', 'WCI-LST-028'],
  ),
  sometimes(
    'page-beyond-end-404',
    'A page beyond the end is 404.',
    { beyondEnd: 'missing' },
    ['WCI-LST-017'],
    ['WCI-LST-025', 'SHR-ERR-017'],
  ),
  sometimes('filter-unknown-empty', 'An unknown filter finds nothing.', { unknownFilter: (text) => text }, [
    'WCI-LST-014',
  ]),
  always('filter-ignored', 'The status filter is ignored.', { filters: () => true }, ['WCI-LST-012']),
  sometimes(
    'filter-failed-as-scheduled',
    'The filter SCHEDULED also finds failed records.',
    {
      filters: ({ progress }, status) =>
        progress.status === status || (status === 'SCHEDULED' && progress.status === 'FAILED'),
    },
    ['WCI-LST-012'],
  ),
  sometimes(
    'total-unfiltered',
    'total counts what the filter leaves out.',
    { totals: (_matching, all, limit) => ({ total: all, totalPages: Math.ceil(all / limit) }) },
    ['WCI-LST-013'],
  ),
  sometimes(
    'total-pages-rounded-down',
    'totalPages is rounded down.',
    { totals: (matching, _all, limit) => ({ total: matching, totalPages: Math.floor(matching / limit) }) },
    ['WCI-LST-015'],
  ),
  sometimes(
    'total-pages-one-more',
    'totalPages is one too many where the pages are full.',
    {
      totals: (matching, _all, limit) => ({ total: matching, totalPages: Math.floor(matching / limit) + 1 }),
    },
    ['WCI-LST-015'],
  ),
  always(
    'total-pages-text',
    'totalPages is a string.',
    {
      totals: (matching, _all, limit) => ({
        total: matching,
        totalPages: String(Math.ceil(matching / limit)),
      }),
    },
    ['WCI-LST-016'],
    ['WCI-LST-015'],
  ),
  always(
    'item-without-scheduled-time',
    'List items do not tell scheduled_time.',
    { listItem: (item) => omit(item, 'scheduled_time') },
    ['WCI-LST-018'],
  ),
  always('item-without-departure', 'List items do not tell the departure.', { departureNames: [] }, [
    'WCI-LST-019',
  ]),
  always(
    'item-airports-swapped',
    'List items show origin and destination the wrong way round.',
    { listItem: (item) => ({ ...item, origin: item.destination, destination: item.origin }) },
    ['WCI-LST-020'],
    ['WCI-MP-002'],
  ),
  sometimes(
    'item-stale-sub-status',
    'List items of incomplete records show COMPLETE_INFO.',
    {
      listItem: (item) => ({
        ...item,
        sub_status: item.status === 'SCHEDULED' ? 'COMPLETE_INFO' : item.sub_status,
      }),
    },
    ['WCI-STS-008'],
    ['WCI-RDY-017'],
  ),
  sometimes(
    'item-created-at-moves',
    'created_at of an item follows last_updated.',
    { listItem: (item) => ({ ...item, created_at: item.last_updated }) },
    ['WCI-LST-027'],
  ),

  sometimes(
    'started-as-complete-info',
    'A record under way keeps sub-status COMPLETE_INFO.',
    {
      automatedSubStatus: {
        SCHEDULED: 'QUEUED',
        IN_PROGRESS: 'COMPLETE_INFO',
        COMPLETED: 'BOARDING_PASS_AVAILABLE',
        FAILED: 'CHECKIN_FAILED',
      },
    },
    ['WCI-SUB-023'],
  ),
  always(
    'checkin-message-null',
    'checkin_message of a status is null.',
    { statusBody: (fields) => ({ success: true, ...fields, checkin_message: null }) },
    ['WCI-STS-014'],
    ['WCI-STS-008', 'WCI-CB-012', 'WCI-CB-020'],
  ),
  sometimes(
    'status-touches',
    'Reading the status moves last_updated.',
    {
      onRead: (attempt, now) => {
        attempt.updatedAt = now;
      },
    },
    ['WCI-STS-009'],
  ),
  always(
    'list-meta',
    'The pagination object is named meta.',
    { listBody: ({ pagination, ...body }) => ({ ...body, meta: pagination }) },
    ['WCI-LST-001'],
  ),
  sometimes(
    'list-empty-null',
    'data of an empty list is null.',
    {
      listBody: (body) => ({
        ...body,
        data: Array.isArray(body.data) && body.data.length > 0 ? body.data : null,
      }),
    },
    ['WCI-LST-025'],
    ['WCI-LST-001'],
  ),
  always(
    'list-default-page-one',
    'Without page the second page is shown.',
    { defaultPage: 1 },
    ['WCI-LST-002'],
    ['WCI-LST-004'],
  ),
  sometimes('list-negative-page-absolute', 'page=-1 is the second page.', { invalidPage: 'absolute' }, [
    'WCI-LST-009',
  ]),
  sometimes(
    'list-page-not-a-number',
    'A page that is no number is shown as null.',
    { invalidPage: 'not-a-number' },
    ['WCI-LST-010'],
    ['WCI-LST-009', 'WCI-LST-016'],
  ),
  sometimes(
    'list-limit-unbounded-text',
    'A limit that is no number lifts the limit.',
    { nonNumericLimit: 'unbounded' },
    ['WCI-LST-011'],
  ),
  sometimes(
    'list-filters-pages',
    'The filter is applied to a page, not to the list.',
    { filtersFirst: false },
    ['WCI-LST-028'],
    ['WCI-LST-013', 'WCI-LST-017'],
  ),
];
