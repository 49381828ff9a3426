import { isInternalName } from '../flightAlerts/callbackUrl.ts';
import { documentedCleaning } from '../flightAlerts/flightNumber.ts';
import { airports, compare, type Snapshot } from '../flightAlerts/subscriptions.ts';
import { randomToken } from '../shared/tokens.ts';
import { point, type DialectPoint } from './point.ts';

type Members = Record<string, unknown>;

const noStore = { 'cache-control': 'no-store' };

/** Open points of flight alerts. */
export const flightDialectPoints: readonly DialectPoint[] = [
  point('callback-key', 'FLA-OPN-001', {
    'fac-40': {},
    long: { newKey: (random) => `flightalerts-cb.${randomToken(random, 96)}` },
    short: { newKey: (random) => `fa-${randomToken(random, 16)}` },
  }),
  point('flight-callback-retries', 'FLA-OPN-003', {
    three: {},
    none: { flightRetryMs: [] },
    quick: { flightRetryMs: [1_000, 3_000, 9_000, 27_000, 81_000] },
  }),
  point('flight-callback-order', null, {
    any: {},
    // What comes later waits until the earlier is taken or given up.
    'in-order': { notificationOrder: 'in-order' },
  }),
  point('leading-zeros', 'FLA-OPN-004', {
    'two-letters': {},
    'any-two': { cleaning: () => ({ ...documentedCleaning, zeros: /^([A-Z0-9]{2})0+(?=\d)/ }) },
    'three-letters-too': { cleaning: () => ({ ...documentedCleaning, zeros: /^([A-Z]{2,3})0+(?=\d)/ }) },
    'to-the-last': { cleaning: () => ({ ...documentedCleaning, zeros: /^([A-Z]{2})0+/ }) },
  }),
  point('leg-order', 'FLA-OPN-005', {
    'departure-arrival': {},
    'arrival-departure': {
      legOrder: (one, other) => compare([...airports(one)].reverse(), [...airports(other)].reverse()),
    },
    descending: { legOrder: (one, other) => compare(airports(other), airports(one)) },
  }),
  point('first-conflict', 'FLA-OPN-006', {
    url: {},
    fid: { firstConflict: 'EXTERNAL_FID_ALREADY_REGISTERED' },
  }),
  point('foreign-callback-members', 'FLA-OPN-007', {
    refused: {},
    ignored: { foreignCallbackMembers: 'ignored' },
  }),
  point('subscription-owner', 'FLA-OPN-008', {
    enterprise: {},
    key: { subscriptionOwner: ({ enterprise, key }) => `${enterprise.id} ${key}` },
  }),
  point('key-on-retry', 'FLA-OPN-009', { absent: {}, null: { keyOnRetry: () => null } }),
  point('key-scope', 'FLA-OPN-009', { subscription: {}, enterprise: { keyScope: 'enterprise' } }),
  point('fid-length', 'FLA-OPN-010', {
    'utf-16': {},
    'code-points': { fidLength: (fid) => Array.from(fid).length },
    bytes: { fidLength: (fid) => Buffer.byteLength(fid) },
  }),
  point('blank-fid', 'FLA-OPN-010', { accepted: {}, refused: { blankFid: 'refused' } }),
  point('url-comparison', 'FLA-OPN-011', {
    text: {},
    normalized: { sameUrl: (one, other) => new URL(one).href === new URL(other).href },
  }),
  point('scheme-case', 'FLA-OPN-033', { any: {}, lower: { schemeCase: 'lower' } }),
  point('internal-names', 'FLA-OPN-012', {
    listed: {},
    reserved: { isInternalHost: (host) => isInternalName(host) || /\.(test|invalid)\.?$/.test(host) },
    resolved: { isInternalHost: (host) => isInternalName(host) || leadsInside(host) },
  }),
  point('stopover-changes', 'FLA-OPN-013', {
    whole: {},
    changed: { stopoverChanges: 'changed' },
  }),
  point('cleared-stopover', 'FLA-OPN-029', {
    'as-changed': {},
    null: { clearedStopover: 'null' },
  }),
  point('cleared-alternate-info', 'FLA-OPN-030', { null: {}, empty: { clearedAlternateInfo: 'empty' } }),
  point('initial-callback', 'FLA-OPN-014', {
    none: {},
    current: { initialCallback: 'current' },
    whole: { initialCallback: 'whole' },
  }),
  point('accepting-answers', 'FLA-OPN-003', {
    '2xx': {},
    '200-only': { flightDelivered: (status) => status === 200 },
    any: { flightDelivered: () => true },
  }),
  // What the rules permit without naming it: duplicates, further members and headers, several notifications for one change.
  point('notification-copies', 'FLA-OPN-003', { once: {}, twice: { notificationCopies: 2 } }),
  point('notification-delay', 'FLA-OPN-003', {
    none: {},
    slow: { notificationDelayMs: () => 4_000 },
    overtaking: { notificationDelayMs: (count) => (count % 2 === 0 ? 900 : 0) },
  }),
  point('notification-parts', 'FLA-OPN-013', {
    whole: {},
    'by-part': {
      notificationsOf: (changes) => Object.entries(changes).map(([name, value]) => ({ [name]: value })),
    },
  }),
  point('notification-end', null, {
    never: {},
    'two-days-after': { endsNotifying: ({ date }, now) => now >= Date.parse(date) + 3 * 86_400_000 },
  }),
  point('notification-members', 'FLA-OPN-013', {
    documented: {},
    more: {
      notificationBody: ({ fid, changes }) => ({
        event: 'flight.changed',
        version: '1.1',
        fid,
        changes: { ...changes, updatedFields: Object.keys(changes) },
      }),
    },
  }),
  point('notification-headers', 'FLA-OPN-013', {
    plain: {},
    more: {
      notificationHeaders: (delivery) => ({
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'flight-alerts/1.1',
        Accept: '*/*',
        'X-Request-Id': `request-${delivery}`,
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      }),
    },
  }),
  point('plus-in-query', 'FLA-OPN-031', {
    space: {},
    plus: { parseQuery: (text) => new URLSearchParams(text.replaceAll('+', '%2B')) },
  }),
  point('lookup-airports', 'FLA-OPN-015', {
    ignored: {},
    refused: { lookupAirports: 'refused' },
    filter: { lookupAirports: 'filter' },
  }),
  point('same-airports', 'FLA-OPN-016', { 'http-404': {}, 'http-400': { sameAirports: 400 } }),
  point('shared-fid', 'FLA-OPN-017', {
    allowed: {},
    'http-409': { sharedFid: 409 },
    'http-400': { sharedFid: 400 },
  }),
  point('failed-subscription', 'FLA-OPN-019', {
    'nothing-stored': {},
    stored: { failedSubscription: 'stored' },
  }),
  point('no-store', 'FLA-OPN-020', {
    lookup: {},
    everywhere: { subscribeHeaders: noStore, errorHeaders: () => noStore },
  }),
  point('date-horizon', 'FLA-OPN-021', { none: {}, '365-days': { horizonDays: 365 } }),
  point('equal-routes', 'FLA-OPN-022', {
    several: {},
    one: {
      lookupLegs: (legs) => [...new Map(legs.map((leg) => [airports(leg).join(), leg])).values()],
    },
  }),
  point('departed-legs', 'FLA-OPN-023', {
    subscribable: {},
    'not-found': { departedLegs: 'not-found' },
  }),
  point('absent-alternate-info', 'FLA-OPN-024', {
    absent: {},
    null: { absentAlternateInfo: 'null' },
  }),
  // What the documents allow to be made of what upstream leaves out, and of an offset, which is a text or a number.
  point('snapshot-form', 'FLA-OPN-024', {
    received: {},
    completed: { shapeSnapshot: completed },
    'offsets-as-texts': { shapeSnapshot: withOffsets(String) },
    'offsets-as-numbers': { shapeSnapshot: withOffsets(Number) },
    'no-airline-code': { airlineCode: () => null },
    // Answers show a stopover's missing values as blank, notifications clear them with null.
    'blank-stopovers': { shapeSnapshot: withBlankStopover, shapeChanges: withNullStopover },
    // Missing texts of both ends are blank in answers, and in notifications too or null there.
    'blank-texts': { shapeSnapshot: withTextsAs('') },
    'blank-texts-cleared-by-null': { shapeSnapshot: withTextsAs(''), shapeChanges: withTextsAs(null) },
  }),
  point('unfinished-legs', 'FLA-OPN-025', { nulls: {}, refused: { unfinishedLegs: 'refused' } }),
];

