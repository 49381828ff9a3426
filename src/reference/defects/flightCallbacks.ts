import { isSameFlight } from '../flightAlerts/policy.ts';
import { omit } from './omit.ts';
import { isPart, type Part } from './part.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

/** Mistakes in flight change notifications. */
export const flightCallbackDefects: readonly Defect[] = [
  always(
    'notify-bearer',
    'The callback key is sent with a Bearer prefix.',
    { authorization: (key) => ({ authorization: `Bearer ${key}` }) },
    ['FLA-CB-003'],
  ),
  always(
    'notify-api-key-header',
    'The callback key is sent in X-API-Key.',
    { authorization: (key) => ({ 'x-api-key': key }) },
    ['FLA-CB-003'],
  ),
  sometimes(
    'notify-retry-without-key',
    'Retries carry no key.',
    { authorization: (key, delivery) => (delivery === 0 ? { authorization: key } : {}) },
    ['FLA-CB-020'],
    ['FLA-CB-003'],
  ),
  always(
    'notify-signature',
    'A signature header is added.',
    { authorization: (key) => ({ authorization: key, 'x-hmac-sha256': '0000' }) },
    ['FLA-CB-004'],
  ),
  always(
    'notify-as-text',
    'Notifications are sent as text.',
    { authorization: (key) => ({ authorization: key, 'content-type': 'text/plain' }) },
    ['FLA-CB-002'],
  ),
  sometimes(
    'notify-fid-as-number',
    'A fid of digits is echoed as a number.',
    { echoedFid: (fid) => (/^\d+$/.test(fid) ? Number(fid) : fid) },
    ['FLA-CB-006'],
    ['FLA-CB-005'],
  ),
  sometimes(
    'notify-fid-as-integer',
    'A fid that is an integer is echoed as a number.',
    { echoedFid: (fid) => (String(Number(fid)) === fid ? Number(fid) : fid) },
    ['FLA-CB-006'],
    ['FLA-CB-005'],
  ),
  sometimes(
    'notify-fid-without-zeros',
    'Leading zeros of a fid are lost.',
    { echoedFid: (fid) => fid.replace(/^0+(?=.)/, '') },
    ['FLA-CB-006'],
  ),
  sometimes('notify-fid-trimmed', 'A fid is trimmed.', { echoedFid: (fid) => fid.trim() }, ['FLA-CB-006']),
  sometimes(
    'notify-fid-ascii',
    'A fid loses what is not ASCII.',
    { echoedFid: (fid) => fid.replace(/[^\x20-\x7e]/g, '?') },
    ['FLA-CB-006'],
  ),
  always('notify-flat', 'Changes have dotted names.', { shapeChanges: flat }, ['FLA-CB-007']),
  sometimes(
    'notify-nulls-dropped',
    'A cleared value is left out.',
    { shapeChanges: withoutNulls },
    ['FLA-CB-011'],
    ['FLA-CB-013', 'FLA-CB-014'],
  ),
  sometimes(
    'notify-first-change-only',
    'Of several changed parts only the first is told.',
    { shapeChanges: (changes) => Object.fromEntries(Object.entries(changes).slice(0, 1)) },
    ['FLA-CB-009'],
    ['FLA-CB-011', 'FLA-CB-013', 'FLA-CB-014'],
  ),
  sometimes(
    'notify-arrival-dropped',
    'Changes of the arrival are not told.',
    { shapeChanges: (changes) => omit(changes, 'arrival') },
    ['FLA-CB-009'],
    ['FLA-CB-011'],
  ),
  sometimes(
    'notify-stopover-dropped',
    'Changes of the stopover are not told.',
    { shapeChanges: (changes) => omit(changes, 'stopover') },
    ['FLA-CB-014'],
  ),
  sometimes(
    'notify-alternates-always',
    'Alternate routes are told with every change.',
    {
      shapeChanges: (changes, snapshot) =>
        'alternateInfo' in snapshot ? { ...changes, alternateInfo: snapshot.alternateInfo } : changes,
    },
    ['FLA-CB-012'],
  ),
  sometimes(
    'notify-one-alternate',
    'Only the first alternate route is told.',
    {
      shapeChanges: (changes) =>
        Array.isArray(changes.alternateInfo)
          ? { ...changes, alternateInfo: changes.alternateInfo.slice(0, 1) }
          : changes,
    },
    ['FLA-CB-013'],
  ),
  sometimes(
    'notify-status-rewritten',
    'Statuses are rewritten in notifications.',
    {
      shapeChanges: (changes) =>
        'status' in changes
          ? {
              ...changes,
              status: { delay: 'delayed', cancel: 'cancelled' }[String(changes.status)] ?? changes.status,
            }
          : changes,
    },
    ['FLA-CB-024'],
  ),
  sometimes(
    'notify-times-iso',
    'Times in notifications have a T and a Z.',
    {
      shapeChanges: (changes) =>
        changes.departure ? { ...changes, departure: isoTimes(changes.departure as Part) } : changes,
    },
    ['FLA-CB-022'],
  ),
  sometimes(
    'notify-old-values',
    'Cleared gates keep telling the last one.',
    {
      shapeChanges: (changes) => {
        const departure = changes.departure as Part | undefined;
        return departure?.gate === null ? { ...changes, departure: { ...departure, gate: '' } } : changes;
      },
    },
    ['FLA-CB-011'],
  ),
  sometimes(
    'notify-all-legs',
    'A change of any leg is told to all subscribers of the flight.',
    { notifies: (_subscription, leg, changed) => isSameFlight(leg, changed) },
    ['FLA-SUB-014'],
  ),
  always('notify-nobody', 'No change is told.', { notifies: () => false }, ['FLA-CB-001']),
  sometimes('notify-redirects-followed', 'Redirects are followed.', { flightRedirects: true }, [
    'FLA-CB-016',
  ]),

  sometimes(
    'notify-whole-departure',
    'All of the departure is told when a part of it changes.',
    {
      shapeChanges: (changes, snapshot) =>
        changes.departure === undefined ? changes : { ...changes, departure: snapshot.departure },
    },
    ['FLA-CB-010'],
  ),
  sometimes(
    'notify-polling',
    'Changes of polling-only legs go to a callback of the partner.',
    {
      callbackOf: ({ callback }, others) => callback ?? others.find((one) => one.callback)?.callback ?? null,
    },
    ['FLA-CB-017'],
  ),
  sometimes(
    'notify-fid-of-the-partner',
    'All notifications of a partner carry its first fid.',
    {
      callbackOf: ({ callback }, others) => {
        const fid = others.find((one) => one.callback)?.callback?.fid;
        return callback && fid !== undefined ? { ...callback, fid } : callback;
      },
    },
    ['FLA-CB-023'],
    ['FLA-CB-006'],
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
