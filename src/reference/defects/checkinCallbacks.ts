import { demanding, skipping } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in registering and delivering status webhooks. */
export const checkinCallbackDefects: readonly Defect[] = [
  sometimes(
    'webhook-without-url',
    'callbackData without callbackUrl registers nothing.',
    { enforces: skipping('callback.url.required') },
    ['WCI-CBR-001'],
    ['WCI-CBR-003', 'WCI-CBR-017'],
  ),
  sometimes(
    'webhook-without-header',
    'callbackData without auth_header registers nothing.',
    { enforces: skipping('callback.auth.required') },
    ['WCI-CBR-002'],
    ['WCI-CBR-018'],
  ),
  sometimes(
    'webhook-url-any',
    'Any text is taken for a callbackUrl.',
    { enforces: skipping('callback.url.uri') },
    ['WCI-CBR-003'],
  ),
  sometimes(
    'webhook-https-enforced',
    'A plain http callbackUrl is refused.',
    { enforces: demanding('callback.url.https') },
    ['WCI-CBR-004'],
  ),
  sometimes(
    'webhook-header-authorization',
    'The header Authorization is refused.',
    { authHeaderNames: ['x-api-key'] },
    ['WCI-CBR-006'],
    ['WCI-CBR-007'],
  ),
  sometimes(
    'webhook-header-case',
    'The header name must be spelled exactly.',
    { enforces: demanding('callback.auth.nameCase') },
    ['WCI-CBR-007'],
  ),
  sometimes(
    'webhook-header-any',
    'Any header name is accepted.',
    { enforces: skipping('callback.auth.name') },
    ['WCI-CBR-008'],
  ),
  sometimes(
    'webhook-header-no-colon',
    'An auth_header without colon registers nothing.',
    { enforces: skipping('callback.auth.colon', ({ index }) => index < 1) },
    ['WCI-CBR-009'],
  ),
  sometimes(
    'webhook-header-two-colons',
    'An auth_header is split at its first colon.',
    { enforces: skipping('callback.auth.colon', ({ index }) => index > 1) },
    ['WCI-CBR-010'],
  ),
  sometimes(
    'webhook-header-empty',
    'An auth_header may have no value.',
    { enforces: skipping('callback.auth.value') },
    ['WCI-CBR-011'],
  ),
  sometimes(
    'webhook-header-breaks',
    'An auth_header may hold line breaks.',
    { enforces: skipping('callback.auth.breaks') },
    ['WCI-CBR-012'],
  ),
  sometimes(
    'webhook-header-trimmed',
    'An auth_header is trimmed before line breaks are looked for.',
    { readAuthHeader: (text) => text.trim() },
    ['WCI-CBR-012'],
  ),
  always(
    'webhook-silent',
    'No state change is pushed.',
    { emits: () => false },
    ['WCI-CB-001'],
    ['WCI-CB-013', 'WCI-CB-021', 'WCI-CB-020'],
  ),
  sometimes(
    'webhook-completion-only',
    'Only completion is pushed.',
    { emits: (_cause, changed) => changed.includes('boarding_passes') },
    ['WCI-CB-021'],
    ['WCI-CB-001'],
  ),
  sometimes(
    'webhook-completion-silent',
    'Completion is not pushed.',
    { emits: (cause, changed) => cause !== 'creation' && !changed.includes('boarding_passes') },
    ['WCI-CB-013'],
    ['WCI-CB-020', 'WCI-CB-021'],
  ),
  sometimes(
    'webhook-without-passes',
    'Boarding passes are not pushed.',
    { reported: (changed) => changed.filter((name) => name !== 'boarding_passes') },
    ['WCI-CB-013'],
    ['WCI-CB-011', 'WCI-CB-020'],
  ),
  sometimes(
    'webhook-without-sub-status',
    'A changed sub_status is not pushed.',
    { reported: (changed) => changed.filter((name) => name !== 'sub_status') },
    ['WCI-CB-011'],
    ['WCI-CB-013', 'WCI-CB-020'],
  ),
  always(
    'webhook-url-without-query',
    'The query of a callbackUrl is dropped.',
    { callbackTarget: (url) => url.split('?', 1)[0] ?? url },
    ['WCI-CB-004'],
  ),
  always(
    'webhook-value-lower-case',
    'The value of an auth_header is sent in lower case.',
    { callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.toLowerCase() }) },
    ['WCI-CB-006'],
    ['WCI-CB-005'],
  ),
  sometimes(
    'webhook-bearer-added',
    'Authorization values get a Bearer prefix.',
    {
      callbackHeader: ({ headerName, headerValue }) => ({
        [headerName]: headerName.toLowerCase() === 'authorization' ? `Bearer ${headerValue}` : headerValue,
      }),
    },
    ['WCI-CB-006'],
    ['WCI-CB-005'],
  ),
  sometimes(
    'webhook-retry-without-header',
    'Retries carry no auth_header.',
    {
      callbackHeader: ({ headerName, headerValue }, delivery) =>
        delivery === 0 ? { [headerName]: headerValue } : {},
    },
    ['WCI-CB-018'],
    ['WCI-CB-005'],
  ),
  always(
    'webhook-both-headers',
    'The value is sent in both headers.',
    { callbackHeader: ({ headerValue }) => ({ 'X-API-Key': headerValue, Authorization: headerValue }) },
    ['WCI-CB-007'],
  ),
  always(
    'webhook-signature-header',
    'A signature header is added.',
    {
      callbackHeader: ({ headerName, headerValue }) => ({
        [headerName]: headerValue,
        'X-Signature': 'sha256=0000',
      }),
    },
    ['WCI-CB-008'],
  ),
  always(
    'webhook-body-signature',
    'A signature is added to the body.',
    { eventName: (body) => void (body.signature = 'sha256=0000') },
    ['WCI-CB-008'],
  ),
  always(
    'webhook-id-renamed',
    'The event tells the checkin_id as id.',
    {
      eventName: (body) => {
        body.id = body.checkin_id;
        delete body.checkin_id;
      },
    },
    ['WCI-CB-009'],
  ),
  always(
    'webhook-other-event',
    'The event is named checkin.changed.',
    { eventName: (body) => void (body.event = 'checkin.changed') },
    ['WCI-CB-025'],
  ),
  always(
    'webhook-changes-list',
    'changes is a list of names.',
    { eventName: (body) => void (body.changes = Object.keys(body.changes as object)) },
    ['WCI-CB-009'],
    ['WCI-CB-010', 'WCI-CB-011', 'WCI-CB-013', 'WCI-CB-020'],
  ),
  always('webhook-as-form', 'Events are sent as text.', { callbackContentType: 'text/plain' }, [
    'WCI-CB-003',
  ]),
  sometimes(
    'webhook-time-of-delivery',
    'occurredAt is the time of the delivery.',
    { occurredAt: (_changedAt, now) => now },
    ['WCI-CB-019'],
    ['WCI-CB-018'],
  ),
  sometimes('webhook-only-200', 'Only 200 counts as delivered.', { delivered: (status) => status === 200 }, [
    'WCI-CB-016',
  ]),
  sometimes(
    'webhook-lost-on-repeat',
    'A repeated subscribe ends the callbacks of the first.',
    {
      onRepeat: (attempt) => {
        attempt.callback = null;
      },
    },
    ['WCI-CB-023'],
  ),
  sometimes(
    'webhook-sub-status-empty',
    'A change of the sub-status alone is pushed with empty changes.',
    { reported: (changed) => (changed.includes('status') ? changed : []) },
    ['WCI-CB-010'],
    ['WCI-CB-011', 'WCI-CB-020'],
  ),

  sometimes(
    'webhook-header-api-key',
    'The header X-API-Key is refused.',
    { authHeaderNames: ['authorization'] },
    ['WCI-CBR-005'],
  ),
  sometimes(
    'webhook-client-refused',
    'clientId and clientName are refused.',
    { enforces: demanding('callback.client.none') },
    ['WCI-CBR-015'],
  ),
  always('webhook-put', 'Events are sent with PUT.', { callbackMethod: 'PUT' }, ['WCI-CB-002']),
  sometimes(
    'webhook-of-another-request',
    'A request without callbackData takes the webhook of an earlier one.',
    { registered: (sent, others) => sent ?? others().findLast(({ callback }) => callback)?.callback ?? null },
    ['WCI-CB-014'],
  ),
  sometimes('webhook-on-repeat', 'A repeated subscribe is pushed as a change.', { repeatAnnounced: true }, [
    'WCI-CB-015',
  ]),
];