/** All members of alternate routes, and a boarding status where upstream gives none. */
function completed(snapshot: Snapshot): Snapshot {
  const { alternateInfo, departure } = snapshot as { alternateInfo?: unknown; departure: Members };
  const end = (given: unknown) => ({
    city: null,
    airport: null,
    scheduledTime: null,
    actualTime: null,
    utcOffsetSeconds: null,
    ...(given as Members | null),
  });
  const status = departure.boardingStatus;
  const isNothing = status == null || (typeof status === 'string' && status.trim() === '');
  return {
    ...snapshot,
    ...(Array.isArray(alternateInfo)
      ? {
          alternateInfo: (alternateInfo as readonly Members[]).map((item) => ({
            ...item,
            status: item.status ?? null,
            departure: end(item.departure),
            arrival: end(item.arrival),
          })),
        }
      : {}),
    departure: { ...departure, boardingStatus: isNothing ? 'web check-in' : status },
  };
}

function withBlankStopover(snapshot: Snapshot): Snapshot {
  const stopover = Object.entries(snapshot.stopover as Members);
  return { ...snapshot, stopover: Object.fromEntries(stopover.map(([name, value]) => [name, value ?? ''])) };
}

function withNullStopover(changes: Members): Members {
  if (typeof changes.stopover !== 'object' || changes.stopover === null) return changes;
  const stopover = Object.entries(changes.stopover);
  const cleared = stopover.map(([name, value]): [string, unknown] => [name, value === '' ? null : value]);
  return { ...changes, stopover: Object.fromEntries(cleared) };
}

