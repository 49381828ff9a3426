import {
  isSameFlight,
  isSameRoute,
  type FlightCallback,
  type Subscription,
} from '../flightAlerts/subscriptions.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** What each subscriber was told. */
const toldTo = new WeakMap<Subscription, Set<string>>();

/** Mistakes in who is notified, where, and by which credentials. */
export const flightNotificationDefects: readonly Defect[] = [
  // The request
  always('notify-put', 'Notifications are sent by PUT.', 'FLA-CB-002', { notificationMethod: 'PUT' }),
  sometimes('notify-retry-as-text', 'Repeated notifications are sent as text.', 'FLA-CB-002', {
    notificationHeaders: (delivery) => ({
      'content-type': delivery === 0 ? 'application/json' : 'text/plain',
    }),
  }),
  sometimes('notify-retry-signed', 'Repeated notifications carry a signature.', 'FLA-CB-004', {
    authorization: (key, delivery) => ({
      authorization: key,
      ...(delivery === 0 ? {} : { 'x-hub-signature-256': 'sha256=00' }),
    }),
  }),
  always('notify-body-signature', 'The body carries a signature.', 'FLA-CB-004', {
    notificationBody: (notification) => ({ ...notification, signature: 'c2lnbmF0dXJl' }),
  }),
  always('notify-partner-key', "The partner's own X-API-Key is sent along.", 'FLA-CB-003', {
    authorization: (key, _delivery, { partnerKey }) => ({ authorization: key, 'x-api-key': partnerKey }),
  }),
  sometimes(
    'notify-third-delivery-bearer',
    'From the third delivery of an event on the key has a Bearer prefix.',
    'FLA-CB-020 also FLA-CB-003',
    { authorization: (key, delivery) => ({ authorization: delivery < 2 ? key : `Bearer ${key}` }) },
  ),
  sometimes(
    'notify-retry-short-fid',
    'Repeated notifications lose the leading zeros of the fid.',
    'FLA-CB-020 also FLA-CB-005 FLA-CB-006',
    { echoedFid: (fid, delivery) => (delivery === 0 ? fid : fid.replace(/^0+(?=.)/, '')) },
  ),

  sometimes(
    'notify-retry-numeric-fid',
    'A repeated fid of digits is a number.',
    'FLA-CB-020 also FLA-CB-005 FLA-CB-006',
    {
      echoedFid: (fid, delivery) => (delivery > 0 && /^\d+$/.test(fid) ? Number(fid) : fid),
    },
  ),
  sometimes(
    'notify-retry-empty',
    'A repeated notification has no changes.',
    'FLA-CB-020 also FLA-CB-008 FLA-CB-032',
    {
      notificationBody: ({ fid, changes }, delivery) => ({ fid, changes: delivery > 0 ? {} : changes }),
    },
  ),

  sometimes('notify-leap-day', 'Changes of a flight on a leap day are not reported.', 'FLA-CB-001', {
    notifies: (_subscription, leg, changed) =>
      isSameFlight(leg, changed) && isSameRoute(leg, changed) && !changed.date.endsWith('-02-29'),
  }),

  // The body
  always('notify-without-fid', 'The body has no fid.', 'FLA-CB-005', {
    notificationBody: ({ changes }) => ({ changes }),
  }),
  always('notify-changes-as-text', 'changes is JSON in a string.', 'FLA-CB-005', {
    notificationBody: ({ fid, changes }) => ({ fid, changes: JSON.stringify(changes) }),
  }),
  always('notify-changes-as-list', 'changes is a list of fields.', 'FLA-CB-005', {
    notificationBody: ({ fid, changes }) => ({
      fid,
      changes: Object.entries(changes).map(([field, value]) => ({ field, value })),
    }),
  }),
  sometimes('notify-fid-composed', 'A fid is normalized to composed characters.', 'FLA-CB-006', {
    echoedFid: (fid) => fid.normalize('NFC'),
  }),
  sometimes('notify-fid-lower-case', 'A fid is echoed in lower case.', 'FLA-CB-006', {
    echoedFid: (fid) => fid.toLowerCase(),
  }),
  sometimes('notify-fid-cut', 'A fid is cut after 64 characters.', 'FLA-CB-006', {
    echoedFid: (fid) => fid.slice(0, 64),
  }),

  // The address
  sometimes('notify-query-dropped', 'The query of a callbackUrl is left out.', 'FLA-CB-030', {
    notifiedUrl: (url) => url.replace(/\?.*/, ''),
  }),
  sometimes('notify-query-decoded', 'Escapes in the query of a callbackUrl are decoded.', 'FLA-CB-030', {
    notifiedUrl: (url) => url.replace(/%2F/gi, '/').replace(/%3A/gi, ':'),
  }),
  sometimes('notify-url-cut', 'A callbackUrl is cut after 255 characters.', 'FLA-CB-030', {
    notifiedUrl: (url) => url.slice(0, 255),
  }),
  sometimes(
    'notify-trailing-slash-dropped',
    'A slash at the end of a callbackUrl is left out.',
    'FLA-CB-030',
    { notifiedUrl: (url) => url.replace(/\/$/, '') },
  ),

  // Who is notified
  sometimes(
    'notify-every-date',
    'A change is reported to the subscribers of the leg on all dates.',
    'FLA-SUB-014',
    {
      notifies: (_subscription, leg, changed) =>
        leg.flightNumber === changed.flightNumber && isSameRoute(leg, changed),
    },
  ),
  sometimes(
    'notify-longer-numbers',
    'A change is reported to the subscribers of a number that its own begins with.',
    'FLA-SUB-014',
    {
      notifies: (_subscription, leg, changed) =>
        changed.flightNumber.startsWith(leg.flightNumber) &&
        leg.date === changed.date &&
        isSameRoute(leg, changed),
    },
  ),
  sometimes(
    'notify-by-departure',
    'A change is reported to the subscribers of all legs from the same airport.',
    'FLA-SUB-014',
    {
      notifies: (_subscription, leg, changed) => isSameFlight(leg, changed) && leg.from === changed.from,
    },
  ),
  sometimes(
    'notify-by-arrival',
    'A change is reported to the subscribers of all legs to the same airport.',
    'FLA-SUB-014',
    { notifies: (_subscription, leg, changed) => isSameFlight(leg, changed) && leg.to === changed.to },
  ),
  sometimes(
    'notify-return-leg',
    'A change is reported to the subscribers of the way back as well.',
    'FLA-SUB-014',
    {
      notifies: (_subscription, leg, changed) =>
        isSameFlight(leg, changed) &&
        [leg.from, leg.to].sort().join() === [changed.from, changed.to].sort().join(),
    },
  ),
  sometimes(
    'notify-cleaned-number-only',
    'Who subscribed with another spelling of the flight number gets nothing.',
    'FLA-CB-001',
    {
      notifies: ({ spelled }, leg, changed) => isSameFlight(spelled, changed) && isSameRoute(leg, changed),
    },
  ),
  sometimes(
    'notify-cleaned-airports-only',
    'Who subscribed with another spelling of the airport codes gets nothing.',
    'FLA-CB-001',
    {
      notifies: ({ spelled }, leg, changed) => isSameFlight(leg, changed) && isSameRoute(spelled, changed),
    },
  ),
  sometimes(
    'notify-first-subscriber-only',
    'Only the first of several subscribers of a leg is notified.',
    'FLA-CB-001',
    { receivers: (subscribers) => subscribers.slice(0, 1) },
  ),
  sometimes(
    'notify-first-leg-only',
    'Of several subscribed legs of a flight only changes of the first are reported.',
    'FLA-CB-001',
    {
      receivers: (subscribers, ofFlight) =>
        subscribers.filter(
          ({ owner, leg }) => ofFlight.find((one) => one.owner === owner)?.leg.from === leg.from,
        ),
    },
  ),
  sometimes(
    'notify-first-subscriber-key',
    'All subscribers of a leg are notified with the key of the first.',
    'FLA-CB-021 also FLA-CB-003',
    { receivers: (subscribers) => subscribers.map((one) => withFirst(one, subscribers, 'apiKey')) },
  ),
  sometimes(
    'notify-first-subscriber-fid',
    'All subscribers of a leg are notified with the fid of the first.',
    'FLA-CB-021 also FLA-CB-006',
    { receivers: (subscribers) => subscribers.map((one) => withFirst(one, subscribers, 'fid')) },
  ),
  sometimes(
    'notify-first-subscriber-url',
    'All subscribers of a leg are notified at the address of the first.',
    'FLA-CB-021 also FLA-CB-001 FLA-CB-003 FLA-CB-006 FLA-CB-020',
    { receivers: (subscribers) => subscribers.map((one) => withFirst(one, subscribers, 'url')) },
  ),

  // What came before
  sometimes('notify-equal-once', 'A change that equals an earlier one is not notified.', 'FLA-CB-001', {
    notificationsOf: (changes, _before, subscription) => {
      const told = toldTo.get(subscription) ?? new Set();
      const text = JSON.stringify(changes);
      if (told.has(text)) return [];
      toldTo.set(subscription, told.add(text));
      return [changes];
    },
  }),
  sometimes('notify-attached-never', 'A callback that was attached later gets nothing.', 'FLA-CB-018', {
    callbackOf: ({ callback }) => (callback?.isAttached === true ? null : callback),
  }),
  sometimes(
    'notify-attached-other-key',
    'A callback that was attached later gets another key than was returned.',
    'FLA-CB-003',
    {
      callbackOf: ({ callback }) =>
        callback?.isAttached === true ? { ...callback, apiKey: `${callback.apiKey}2` } : callback,
    },
  ),
  sometimes(
    'notify-retry-rotates-key',
    'An identical subscribe changes the key.',
    'FLA-SUB-007 also FLA-CB-003',
    { onRetry: (subscription) => changeCallback(subscription, ({ apiKey }) => ({ apiKey: `${apiKey}2` })) },
  ),
  sometimes(
    'notify-polling-rotates-key',
    'A later subscribe without callbackData changes the key.',
    'FLA-CB-019 also FLA-CB-003',
    { onPolling: (subscription) => changeCallback(subscription, ({ apiKey }) => ({ apiKey: `${apiKey}2` })) },
  ),
  sometimes(
    'notify-polling-forgets-zeros',
    'A later subscribe without callbackData changes the fid.',
    'FLA-CB-019 also FLA-CB-006 FLA-SUB-012',
    {
      onPolling: (subscription) =>
        changeCallback(subscription, ({ fid }) => ({ fid: fid.replace(/^0+(?=.)/, '') })),
    },
  ),
  sometimes(
    'notify-on-retry',
    'An identical subscribe sends a notification of what has not changed.',
    'FLA-CB-010',
    { repeatedCallback: 'current' },
  ),
  sometimes('notify-past-in-utc-silent', 'A leg whose date is past in UTC is not notified.', 'FLA-CB-033', {
    endsNotifying: ({ date }, now) => now >= Date.parse(date) + 86_400_000,
  }),
  sometimes('notify-unchanged', 'An upstream message that changes nothing is notified.', 'FLA-CB-032', {
    notifiesUnchanged: true,
  }),
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
