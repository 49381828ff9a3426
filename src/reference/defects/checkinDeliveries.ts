import { omit } from './omit.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in what a delivered status webhook looks like on the wire. */
export const checkinDeliveryDefects: readonly Defect[] = [
  // Where it goes
  always('webhook-put', 'Events are sent with PUT.', { callbackMethod: 'PUT' }, ['WCI-CB-002']),
  sometimes(
    'webhook-url-without-query',
    'The query of a callbackUrl is dropped.',
    { callbackTarget: (url) => url.split('?', 1)[0] ?? url },
    ['WCI-CB-004'],
  ),
  sometimes(
    'webhook-url-slash-added',
    'A slash is added to a path that has none at its end.',
    {
      callbackTarget: (text) => {
        const url = new URL(text);
        if (!url.pathname.endsWith('/')) url.pathname += '/';
        return url.href;
      },
    },
    ['WCI-CB-004'],
  ),
  sometimes(
    'webhook-url-decoded',
    'Percent-encoded slashes of a callbackUrl are decoded.',
    { callbackTarget: (url) => url.replaceAll('%2F', '/') },
    ['WCI-CB-004'],
  ),
  sometimes(
    'webhook-url-of-latest-request',
    'All events of an enterprise go to the webhook that was registered last.',
    {
      recipients: ({ callback, enterprise }, all) => {
        const own = [...all()].filter((one) => one.enterprise === enterprise);
        return callback ? [own.findLast((one) => one.callback)?.callback ?? callback] : [];
      },
    },
    ['WCI-CB-004'],
  ),

  // What it is authorized by
  always('webhook-without-auth', 'Deliveries carry no auth_header.', { callbackHeader: () => ({}) }, [
    'WCI-CB-005',
  ]),
  sometimes(
    'webhook-retry-without-header',
    'Retries carry no auth_header.',
    {
      callbackHeader: ({ headerName, headerValue }, delivery) =>
        delivery === 0 ? { [headerName]: headerValue } : {},
    },
    ['WCI-CB-005'],
  ),
  sometimes(
    'webhook-always-api-key',
    'The value is sent as X-API-Key also where Authorization was configured.',
    { callbackHeader: ({ headerValue }) => ({ 'X-API-Key': headerValue }) },
    ['WCI-CB-005'],
    ['WCI-CB-007'],
  ),
  always(
    'webhook-both-headers',
    'The value is sent in both headers.',
    { callbackHeader: ({ headerValue }) => ({ 'X-API-Key': headerValue, Authorization: headerValue }) },
    ['WCI-CB-007'],
  ),
  sometimes(
    'webhook-value-lower-case',
    'The value of an auth_header is sent in lower case.',
    { callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.toLowerCase() }) },
    ['WCI-CB-006'],
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
  ),
  sometimes(
    'webhook-bearer-removed',
    'A Bearer at the beginning of a value is removed.',
    {
      callbackHeader: ({ headerName, headerValue }) => ({
        [headerName]: headerValue.replace(/^Bearer /, ''),
      }),
    },
    ['WCI-CB-006'],
  ),
  sometimes(
    'webhook-spaces-folded',
    'Several spaces inside a value become one.',
    { callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.replace(/ +/g, ' ') }) },
    ['WCI-CB-006'],
  ),
  sometimes(
    'webhook-value-encoded',
    'What is no ASCII in a value is percent-encoded.',
    {
      callbackHeader: ({ headerName, headerValue }) => ({
        [headerName]: headerValue.replace(/[^ -~]/g, (character) => encodeURIComponent(character)),
      }),
    },
    ['WCI-CB-006'],
  ),
  sometimes(
    'webhook-value-unquoted',
    'Quotation marks in a value are escaped.',
    {
      callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.replaceAll('"', '\\"') }),
    },
    ['WCI-CB-006'],
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
  sometimes(
    'webhook-retry-signed',
    'Retries carry an HMAC.',
    {
      callbackHeader: ({ headerName, headerValue }, delivery) => ({
        [headerName]: headerValue,
        ...(delivery > 0 ? { 'X-Hub-Hmac-Sha256': '0000' } : {}),
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

  // What it says
  always(
    'webhook-as-form',
    'Events are sent as form data.',
    {
      callbackBody: (event) =>
        Object.entries(event)
          .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
          .join('&'),
    },
    ['WCI-CB-003'],
    ['WCI-CB-001', 'WCI-CB-013', 'WCI-CB-021', 'WCI-CB-023', 'WCI-CB-026'],
  ),
  sometimes(
    'webhook-retry-as-batch',
    'Retries are sent as an array of events.',
    { callbackBody: (event, delivery) => JSON.stringify(delivery === 0 ? event : [event]) },
    ['WCI-CB-003'],
    ['WCI-CB-018'],
  ),
  sometimes(
    'webhook-retry-counted',
    'Retries tell which attempt they are.',
    {
      callbackBody: (event, delivery) =>
        JSON.stringify(delivery === 0 ? event : { ...event, attempt: delivery + 1 }),
    },
    ['WCI-CB-018'],
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
    'webhook-changes-list',
    'changes is a list of names.',
    { eventName: (body) => void (body.changes = Object.keys(body.changes as object)) },
    ['WCI-CB-009'],
    ['WCI-CB-011', 'WCI-CB-013', 'WCI-CB-021'],
  ),
  sometimes(
    'webhook-completion-untimed',
    'The event of a completion has no occurredAt.',
    {
      callbackBody: (event) =>
        JSON.stringify(
          (event.changes as { status?: string }).status === 'COMPLETED' ? omit(event, 'occurredAt') : event,
        ),
    },
    ['WCI-CB-009'],
  ),
  sometimes(
    'webhook-single-pass-text',
    'A single boarding pass is told as a text.',
    {
      changeValues: (after) => ({
        ...after,
        boarding_passes: oneOrMore(after.boarding_passes as readonly unknown[]),
      }),
    },
    ['WCI-CB-010'],
    ['WCI-CB-013', 'WCI-CB-020'],
  ),
  always(
    'webhook-other-event',
    'The event is named checkin.changed.',
    { eventName: (body) => void (body.event = 'checkin.changed') },
    ['WCI-CB-025'],
  ),
  sometimes(
    'webhook-event-of-completion',
    'A completion is an event of its own, webcheckin.completed.',
    {
      eventName: (body, headers) => {
        const { status } = body.changes as { status?: string };
        headers['x-event-type'] = status === 'COMPLETED' ? 'webcheckin.completed' : 'webcheckin.update';
      },
    },
    ['WCI-CB-025'],
  ),

  // When it happened
  sometimes(
    'webhook-time-of-delivery',
    'occurredAt is the time of the delivery.',
    { occurredAt: (_changedAt, now) => now },
    ['WCI-CB-019'],
  ),
  sometimes(
    'webhook-time-of-creation',
    'occurredAt is the time at which the request was made.',
    { occurredAt: (_changedAt, _now, { createdAt }) => createdAt },
    ['WCI-CB-019'],
  ),
  always(
    'webhook-time-in-seconds',
    'occurredAt has no milliseconds.',
    { occurredAtText: (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z` },
    ['WCI-DT-027'],
  ),
  always(
    'webhook-time-with-offset',
    'occurredAt is written with +00:00.',
    { occurredAtText: (ms) => new Date(ms).toISOString().replace('Z', '+00:00') },
    ['WCI-DT-027'],
  ),
  always(
    'webhook-time-as-number',
    'occurredAt is a number of milliseconds.',
    { occurredAtText: (ms) => ms },
    ['WCI-DT-027'],
  ),

  // What counts as delivered
  sometimes('webhook-only-200', 'Only 200 counts as delivered.', { delivered: (status) => status === 200 }, [
    'WCI-CB-016',
  ]),
  sometimes(
    'webhook-not-204',
    'An answer without content does not count as delivered.',
    { delivered: (status) => status >= 200 && status < 300 && status !== 204 },
    ['WCI-CB-016'],
  ),
  sometimes(
    'webhook-given-up-on-4xx',
    'A delivery that is answered 4xx is taken for delivered.',
    { delivered: (status) => (status >= 200 && status < 300) || (status >= 400 && status < 500) },
    ['WCI-CB-017'],
  ),
  sometimes(
    'webhook-redirect-taken',
    'A delivery that is redirected is taken for delivered.',
    { delivered: (status) => (status >= 200 && status < 300) || (status > 300 && status < 400) },
    ['WCI-CB-017'],
  ),
  sometimes(
    'webhook-300-taken',
    'Success goes up to 300, this one included.',
    { delivered: (status) => status >= 200 && status <= 300 },
    ['WCI-CB-017'],
  ),
];

function oneOrMore(passes: readonly unknown[]): unknown {
  return passes.length === 1 ? passes[0] : passes;
}
