import { omit } from './omit.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('webcheckin');

/** Mistakes in what a delivered status webhook looks like on the wire. */
export const checkinDeliveryDefects: readonly Defect[] = [
  sometimes('webhook-given-up', 'After three failed deliveries a webhook gets nothing more.', 'WCI-CB-080', {
    givesUp: (failures) => failures >= 3,
  }),
  sometimes(
    'webhook-ended-by-410',
    'One answer 410 ends a webhook.',
    'WCI-CB-080 also WCI-CB-017 WCI-CB-021',
    {
      givesUp: (_failures, status) => status === 410,
    },
  ),
  sometimes(
    'webhook-ended-by-4xx',
    'One answer 4xx other than 429 ends a webhook.',
    'WCI-CB-080 also WCI-CB-001 WCI-CB-017 WCI-CB-021',
    {
      givesUp: (_failures, status) => status !== null && status >= 400 && status < 429,
    },
  ),

  // Where it goes
  always('webhook-put', 'Events are sent with PUT.', 'WCI-CB-002', { callbackMethod: 'PUT' }),
  sometimes('webhook-url-without-query', 'The query of a callbackUrl is dropped.', 'WCI-CB-004', {
    callbackTarget: (url) => url.split('?', 1)[0] ?? url,
  }),
  sometimes('webhook-url-slash-added', 'A slash is added to a path that has none at its end.', 'WCI-CB-004', {
    callbackTarget: (text) => {
      const url = new URL(text);
      if (!url.pathname.endsWith('/')) url.pathname += '/';
      return url.href;
    },
  }),
  sometimes('webhook-url-decoded', 'Percent-encoded slashes of a callbackUrl are decoded.', 'WCI-CB-004', {
    callbackTarget: (url) => url.replaceAll('%2F', '/'),
  }),
  sometimes(
    'webhook-url-of-latest-request',
    'All events of an enterprise go to the webhook that was registered last.',
    'WCI-CB-004 also WCI-CB-023 WCI-CB-013 WCI-CB-021 WCI-CB-026',
    {
      recipients: ({ callback, enterprise }, all) => {
        const own = [...all()].filter((one) => one.enterprise === enterprise);
        return callback ? [own.findLast((one) => one.callback)?.callback ?? callback] : [];
      },
    },
  ),

  // What it is authorized by
  always('webhook-without-auth', 'Deliveries carry no auth_header.', 'WCI-CB-005', {
    callbackHeader: () => ({}),
  }),
  sometimes('webhook-retry-without-header', 'Retries carry no auth_header.', 'WCI-CB-005', {
    callbackHeader: ({ headerName, headerValue }, delivery) =>
      delivery === 0 ? { [headerName]: headerValue } : {},
  }),
  sometimes(
    'webhook-always-api-key',
    'The value is sent as X-API-Key also where Authorization was configured.',
    'WCI-CB-005 also WCI-CB-007',
    { callbackHeader: ({ headerValue }) => ({ 'X-API-Key': headerValue }) },
  ),
  always('webhook-both-headers', 'The value is sent in both headers.', 'WCI-CB-007', {
    callbackHeader: ({ headerValue }) => ({ 'X-API-Key': headerValue, Authorization: headerValue }),
  }),
  sometimes('webhook-value-lower-case', 'The value of an auth_header is sent in lower case.', 'WCI-CB-006', {
    callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.toLowerCase() }),
  }),
  sometimes('webhook-bearer-added', 'Authorization values get a Bearer prefix.', 'WCI-CB-006', {
    callbackHeader: ({ headerName, headerValue }) => ({
      [headerName]: headerName.toLowerCase() === 'authorization' ? `Bearer ${headerValue}` : headerValue,
    }),
  }),
  sometimes('webhook-bearer-removed', 'A Bearer at the beginning of a value is removed.', 'WCI-CB-006', {
    callbackHeader: ({ headerName, headerValue }) => ({
      [headerName]: headerValue.replace(/^Bearer /, ''),
    }),
  }),
  sometimes('webhook-spaces-folded', 'Several spaces inside a value become one.', 'WCI-CB-006', {
    callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.replace(/ +/g, ' ') }),
  }),
  sometimes('webhook-value-encoded', 'What is no ASCII in a value is percent-encoded.', 'WCI-CB-006', {
    callbackHeader: ({ headerName, headerValue }) => ({
      [headerName]: headerValue.replace(/[^ -~]/g, (character) => encodeURIComponent(character)),
    }),
  }),
  sometimes('webhook-value-unquoted', 'Quotation marks in a value are escaped.', 'WCI-CB-006', {
    callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue.replaceAll('"', '\\"') }),
  }),
  always('webhook-signature-header', 'A signature header is added.', 'WCI-CB-008', {
    callbackHeader: ({ headerName, headerValue }) => ({
      [headerName]: headerValue,
      'X-Signature': 'sha256=0000',
    }),
  }),
  sometimes('webhook-retry-signed', 'Retries carry an HMAC.', 'WCI-CB-008', {
    callbackHeader: ({ headerName, headerValue }, delivery) => ({
      [headerName]: headerValue,
      ...(delivery > 0 ? { 'X-Hub-Hmac-Sha256': '0000' } : {}),
    }),
  }),
  always('webhook-body-signature', 'A signature is added to the body.', 'WCI-CB-008', {
    eventName: (body) => void (body.signature = 'sha256=0000'),
  }),

  // What it says
  always(
    'webhook-as-form',
    'Events are sent as form data.',
    'WCI-CB-003 also WCI-CB-001 WCI-CB-013 WCI-CB-021 WCI-CB-023 WCI-CB-026',
    {
      callbackBody: (event) =>
        Object.entries(event)
          .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
          .join('&'),
    },
  ),
  sometimes(
    'webhook-retry-as-batch',
    'Retries are sent as an array of events.',
    'WCI-CB-003 also WCI-CB-018',
    { callbackBody: (event, delivery) => JSON.stringify(delivery === 0 ? event : [event]) },
  ),
  sometimes('webhook-retry-counted', 'Retries tell which attempt they are.', 'WCI-CB-018', {
    callbackBody: (event, delivery) =>
      JSON.stringify(delivery === 0 ? event : { ...event, attempt: delivery + 1 }),
  }),
  always('webhook-id-renamed', 'The event gives the checkin_id as id.', 'WCI-CB-009', {
    eventName: (body) => {
      body.id = body.checkin_id;
      delete body.checkin_id;
    },
  }),
  always(
    'webhook-changes-list',
    'changes is a list of names.',
    'WCI-CB-009 also WCI-CB-011 WCI-CB-013 WCI-CB-021',
    { eventName: (body) => void (body.changes = Object.keys(body.changes as object)) },
  ),
  sometimes('webhook-completion-untimed', 'The event of a completion has no occurredAt.', 'WCI-CB-009', {
    callbackBody: (event) =>
      JSON.stringify(
        (event.changes as { status?: string }).status === 'COMPLETED' ? omit(event, 'occurredAt') : event,
      ),
  }),
  sometimes(
    'webhook-single-pass-text',
    'A single boarding pass is reported as a text.',
    'WCI-CB-010 also WCI-CB-013 WCI-CB-020',
    {
      changeValues: (after) => ({
        ...after,
        boarding_passes: oneOrMore(after.boarding_passes as readonly unknown[]),
      }),
    },
  ),
  sometimes(
    'webhook-failure-spelt-otherwise',
    'A failure is reported as Failed.',
    'WCI-SUB-022 also WCI-CB-020 WCI-CB-021',
    {
      changeValues: (after) => ({
        ...after,
        status: after.status === 'FAILED' ? 'Failed' : after.status,
      }),
    },
  ),
  always('webhook-other-event', 'The event is named checkin.changed.', 'WCI-CB-025', {
    eventName: (body) => void (body.event = 'checkin.changed'),
  }),
  sometimes(
    'webhook-event-of-completion',
    'A completion is an event of its own, webcheckin.completed.',
    'WCI-CB-025',
    {
      eventName: (body, headers) => {
        const { status } = body.changes as { status?: string };
        headers['x-event-type'] = status === 'COMPLETED' ? 'webcheckin.completed' : 'webcheckin.update';
      },
    },
  ),

  // When it happened
  sometimes(
    'webhook-time-of-delivery',
    'occurredAt is the time of the delivery.',
    'WCI-CB-019 also WCI-CB-018',
    { occurredAt: (_changedAt, now) => now },
  ),
  sometimes(
    'webhook-time-of-creation',
    'occurredAt is the time at which the request was made.',
    // What is pushed again is the same as before, and counts as its repetition.
    'WCI-CB-019 also WCI-CB-021',
    { occurredAt: (_changedAt, _now, { createdAt }) => createdAt },
  ),
  always('webhook-time-in-seconds', 'occurredAt has no milliseconds.', 'WCI-DT-027', {
    occurredAtText: (ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`,
  }),
  always('webhook-time-with-offset', 'occurredAt is written with +00:00.', 'WCI-DT-027', {
    occurredAtText: (ms) => new Date(ms).toISOString().replace('Z', '+00:00'),
  }),
  always('webhook-time-as-number', 'occurredAt is a number of milliseconds.', 'WCI-DT-027', {
    occurredAtText: (ms) => ms,
  }),

  // What counts as delivered
  sometimes('webhook-only-200', 'Only 200 counts as delivered.', 'WCI-CB-016', {
    delivered: (status) => status === 200,
  }),
  sometimes('webhook-not-204', 'An answer without content does not count as delivered.', 'WCI-CB-016', {
    delivered: (status) => status >= 200 && status < 300 && status !== 204,
  }),
  sometimes('webhook-not-202', 'An answer of 202 does not count as delivered.', 'WCI-CB-016', {
    delivered: (status) => status >= 200 && status < 300 && status !== 202,
  }),
  sometimes('webhook-not-201', 'An answer of 201 does not count as delivered.', 'WCI-CB-016', {
    delivered: (status) => status >= 200 && status < 300 && status !== 201,
  }),
  sometimes(
    'webhook-given-up-on-4xx',
    'A delivery that is answered 4xx is taken for delivered.',
    'WCI-CB-017',
    { delivered: (status) => (status >= 200 && status < 300) || (status >= 400 && status < 500) },
  ),
  sometimes('webhook-429-taken', 'A delivery that is answered 429 is taken for delivered.', 'WCI-CB-017', {
    delivered: (status) => (status >= 200 && status < 300) || status === 429,
  }),
  sometimes('webhook-redirect-taken', 'A delivery that is redirected is taken for delivered.', 'WCI-CB-017', {
    delivered: (status) => (status >= 200 && status < 300) || (status > 300 && status < 400),
  }),
  sometimes('webhook-300-taken', 'Success goes up to 300, this one included.', 'WCI-CB-017', {
    delivered: (status) => status >= 200 && status <= 300,
  }),
  sometimes('webhook-api-key-lower-case', 'The value of an X-API-Key is sent in lower case.', 'WCI-CB-006', {
    callbackHeader: ({ headerName, headerValue }) => ({
      [headerName]: headerName.toLowerCase() === 'x-api-key' ? headerValue.toLowerCase() : headerValue,
    }),
  }),
];

function oneOrMore(passes: readonly unknown[]): unknown {
  return passes.length === 1 ? passes[0] : passes;
}
