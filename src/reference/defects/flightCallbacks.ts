import { isSameFlight } from '../flightAlerts/subscriptions.ts';
import { omit } from './omit.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** Mistakes in flight change notifications. */
export const flightCallbackDefects: readonly Defect[] = [
  always('notify-bearer', 'The callback key is sent with a Bearer prefix.', 'FLA-CB-003', {
    authorization: (key) => ({ authorization: `Bearer ${key}` }),
  }),
  always('notify-api-key-header', 'The callback key is sent in X-API-Key.', 'FLA-CB-003', {
    authorization: (key) => ({ 'x-api-key': key }),
  }),
  sometimes('notify-retry-without-key', 'Retries carry no key.', 'FLA-CB-020 also FLA-CB-003', {
    authorization: (key, delivery) => (delivery === 0 ? { authorization: key } : {}),
  }),
  always('notify-signature', 'A signature header is added.', 'FLA-CB-004', {
    authorization: (key) => ({ authorization: key, 'x-hmac-sha256': '0000' }),
  }),
  always('notify-as-text', 'Notifications are sent as text.', 'FLA-CB-002', {
    authorization: (key) => ({ authorization: key, 'content-type': 'text/plain' }),
  }),
  sometimes('notify-fid-as-number', 'A fid of digits is echoed as a number.', 'FLA-CB-006 also FLA-CB-005', {
    echoedFid: (fid) => (/^\d+$/.test(fid) ? Number(fid) : fid),
  }),
  sometimes(
    'notify-fid-as-integer',
    'A fid that is an integer is echoed as a number.',
    'FLA-CB-006 also FLA-CB-005',
    { echoedFid: (fid) => (String(Number(fid)) === fid ? Number(fid) : fid) },
  ),
  sometimes('notify-fid-without-zeros', 'Leading zeros of a fid are lost.', 'FLA-CB-006', {
    echoedFid: (fid) => fid.replace(/^0+(?=.)/, ''),
  }),
  sometimes('notify-fid-trimmed', 'A fid is trimmed.', 'FLA-CB-006', { echoedFid: (fid) => fid.trim() }),
  sometimes('notify-fid-visible', 'A fid loses what is not seen.', 'FLA-CB-006', {
    echoedFid: (fid) => fid.replace(/\p{Cf}/gu, ''),
  }),
  sometimes('notify-fid-ascii', 'A fid loses what is not ASCII.', 'FLA-CB-006', {
    echoedFid: (fid) => fid.replace(/[^\x20-\x7e]/g, '?'),
  }),
  always('notify-flat', 'Changes have dotted names.', 'FLA-CB-007', { shapeChanges: flat }),
  sometimes(
    'notify-nulls-dropped',
    'A cleared value is left out.',
    'FLA-CB-011 also FLA-CB-013 FLA-CB-014 FLA-CB-032',
    {
      shapeChanges: withoutNulls,
    },
  ),
  sometimes(
    'notify-first-change-only',
    'Of several changed parts only the first is reported.',
    'FLA-CB-009 also FLA-CB-011 FLA-CB-013 FLA-CB-014',
    { shapeChanges: (changes) => Object.fromEntries(Object.entries(changes).slice(0, 1)) },
  ),
  sometimes(
    'notify-arrival-dropped',
    'Changes of the arrival are not reported.',
    'FLA-CB-009 also FLA-CB-011 FLA-CB-032',
    {
      shapeChanges: (changes) => omit(changes, 'arrival'),
    },
  ),
  sometimes(
    'notify-stopover-dropped',
    'Changes of the stopover are not reported.',
    'FLA-CB-014 also FLA-CB-032',
    {
      shapeChanges: (changes) => omit(changes, 'stopover'),
    },
  ),
  sometimes('notify-alternates-always', 'Alternate routes are reported with every change.', 'FLA-CB-012', {
    shapeChanges: (changes, snapshot) =>
      'alternateInfo' in snapshot ? { ...changes, alternateInfo: snapshot.alternateInfo } : changes,
  }),
  sometimes(
    'notify-one-alternate',
    'Only the first alternate route is reported.',
    'FLA-CB-013 also FLA-CB-001',
    {
      shapeChanges: (changes) =>
        Array.isArray(changes.alternateInfo)
          ? { ...changes, alternateInfo: changes.alternateInfo.slice(0, 1) }
          : changes,
    },
  ),
  sometimes('notify-status-rewritten', 'Statuses are rewritten in notifications.', 'FLA-CB-024', {
    shapeChanges: (changes) =>
      'status' in changes
        ? {
            ...changes,
            status: { delay: 'delayed', cancel: 'cancelled' }[String(changes.status)] ?? changes.status,
          }
        : changes,
  }),
  sometimes('notify-times-iso', 'Times in notifications have a T and a Z.', 'FLA-CB-022', {
    shapeChanges: (changes) =>
      changes.departure ? { ...changes, departure: isoTimes(changes.departure as Part) } : changes,
  }),
  sometimes('notify-old-values', 'Cleared gates keep telling the last one.', 'FLA-CB-011', {
    shapeChanges: (changes) => {
      const departure = changes.departure as Part | undefined;
      return departure?.gate === null ? { ...changes, departure: { ...departure, gate: '' } } : changes;
    },
  }),
  sometimes(
    'notify-all-legs',
    'A change of any leg is reported to all subscribers of the flight.',
    'FLA-SUB-014',
    { notifies: (_subscription, leg, changed) => isSameFlight(leg, changed) },
  ),
  always('notify-nobody', 'No change is reported.', 'FLA-CB-001', { notifies: () => false }),
  sometimes('notify-given-up', 'After three failed deliveries a callback gets nothing more.', 'FLA-CB-080', {
    givesUpFlight: (failures) => failures >= 3,
  }),
  sometimes('notify-ended-by-410', 'One answer 410 ends a callback.', 'FLA-CB-080 also FLA-CB-001', {
    givesUpFlight: (_failures, status) => status === 410,
  }),
  sometimes('notify-redirects-followed', 'Redirects are followed.', 'FLA-CB-016', { flightRedirects: true }),

  sometimes(
    'notify-whole-departure',
    'All of the departure is reported when a part of it changes.',
    'FLA-CB-010 also FLA-CB-009',
    {
      shapeChanges: (changes, snapshot) =>
        changes.departure === undefined ? changes : { ...changes, departure: snapshot.departure },
    },
  ),
  sometimes('notify-polling', 'Changes of polling-only legs go to a callback of the partner.', 'FLA-CB-017', {
    callbackOf: ({ callback }, others) => callback ?? others.find((one) => one.callback)?.callback ?? null,
  }),
  sometimes(
    'notify-fid-of-the-partner',
    'All notifications of a partner carry its first fid.',
    'FLA-CB-023 also FLA-CB-006',
    {
      callbackOf: ({ callback }, others) => {
        const fid = others.find((one) => one.callback)?.callback?.fid;
        return callback && fid !== undefined ? { ...callback, fid } : callback;
      },
    },
  ),
];

function flat(changes: Part): Part {
  const members = Object.entries(changes).flatMap(([name, value]): [string, unknown][] =>
    isPart(value) ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one]) : [[name, value]],
  );
  return Object.fromEntries(members);
}

function withoutNulls(changes: Part): Part {
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, isPart(value) ? withoutNulls(value) : value]),
  );
}

function isoTimes(end: Part): Part {
  return Object.fromEntries(
    Object.entries(end).map(([name, value]) => [
      name,
      name.endsWith('Time') && typeof value === 'string' ? `${value.replace(' ', 'T')}Z` : value,
    ]),
  );
}
