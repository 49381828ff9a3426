import { isSameFlight, isSameRoute } from '../flightAlerts/policy.ts';
import type { FlightCallback, Subscription } from '../flightAlerts/subscriptions.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** Mistakes in who is notified, where, and by which credentials. */
export const flightNotificationDefects: readonly Defect[] = [
  // The request
  always('notify-put', 'Notifications are sent by PUT.', { notificationMethod: 'PUT' }, ['FLA-CB-002']),
  sometimes(
    'notify-retry-as-text',
    'Repeated notifications are sent as text.',
    {
      notificationHeaders: (delivery) => ({
        'content-type': delivery === 0 ? 'application/json' : 'text/plain',
      }),
    },
    ['FLA-CB-002'],
  ),
  sometimes(
    'notify-retry-signed',
    'Repeated notifications carry a signature.',
    {
      authorization: (key, delivery) => ({
        authorization: key,
        ...(delivery === 0 ? {} : { 'x-hub-signature-256': 'sha256=00' }),
      }),
    },
    ['FLA-CB-004'],
  ),
  always(
    'notify-body-signature',
    'The body carries a signature.',
    { notificationBody: (notification) => ({ ...notification, signature: 'c2lnbmF0dXJl' }) },
    ['FLA-CB-004'],
  ),
  always(
    'notify-partner-key',
    "The partner's own X-API-Key is sent along.",
    { authorization: (key, _delivery, { partnerKey }) => ({ authorization: key, 'x-api-key': partnerKey }) },
    ['FLA-CB-003'],
  ),
  sometimes(
    'notify-third-delivery-bearer',
    'From the third delivery of an event on the key has a Bearer prefix.',
    { authorization: (key, delivery) => ({ authorization: delivery < 2 ? key : `Bearer ${key}` }) },
    ['FLA-CB-020'],
    ['FLA-CB-003'],
  ),
  sometimes(
    'notify-retry-short-fid',
    'Repeated notifications lose the leading zeros of the fid.',
    { echoedFid: (fid, delivery) => (delivery === 0 ? fid : fid.replace(/^0+(?=.)/, '')) },
    ['FLA-CB-020'],
    ['FLA-CB-006'],
  ),

  // The body
  always('notify-without-fid', 'The body has no fid.', { notificationBody: ({ changes }) => ({ changes }) }, [
    'FLA-CB-005',
  ]),
  always(
    'notify-changes-as-text',
    'changes is JSON in a string.',
    { notificationBody: ({ fid, changes }) => ({ fid, changes: JSON.stringify(changes) }) },
    ['FLA-CB-005'],
  ),
  always(
    'notify-changes-as-list',
    'changes is a list of fields.',
    {
      notificationBody: ({ fid, changes }) => ({
        fid,
        changes: Object.entries(changes).map(([field, value]) => ({ field, value })),
      }),
    },
    ['FLA-CB-005'],
  ),
  sometimes(
    'notify-fid-composed',
    'A fid is normalized to composed characters.',
    { echoedFid: (fid) => fid.normalize('NFC') },
    ['FLA-CB-006'],
  ),
  sometimes(
    'notify-fid-lower-case',
    'A fid is echoed in lower case.',
    { echoedFid: (fid) => fid.toLowerCase() },
    ['FLA-CB-006'],
  ),
  sometimes('notify-fid-cut', 'A fid is cut after 64 characters.', { echoedFid: (fid) => fid.slice(0, 64) }, [
    'FLA-CB-006',
  ]),

  // The address
  sometimes(
    'notify-query-dropped',
    'The query of a callbackUrl is left out.',
    { notifiedUrl: (url) => url.replace(/\?.*/, '') },
    ['FLA-CB-030'],
  ),
  sometimes(
    'notify-query-decoded',
    'Escapes in the query of a callbackUrl are decoded.',
    { notifiedUrl: (url) => url.replace(/%2F/gi, '/').replace(/%3A/gi, ':') },
    ['FLA-CB-030'],
  ),
  sometimes(
    'notify-trailing-slash-dropped',
    'A slash at the end of a callbackUrl is left out.',
    { notifiedUrl: (url) => url.replace(/\/$/, '') },
    ['FLA-CB-030'],
  ),

  // Who is told
  sometimes(
    'notify-every-date',
    'A change is told to the subscribers of the leg on all dates.',
    {
      notifies: (_subscription, leg, changed) =>
        leg.flightNumber === changed.flightNumber && isSameRoute(leg, changed),
    },
    ['FLA-SUB-014'],
  ),
  sometimes(
    'notify-by-departure',
    'A change is told to the subscribers of all legs from the same airport.',
    {
      notifies: (_subscription, leg, changed) => isSameFlight(leg, changed) && leg.from === changed.from,
    },
    ['FLA-SUB-014'],
  ),
  sometimes(
    'notify-by-arrival',
    'A change is told to the subscribers of all legs to the same airport.',
    { notifies: (_subscription, leg, changed) => isSameFlight(leg, changed) && leg.to === changed.to },
    ['FLA-SUB-014'],
  ),
  sometimes(
    'notify-return-leg',
    'A change is told to the subscribers of the way back as well.',
    {
      notifies: (_subscription, leg, changed) =>
        isSameFlight(leg, changed) &&
        [leg.from, leg.to].sort().join() === [changed.from, changed.to].sort().join(),
    },
    ['FLA-SUB-014'],
  ),
  sometimes(
    'notify-first-subscriber-only',
    'Only the first of several subscribers of a leg is told.',
    { receivers: (subscribers) => subscribers.slice(0, 1) },
    ['FLA-CB-001'],
  ),
  sometimes(
    'notify-first-leg-only',
    'Of several subscribed legs of a flight only changes of the first are told.',
    {
      receivers: (subscribers, ofFlight) =>
        subscribers.filter(
          ({ owner, leg }) => ofFlight.find((one) => one.owner === owner)?.leg.from === leg.from,
        ),
    },
    ['FLA-CB-001'],
  ),
  sometimes(
    'notify-first-subscriber-key',
    'All subscribers of a leg are told with the key of the first.',
    { receivers: (subscribers) => subscribers.map((one) => withFirst(one, subscribers, 'apiKey')) },
    ['FLA-CB-021'],
    ['FLA-CB-003'],
  ),
  sometimes(
    'notify-first-subscriber-fid',
    'All subscribers of a leg are told with the fid of the first.',
    { receivers: (subscribers) => subscribers.map((one) => withFirst(one, subscribers, 'fid')) },
    ['FLA-CB-021'],
    ['FLA-CB-006'],
  ),
  sometimes(
    'notify-first-subscriber-url',
    'All subscribers of a leg are told at the address of the first.',
    { receivers: (subscribers) => subscribers.map((one) => withFirst(one, subscribers, 'url')) },
    ['FLA-CB-021'],
    ['FLA-CB-001', 'FLA-CB-003', 'FLA-CB-006', 'FLA-CB-020'],
  ),

  // What came before
  sometimes(
    'notify-attached-never',
    'A callback that was attached later gets nothing.',
    { callbackOf: ({ callback }) => (callback?.isAttached === true ? null : callback) },
    ['FLA-CB-018'],
  ),
  sometimes(
    'notify-attached-other-key',
    'A callback that was attached later gets another key than was returned.',
    {
      callbackOf: ({ callback }) =>
        callback?.isAttached === true ? { ...callback, apiKey: `${callback.apiKey}2` } : callback,
    },
    ['FLA-CB-003'],
  ),
  sometimes(
    'notify-retry-rotates-key',
    'An identical subscribe changes the key.',
    { onRetry: (subscription) => changeCallback(subscription, ({ apiKey }) => ({ apiKey: `${apiKey}2` })) },
    ['FLA-SUB-007'],
    ['FLA-CB-003'],
  ),
  sometimes(
    'notify-polling-rotates-key',
    'A later subscribe without callbackData changes the key.',
    { onPolling: (subscription) => changeCallback(subscription, ({ apiKey }) => ({ apiKey: `${apiKey}2` })) },
    ['FLA-CB-019'],
    ['FLA-CB-003'],
  ),
  sometimes(
    'notify-polling-forgets-zeros',
    'A later subscribe without callbackData changes the fid.',
    {
      onPolling: (subscription) =>
        changeCallback(subscription, ({ fid }) => ({ fid: fid.replace(/^0+(?=.)/, '') })),
    },
    ['FLA-CB-019'],
    ['FLA-CB-006', 'FLA-SUB-012'],
  ),
  sometimes(
    'notify-on-retry',
    'An identical subscribe sends a notification of what has not changed.',
    { repeatedCallback: 'current' },
    ['FLA-CB-010'],
  ),
];

/** A subscription with one member of its callback as the first subscriber of the leg has it. */
function withFirst(
  subscription: Subscription,
  subscribers: readonly Subscription[],
  member: 'apiKey' | 'fid' | 'url',
): Subscription {
  const first = subscribers.find(({ callback }) => callback)?.callback;
  const { callback } = subscription;
  return callback && first
    ? { ...subscription, callback: { ...callback, [member]: first[member] } }
    : subscription;
}

function changeCallback(
  subscription: Subscription,
  change: (callback: FlightCallback) => Partial<FlightCallback>,
): void {
  const { callback } = subscription;
  if (callback) subscription.callback = { ...callback, ...change(callback) };
}
