import { isInternalName } from '../flightAlerts/callbackUrl.ts';
import { documentedCleaning } from '../flightAlerts/flightNumber.ts';
import { lenient } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

const inSubscribe = ({ operation }: { operation: string }) => operation === 'subscribe';

/** Mistakes in subscribing to legs and registering callbacks. */
export const flightSubscribeDefects: readonly Defect[] = [
  sometimes('subscribe-number-uncleaned', 'A subscribe does not remove zeros.', 'FLA-SUB-017', {
    cleaning: (operation) =>
      operation === 'subscribe' ? { ...documentedCleaning, zeros: /^(?!)/ } : documentedCleaning,
  }),
  sometimes('subscribe-number-any', 'A subscribe takes any flight number.', 'FLA-SUB-018', {
    enforcesFlight: lenient(['flightNumber.grammar'], inSubscribe),
  }),
  sometimes('subscribe-date-past', 'A subscribe takes past dates.', 'FLA-SUB-034', {
    enforcesFlight: lenient(['date.past'], inSubscribe),
  }),
  sometimes('subscribe-airport-missing', 'A missing arrival airport is left to the search.', 'FLA-SUB-016', {
    enforcesFlight: lenient(
      ['airport.required', 'airport.letters'],
      ({ field, value }) => field === 'arrivalAirportIata' && typeof value !== 'string',
    ),
  }),
  sometimes('subscribe-fields-coerced', 'An array is read as the text that it holds.', 'FLA-SUB-016', {
    enforcesFlight: lenient(['date.required', 'airport.required'], ({ value }) => Array.isArray(value)),
  }),
  sometimes('subscribe-airport-any', 'An airport code of any form is left to the search.', 'FLA-SUB-020', {
    enforcesFlight: lenient(['airport.letters']),
  }),
  sometimes('subscribe-airport-digits', 'An airport code may hold digits.', 'FLA-SUB-020', {
    enforcesFlight: lenient(['airport.letters'], ({ value }) => /^[A-Z0-9]{3}$/.test(String(value))),
  }),
  sometimes('subscribe-airport-untrimmed', 'Airport codes are not trimmed.', 'FLA-SUB-021', {
    cleanAirport: (code) => code.toUpperCase(),
  }),
  sometimes('subscribe-arrival-case', 'The arrival airport must be in upper case.', 'FLA-SUB-021', {
    cleanAirport: (code, field) => (field === 'arrivalAirportIata' ? code.trim() : code.trim().toUpperCase()),
  }),
  sometimes(
    'subscribe-wrong-leg',
    'The arrival airport is not looked at.',
    'FLA-SUB-022 also FLA-SUB-002 FLA-SUB-015 FLA-SUB-001',
    {
      selects: (leg, wanted) => leg.from === wanted.from,
    },
  ),
  sometimes('subscribe-swapped-leg', 'A leg is found in either direction.', 'FLA-SUB-022 also FLA-SUB-002', {
    selects: (leg, wanted) =>
      (leg.from === wanted.from && leg.to === wanted.to) ||
      (leg.from === wanted.to && leg.to === wanted.from),
  }),
  sometimes('subscribe-ambiguous-first', 'Of several matching legs the first is taken.', 'FLA-SUB-024', {
    ambiguity: 'first',
  }),
  always('key-again', 'The callback key comes with every retry.', 'FLA-SUB-006 also FLA-SUB-004', {
    keyOnRetry: (key) => key || undefined,
  }),
  sometimes('key-for-polling', 'A polling-only subscribe gets a key.', 'FLA-SUB-004', {
    keyOnRetry: (key, polling) => (polling && key === '' ? 'fac_unused' : undefined),
  }),
  always('key-missing', 'The callback key is not returned.', 'FLA-SUB-005 also FLA-SUB-013 FLA-CB-003', {
    keyOnFirst: () => undefined,
  }),
  always('key-is-api-key', 'The callback key is the API key.', 'FLA-CB-028', {
    newKey: (_random, apiKey) => apiKey,
  }),
  sometimes('conflict-url-ignored', 'Another callbackUrl is accepted silently.', 'FLA-SUB-008', {
    conflicts: (fidDiffers) => (fidDiffers ? ['EXTERNAL_FID_ALREADY_REGISTERED'] : []),
  }),
  sometimes('conflict-fid-ignored', 'Another fid is accepted silently.', 'FLA-SUB-009', {
    conflicts: (_fidDiffers, urlDiffers) => (urlDiffers ? ['CALLBACK_ALREADY_REGISTERED'] : []),
  }),
  sometimes('conflict-fid-as-number', 'Fids that are the same number count as the same.', 'FLA-SUB-009', {
    sameFid: (one, other) => one === other || Number(one) === Number(other),
  }),
  sometimes('conflict-fid-blank', 'A fid of blanks counts as the one that is registered.', 'FLA-SUB-009', {
    sameFid: (one, other) => one === other || [one, other].some((fid) => fid.trim() === ''),
  }),
  sometimes(
    'conflict-both-ignored',
    'A new fid with a new callbackUrl is accepted silently.',
    'FLA-SUB-010',
    {
      conflicts: (fidDiffers, urlDiffers) =>
        fidDiffers && urlDiffers
          ? []
          : [
              ...(urlDiffers ? (['CALLBACK_ALREADY_REGISTERED'] as const) : []),
              ...(fidDiffers ? (['EXTERNAL_FID_ALREADY_REGISTERED'] as const) : []),
            ],
    },
  ),
  sometimes(
    'conflict-codes-swapped',
    "The two conflicts have each other's code.",
    'FLA-SUB-008 FLA-SUB-009',
    {
      conflicts: (fidDiffers, urlDiffers) => [
        ...(fidDiffers ? (['CALLBACK_ALREADY_REGISTERED'] as const) : []),
        ...(urlDiffers ? (['EXTERNAL_FID_ALREADY_REGISTERED'] as const) : []),
      ],
    },
  ),
  always(
    'conflict-as-400',
    'Conflicts are validation errors by status.',
    'FLA-SUB-008 FLA-SUB-009 also FLA-SUB-010 SHR-ERR-022',
    { conflictStatus: 400 },
  ),
  sometimes('conflict-overwrites', 'A refused callbackUrl is used all the same.', 'FLA-SUB-011', {
    onConflict: (subscription, sent) => {
      if (subscription.callback) subscription.callback.url = sent.url;
    },
  }),
  sometimes('conflict-ends-notifications', 'After a refused callback no change is reported.', 'FLA-SUB-011', {
    // It is found by its name still, and no leg that changes is its own.
    onConflict: (subscription) => {
      Object.assign(subscription, { leg: { ...subscription.leg, date: '' } });
    },
  }),
  sometimes('subscribe-cancelled-unknown', 'A leg that is cancelled cannot be subscribed.', 'FLA-SUB-001', {
    departedLegs: 'cancelled-too',
  }),
  sometimes(
    'subscribed-alternates-empty',
    'A subscribe shows alternateInfo as an empty array where none was received.',
    'FLA-SNP-003',
    { subscribedSnapshot: (snapshot) => ({ alternateInfo: [], ...snapshot }) },
  ),
  sometimes(
    'conflict-overwrites-fid',
    'A refused fid is used all the same.',
    'FLA-SUB-011 also FLA-SUB-012 FLA-CB-006',
    {
      onConflict: (subscription, sent) => {
        if (subscription.callback) subscription.callback.fid = sent.fid;
      },
    },
  ),
  sometimes(
    'polling-drops-callback',
    'A later subscribe without callbackData removes the callback.',
    'FLA-SUB-012 also FLA-CB-019',
    {
      onPolling: (subscription) => {
        subscription.callback = null;
      },
    },
  ),
  sometimes(
    'callback-not-attached',
    'A polling-only subscription stays so.',
    'FLA-SUB-013 also FLA-CB-001 FLA-CB-018 FLA-SUB-005',
    { attaches: false },
  ),
  sometimes(
    'subscription-per-flight',
    'A subscription is to the flight, not to the leg.',
    'FLA-SUB-015 also FLA-SUB-013 FLA-CB-001',
    { subscriptionName: ({ flightNumber, date }) => `${flightNumber} ${date}` },
  ),
  sometimes('subscription-per-departure', 'A subscription is to all legs from one airport.', 'FLA-SUB-015', {
    subscriptionName: ({ flightNumber, date, from }) => `${flightNumber} ${date} ${from}`,
  }),
  sometimes('subscription-per-arrival', 'A subscription is to all legs to one airport.', 'FLA-SUB-015', {
    subscriptionName: ({ flightNumber, date, to }) => `${flightNumber} ${date} ${to}`,
  }),
  sometimes('subscription-without-date', 'A subscription is to the leg of every day.', 'FLA-SUB-013', {
    subscriptionName: ({ flightNumber, from, to }) => `${flightNumber} ${from} ${to}`,
  }),
  sometimes(
    'subscription-shared',
    'Enterprises share the subscription to a leg.',
    'FLA-SUB-028 also FLA-CB-021',
    { subscriptionOwner: () => 'everyone' },
  ),
  sometimes(
    'subscription-racy',
    'Looking for a subscription and storing it are separate steps.',
    'FLA-SUB-029',
    { serializesFlightSubscribes: false },
  ),
  sometimes('fid-missing', 'callbackData may have no fid.', 'FLA-CBR-001', {
    enforcesFlight: lenient(
      ['fid.required', 'fid.type'],
      ({ value }) => value === undefined || value === null,
    ),
  }),
  sometimes('fid-coerced', 'A number is taken for a fid.', 'FLA-CBR-002', {
    enforcesFlight: lenient(['fid.type'], ({ value }) => typeof value === 'number'),
  }),
  sometimes('fid-empty', 'A fid may be empty.', 'FLA-CBR-003', { enforcesFlight: lenient(['fid.empty']) }),
  sometimes('fid-256', 'A fid may have 256 characters.', 'FLA-CBR-004', { longestFid: 256 }),
  sometimes('fid-254', 'A fid may have 254 characters at most.', 'FLA-CBR-005', { longestFid: 254 }),
  sometimes('fid-ascii', 'A fid with characters beyond ASCII is refused.', 'FLA-CBR-023', {
    fidLength: (fid) => (/^[ -~]*$/.test(fid) ? fid.length : Infinity),
  }),
  sometimes('callback-data-any', 'callbackData that is no object counts as none.', 'FLA-CBR-018', {
    enforcesFlight: lenient(['callback.object']),
  }),
  sometimes('url-missing', 'callbackData may have no callbackUrl.', 'FLA-CBR-006', {
    enforcesFlight: lenient(['url.required', 'url.valid'], ({ value }) => typeof value !== 'string'),
  }),
  sometimes('url-any-text', 'Any text is taken for a callbackUrl.', 'FLA-CBR-013', {
    enforcesFlight: lenient(['url.valid'], ({ value }) => typeof value === 'string'),
  }),
  sometimes('url-http', 'A plain http callbackUrl is accepted.', 'FLA-CBR-007', {
    enforcesFlight: lenient(['url.scheme']),
  }),
  sometimes('url-password', 'A callbackUrl may hold credentials.', 'FLA-CBR-008', {
    enforcesFlight: lenient(['url.credentials']),
  }),
  sometimes('url-user-name', 'A callbackUrl may hold a user name without password.', 'FLA-CBR-008', {
    enforcesFlight: lenient(['url.credentials'], ({ value }) => !/:\/\/[^/@]*:[^/@]*@/.test(String(value))),
  }),
  sometimes(
    'url-public-address',
    'A callbackUrl may name a public address.',
    'FLA-CBR-009 also FLA-CBR-020',
    {
      enforcesFlight: lenient(
        ['url.ipv4'],
        ({ value }) => !/127\.|localhost|\/\/10\.|\/\/192\.168\./.test(String(value)),
      ),
    },
  ),
  sometimes(
    'url-address-in-disguise',
    'An address as one number or in hexadecimal is not seen.',
    'FLA-CBR-020',
    { enforcesFlight: lenient(['url.ipv4'], ({ value }) => !/\d+\.\d+\.\d+\.\d+/.test(String(value))) },
  ),
  sometimes('url-ipv6', 'A callbackUrl may name an IPv6 address.', 'FLA-CBR-010', {
    enforcesFlight: lenient(['url.ipv6']),
  }),
  sometimes('url-fragment', 'A callbackUrl may have a fragment.', 'FLA-CBR-011', {
    enforcesFlight: lenient(['url.fragment']),
  }),
  sometimes('url-internal', 'A callbackUrl may name an internal host.', 'FLA-CBR-012 also FLA-CBR-021', {
    enforcesFlight: lenient(['url.internal']),
  }),
  sometimes('url-subdomain-internal', 'A host name with a subdomain counts as internal.', 'FLA-CBR-014', {
    isInternalHost: (host) => host.split('.').length !== 2 || isInternalName(host),
  }),

  sometimes(
    'subscribe-snapshot-flat',
    'The snapshot of a subscribe names its airports at the top.',
    'FLA-SNP-022 also FLA-SNP-013 FLA-SNP-014 FLA-SNP-017 FLA-SNP-020 FLA-SNP-030',
    {
      subscribedSnapshot: ({ departure, arrival, ...snapshot }) => ({
        ...snapshot,
        departureAirport: departure,
        arrivalAirport: arrival,
      }),
    },
  ),
  sometimes(
    'subscribe-snapshot-swapped',
    'The snapshot of a subscribe has its two ends swapped.',
    'FLA-SUB-002 also FLA-SNP-026 FLA-SNP-017 FLA-SNP-020 FLA-SNP-030',
    {
      subscribedSnapshot: (snapshot) => ({
        ...snapshot,
        departure: snapshot.arrival,
        arrival: snapshot.departure,
      }),
    },
  ),
  sometimes('subscribe-null-callback', 'callbackData must not be null.', 'FLA-SUB-003 also FLA-SUB-012', {
    enforcesFlight: (rule, place) => rule === 'callback.notNull' || lenient([])(rule, place),
  }),
  sometimes(
    'subscription-failed-stuck',
    'A leg whose tracking was not confirmed once is never asked to be tracked again.',
    'FLA-SUB-026',
    { failedSubscription: 'stuck' },
  ),
  sometimes(
    'subscribed-snapshot-first',
    'A subscribe shows the gate that its leg had first.',
    'FLA-SUB-040 also FLA-SNP-005 FLA-SNP-010 FLA-SNP-017 FLA-SNP-020 FLA-SNP-030',
    {
      upstreamKept: (place) => (inSubscribe(place) ? 'by-date' : 'never'),
    },
  ),
  sometimes(
    'subscribed-alternates-lost',
    'A subscribe shows no alternate routes.',
    'FLA-SNP-030 also FLA-SNP-005 FLA-SNP-017',
    {
      subscribedSnapshot: ({ alternateInfo: _, ...snapshot }) => snapshot,
    },
  ),
  sometimes(
    'subscription-failed-keeps-callback',
    'A callback is registered although its leg could not be tracked, with a key that no answer contains.',
    'FLA-CB-003',
    { failedSubscription: 'kept' },
  ),
  sometimes(
    'callback-key-supplied',
    'A supplied auth_header is used for delivery.',
    'FLA-CBR-016 also FLA-CB-003',
    { foreignCallbackMembers: 'used' },
  ),
  sometimes('url-single-label', 'A callbackUrl may name a host of a single label.', 'FLA-CBR-012', {
    isInternalHost: (host) => host === 'localhost' || (host.includes('.') && isInternalName(host)),
  }),
  sometimes('url-root-written-out', 'A callbackUrl may name localhost with its last dot.', 'FLA-CBR-012', {
    isInternalHost: (host) => !host.endsWith('.') && isInternalName(host),
  }),
  sometimes('url-below-localhost', 'A callbackUrl may name a host below localhost.', 'FLA-CBR-012', {
    isInternalHost: (host) => !host.endsWith('.localhost') && isInternalName(host),
  }),
  sometimes('url-private-domain', 'A callbackUrl may name a host of a private domain.', 'FLA-CBR-021', {
    isInternalHost: (host) => /^[^.]+\.?$|\.localhost\.?$/.test(host),
  }),
  sometimes('url-port-refused', 'A callbackUrl with a port is refused.', 'FLA-CBR-022', {
    hostOf: (url) => (url.port === '' ? url.hostname : 'localhost'),
  }),
  sometimes('url-case-ignored', 'Callback URLs that differ in letter case are the same.', 'FLA-SUB-008', {
    sameUrl: (one, other) => one.toLowerCase() === other.toLowerCase(),
  }),
  sometimes('url-query-refused', 'A callbackUrl with a query is refused.', 'FLA-CBR-014', {
    hostOf: (url) => (url.search === '' ? url.hostname : 'localhost'),
  }),
  sometimes('url-query-ignored', 'Callback URLs that differ in the query are the same.', 'FLA-SUB-008', {
    sameUrl: (one, other) => one.split('?')[0] === other.split('?')[0],
  }),
];
