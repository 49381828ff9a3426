import { formatClock } from '../webcheckin/clockText.ts';
import type { ProgressField, Missing } from '../webcheckin/policyTerms.ts';
import { progressFieldNames } from '../webcheckin/progress.ts';
import { point, type DialectPoint } from './point.ts';

/** Open points of web check-in about what becomes of a request: its record, its list item, its callbacks. */
export const checkinRecordDialectPoints: readonly DialectPoint[] = [
  point('missing-item', 'WCI-OPN-004', {
    text: {},
    object: { missingItem: ({ field, passenger }) => ({ field, passenger_index: passenger }) },
    mixed: { missingItem: ({ field, passenger }) => (passenger === null ? field : { field, passenger }) },
  }),
  point('missing-sub-status', 'WCI-OPN-006', {
    one: {},
    several: { missingSubStatus: (missing) => `MISSING_${subjectOf(missing)}` },
  }),
  point('sub-statuses', 'WCI-OPN-007', {
    plain: {},
    airline: {
      automatedSubStatus: {
        SCHEDULED: 'REQUEUED',
        IN_PROGRESS: 'AIRLINE_SESSION_OPEN',
        COMPLETED: 'BOARDING_PASS_AVAILABLE',
        FAILED: 'AIRLINE_ERROR',
      },
    },
  }),
  point('completion-by-update', 'WCI-OPN-008', { 'at-once': {}, later: { completionDelayMs: 2_000 } }),
  point('departure-name', 'WCI-OPN-010', {
    datetime: {},
    date: { departureNames: ['departure_date'] },
    both: { departureNames: ['departure_datetime', 'departure_date'] },
  }),
  point('callback-retries', 'WCI-OPN-012', {
    four: {},
    none: { callbackRetryMs: [] },
    quick: { callbackRetryMs: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000] },
    slow: { callbackRetryMs: [60_000, 1_800_000] },
    once: { callbackRetryMs: [15_000] },
  }),
  point('callback-delay', 'WCI-OPN-012', { 'at-once': {}, late: { callbackDelayMs: 3_000 } }),
  point('callback-duplicates', 'WCI-OPN-012', { once: {}, twice: { callbackTwice: true } }),
  point('code-literals', 'WCI-OPN-013', {
    plain: {},
    http: {
      authCodes: {
        missing: 'UNAUTHORIZED',
        unknown: 'UNAUTHORIZED',
        revoked: 'KEY_REVOKED',
        disabled: 'KEY_DISABLED',
      },
      conflictCode: 'CONFLICT',
      throttleCode: 'TOO_MANY_REQUESTS',
    },
  }),
  point('repeated-callback', 'WCI-OPN-020', {
    ignored: {},
    attached: { repeatCallback: 'attached' },
    replaced: { repeatCallback: 'replaced' },
  }),
  point('events', 'WCI-OPN-021', {
    'status-and-sub-status': {},
    status: { emits: (cause, changed) => cause !== 'creation' && changed.includes('status') },
    'creation-too': { emits: (_cause, changed) => has(changed, 'status', 'sub_status') },
    'any-field': { emits: (cause) => cause !== 'creation' },
    'creation-and-status': {
      emits: (cause, changed) => cause === 'creation' || changed.includes('status'),
    },
    'not-by-update': {
      emits: (cause, changed) => cause === 'automation' && has(changed, 'status', 'sub_status'),
    },
  }),
  point('reported-fields', 'WCI-OPN-022', {
    changed: {},
    all: { reported: () => progressFieldNames },
    'with-status': { reported: (changed) => [...new Set<ProgressField>(['status', ...changed])] },
    'one-by-one': {
      eventsOf: (changes) =>
        Object.entries(changes).map(([name, value], at) => ({
          changes: { [name]: value },
          delayMs: at === 0 ? null : (at % 2) * 700,
        })),
    },
  }),
  point('event-name', 'WCI-OPN-023', {
    nowhere: {},
    body: { eventName: (body) => void (body.event = 'webcheckin.update') },
    header: { eventName: (_body, headers) => void (headers['x-event-type'] = 'webcheckin.update') },
    type: { eventName: (body) => void (body.type = 'webcheckin.update') },
    both: {
      eventName: (body, headers) => {
        body.eventType = 'webcheckin.update';
        headers['x-webhook-event'] = 'webcheckin.update';
      },
    },
  }),
  point('rejected-journey', 'WCI-OPN-025', { unrecorded: {}, failed: { recordsRejected: () => 'failed' } }),
  point('list-order', 'WCI-OPN-026', {
    newest: {},
    oldest: { listOrder: (one, other) => one.bookingId - other.bookingId },
    departure: {
      listOrder: (one, other) => one.departsAt - other.departsAt || one.bookingId - other.bookingId,
    },
  }),
  point('empty-pages', 'WCI-OPN-027', { zero: {}, one: { emptyPages: 1 } }),
  point('departure-value', 'WCI-OPN-028', {
    local: {},
    'as-sent': { departureValue: ({ departureText }) => departureText.trim() },
    'with-z': { departureValue: ({ departure }) => `${formatClock(departure)}.000Z` },
    date: { departureValue: ({ departure }) => formatClock(departure).slice(0, 10) },
  }),
  point('listed-destination', 'WCI-OPN-028', { last: {}, 'first-leg': { listedDestination: 'first' } }),
  point('further-readiness', 'WCI-OPN-030', {
    none: {},
    contact: { furtherFields: ['phone', 'country_code', 'date_of_birth'] },
  }),
  point('domestic-readiness', 'WCI-OPN-030', {
    'no-passport': {},
    passport: { isInternational: () => true },
  }),
  point('unfinished-passes', 'WCI-OPN-034', {
    empty: {},
    absent: { unfinishedPasses: 'absent' },
    null: { unfinishedPasses: 'null' },
  }),
  point('start-in-window', 'WCI-OPN-035', { later: {}, 'in-response': { startsAtOnce: 'in-response' } }),
  point('check-in-window', 'WCI-OPN-035', {
    '24h': {},
    '48h': { windowMs: 48 * 3_600_000 },
    '30h': { windowMs: 30 * 3_600_000 },
  }),
  point('callback-redirects', 'WCI-OPN-039', { ignored: {}, followed: { followsRedirects: true } }),
  point('callback-order', 'WCI-OPN-058', {
    any: {},
    'in-order': { deliveryOrder: 'in-order' },
    // A worker that takes one event at a time: where many wait, the last one comes long after its change.
    'one-by-one': { deliveryOrder: 'one-by-one' },
  }),
  point('callback-content-type', 'WCI-OPN-057', {
    plain: {},
    charset: { callbackContentType: 'application/json; charset=utf-8' },
    text: { callbackContentType: 'text/plain' },
    none: { callbackContentType: null },
  }),
  point('reason-member', 'WCI-OPN-041', {
    reason: {},
    message: { reasonMembers: () => ({}) },
    details: { reasonMembers: (reason) => ({ details: { reason } }) },
  }),
  point('scheduled-time', 'WCI-OPN-043', {
    complete: {},
    always: { scheduledTime: 'always' },
    window: { scheduledTime: 'window' },
  }),
];

/** What the first missing thing is about. */
function subjectOf(missing: readonly Missing[]): string {
  return missing[0]?.rule.split('.')[0]?.toUpperCase() ?? 'INFO';
}

function has(changed: readonly ProgressField[], ...fields: readonly ProgressField[]): boolean {
  return fields.some((field) => changed.includes(field));
}