const texts = [
  'city',
  'terminal',
  'scheduledTime',
  'estimatedTime',
  'actualTime',
  'gate',
  'boardingStatus',
  'baggageBelt',
];

/** The texts of both ends that are missing, as far as they are there at all, in one form. */
function withTextsAs(missing: '' | null): <T extends Members>(legOrChanges: T) => T {
  const end = (given: unknown) =>
    Object.fromEntries(
      Object.entries(given as Members).map(([name, value]) => [
        name,
        texts.includes(name) && (value === null || value === '') ? missing : value,
      ]),
    );
  return (given) => ({
    ...given,
    ...(given.departure === undefined ? {} : { departure: end(given.departure) }),
    ...(given.arrival === undefined ? {} : { arrival: end(given.arrival) }),
  });
}

/** The offsets of both ends in one type, whatever upstream has. */
function withOffsets(typed: (seconds: string) => string | number): (snapshot: Snapshot) => Snapshot {
  const end = ({ utcOffsetSeconds: seconds, ...rest }: Members) => {
    const isValue = typeof seconds === 'number' || (typeof seconds === 'string' && /^-?\d+$/.test(seconds));
    return { ...rest, utcOffsetSeconds: isValue ? typed(String(seconds)) : seconds };
  };
  return (snapshot) => {
    const { departure, arrival } = snapshot as { departure: Members; arrival: Members };
    return { ...snapshot, departure: end(departure), arrival: end(arrival) };
  };
}

/** Names that are known to resolve to loopback or private addresses. */
function leadsInside(host: string): boolean {
  return ['localtest.me', 'lvh.me', 'nip.io', 'sslip.io'].some(
    (name) => host === name || host.endsWith(`.${name}`),
  );
}
