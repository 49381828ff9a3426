import { documentedCleaning } from '../flightAlerts/flightNumber.ts';
import { lenient } from './rules.ts';
import { defectsOf, type Defect } from './row.ts';

const { always, sometimes } = defectsOf('flight-alerts');

const inSubscribe = ({ operation }: { operation: string }) => operation === 'subscribe';

/** Mistakes in subscribing to legs and registering callbacks. */
export const flightSubscribeDefects: readonly Defect[] = [
  sometimes(
    'subscribe-number-uncleaned',
    'A subscribe does not remove zeros.',
    {
      cleaning: (operation) =>
        operation === 'subscribe' ? { ...documentedCleaning, zeros: /^(?!)/ } : documentedCleaning,
    },
    ['FLA-SUB-017'],
  ),
  sometimes(
    'subscribe-number-any',
    'A subscribe takes any flight number.',
    { enforcesFlight: lenient(['flightNumber.grammar'], inSubscribe) },
    ['FLA-SUB-018'],
  ),
  sometimes(
    'subscribe-date-past',
    'A subscribe takes past dates.',
    { enforcesFlight: lenient(['date.past'], inSubscribe) },
    ['FLA-SUB-034'],
  ),
  sometimes(
    'subscribe-airport-missing',
    'A missing arrival airport is left to the search.',
    {
      enforcesFlight: lenient(
        ['airport.required', 'airport.letters'],
        ({ field, value }) => field === 'arrivalAirportIata' && typeof value !== 'string',
      ),
    },
    ['FLA-SUB-016'],
  ),
  sometimes(
    'subscribe-fields-coerced',
    'An array is read as the text that it holds.',
    {
      enforcesFlight: lenient(['date.required', 'airport.required'], ({ value }) => Array.isArray(value)),
    },
    ['FLA-SUB-016'],
  ),
  sometimes(
    'subscribe-airport-any',
    'An airport code of any form is left to the search.',
    { enforcesFlight: lenient(['airport.letters']) },
    ['FLA-SUB-020'],
  ),
  sometimes(
    'subscribe-airport-digits',
    'An airport code may hold digits.',
    { enforcesFlight: lenient(['airport.letters'], ({ value }) => /^[A-Z0-9]{3}$/.test(String(value))) },
    ['FLA-SUB-020'],
  ),
  sometimes(
    'subscribe-airport-untrimmed',
    'Airport codes are not trimmed.',
    { cleanAirport: (code) => code.toUpperCase() },
    ['FLA-SUB-021'],
  ),
  sometimes(
    'subscribe-arrival-case',
    'The arrival airport must be in upper case.',
    {
      cleanAirport: (code, field) =>
        field === 'arrivalAirportIata' ? code.trim() : code.trim().toUpperCase(),
    },
    ['FLA-SUB-021'],
  ),
  sometimes(
    'subscribe-wrong-leg',
    'The arrival airport is not looked at.',
    { selects: (leg, wanted) => leg.from === wanted.from },
    ['FLA-SUB-022'],
    ['FLA-SUB-002'],
  ),
  sometimes(
    'subscribe-swapped-leg',
    'A leg is found in either direction.',
    {
      selects: (leg, wanted) =>
        (leg.from === wanted.from && leg.to === wanted.to) ||
        (leg.from === wanted.to && leg.to === wanted.from),
    },
    ['FLA-SUB-022'],
    ['FLA-SUB-002'],
  ),
  sometimes(
    'subscribe-ambiguous-first',
    'Of several matching legs the first is taken.',
    { ambiguity: 'first' },
    ['FLA-SUB-024'],
  ),
  always(
    'key-again',
    'The callback key comes with every retry.',
    { keyOnRetry: (key) => key || undefined },
    ['FLA-SUB-006'],
    ['FLA-SUB-004'],
  ),
  sometimes(
    'key-for-polling',
    'A polling-only subscribe gets a key.',
    { keyOnRetry: (key, polling) => (polling && key === '' ? 'fac_unused' : undefined) },
    ['FLA-SUB-004'],
  ),
  always(
    'key-missing',
    'The callback key is not returned.',
    { keyOnFirst: () => undefined },
    ['FLA-SUB-005'],
    ['FLA-SUB-013'],
  ),
  always('key-is-api-key', 'The callback key is the API key.', { newKey: (_random, apiKey) => apiKey }, [
    'FLA-CB-028',
  ]),
  sometimes(
    'conflict-url-ignored',
    'Another callbackUrl is accepted silently.',
    { conflicts: (fidDiffers) => (fidDiffers ? ['EXTERNAL_FID_ALREADY_REGISTERED'] : []) },
    ['FLA-SUB-008'],
  ),
  sometimes(
    'conflict-fid-ignored',
    'Another fid is accepted silently.',
    { conflicts: (_fidDiffers, urlDiffers) => (urlDiffers ? ['CALLBACK_ALREADY_REGISTERED'] : []) },
    ['FLA-SUB-009'],
  ),
  sometimes(
    'conflict-both-ignored',
    'A new fid with a new callbackUrl is accepted silently.',
    {
      conflicts: (fidDiffers, urlDiffers) =>
        fidDiffers && urlDiffers
          ? []
          : [
              ...(urlDiffers ? (['CALLBACK_ALREADY_REGISTERED'] as const) : []),
              ...(fidDiffers ? (['EXTERNAL_FID_ALREADY_REGISTERED'] as const) : []),
            ],
    },
    ['FLA-SUB-010'],
  ),
  sometimes(
    'conflict-codes-swapped',
    "The two conflicts have each other's code.",
    {
      conflicts: (fidDiffers, urlDiffers) => [
        ...(fidDiffers ? (['CALLBACK_ALREADY_REGISTERED'] as const) : []),
        ...(urlDiffers ? (['EXTERNAL_FID_ALREADY_REGISTERED'] as const) : []),
      ],
    },
    ['FLA-SUB-008', 'FLA-SUB-009'],
  ),
  always(
    'conflict-as-400',
    'Conflicts are validation errors by status.',
    { conflictStatus: 400 },
    ['FLA-SUB-008', 'FLA-SUB-009'],
    ['FLA-SUB-010', 'SHR-ERR-022'],
  ),
  sometimes(
    'conflict-overwrites',
    'A refused callbackUrl is used all the same.',
    {
      onConflict: (subscription, sent) => {
        if (subscription.callback) subscription.callback.url = sent.url;
      },
    },
    ['FLA-SUB-011'],
  ),
  sometimes(
    'conflict-overwrites-fid',
    'A refused fid is used all the same.',
    {
      onConflict: (subscription, sent) => {
        if (subscription.callback) subscription.callback.fid = sent.fid;
      },
    },
    ['FLA-SUB-011'],
    ['FLA-SUB-012'],
  ),
  sometimes(
    'polling-drops-callback',
    'A later subscribe without callbackData removes the callback.',
    {
      onPolling: (subscription) => {
        subscription.callback = null;
      },
    },
    ['FLA-SUB-012'],
    ['FLA-CB-019'],
  ),
  sometimes(
    'callback-not-attached',
    'A polling-only subscription stays so.',
    { attaches: false },
    ['FLA-SUB-013'],
    ['FLA-CB-001', 'FLA-CB-018', 'FLA-SUB-005'],
  ),
  sometimes(
    'subscription-per-flight',
    'A subscription is to the flight, not to the leg.',
    { subscriptionName: ({ flightNumber, date }) => `${flightNumber} ${date}` },
    ['FLA-SUB-015'],
    ['FLA-SUB-013', 'FLA-CB-001'],
  ),
  sometimes(
    'subscription-without-date',
    'A subscription is to the leg of every day.',
    { subscriptionName: ({ flightNumber, from, to }) => `${flightNumber} ${from} ${to}` },
    ['FLA-SUB-013'],
  ),
  sometimes(
    'subscription-shared',
    'Enterprises share the subscription to a leg.',
    { subscriptionOwner: () => 'everyone' },
    ['FLA-SUB-028'],
    ['FLA-CB-021'],
  ),
  sometimes(
    'subscription-racy',
    'Looking for a subscription and storing it are separate steps.',
    { serializesFlightSubscribes: false },
    ['FLA-SUB-029'],
  ),
  sometimes(
    'fid-missing',
    'callbackData may have no fid.',
    {
      enforcesFlight: lenient(
        ['fid.required', 'fid.type'],
        ({ value }) => value === undefined || value === null,
      ),
    },
    ['FLA-CBR-001'],
  ),
  sometimes(
    'fid-coerced',
    'A number is taken for a fid.',
    { enforcesFlight: lenient(['fid.type'], ({ value }) => typeof value === 'number') },
    ['FLA-CBR-002'],
  ),
  sometimes('fid-empty', 'A fid may be empty.', { enforcesFlight: lenient(['fid.empty']) }, ['FLA-CBR-003']),
  sometimes('fid-256', 'A fid may have 256 characters.', { longestFid: 256 }, ['FLA-CBR-004']),
  sometimes('fid-254', 'A fid may have 254 characters at most.', { longestFid: 254 }, ['FLA-CBR-005']),
  sometimes(
    'callback-data-any',
    'callbackData that is no object counts as none.',
    { enforcesFlight: lenient(['callback.object']) },
    ['FLA-CBR-018'],
  ),
  sometimes(
    'url-missing',
    'callbackData may have no callbackUrl.',
    { enforcesFlight: lenient(['url.required', 'url.valid'], ({ value }) => typeof value !== 'string') },
    ['FLA-CBR-006'],
  ),
  sometimes(
    'url-any-text',
    'Any text is taken for a callbackUrl.',
    { enforcesFlight: lenient(['url.valid'], ({ value }) => typeof value === 'string') },
    ['FLA-CBR-013'],
  ),
  sometimes(
    'url-http',
    'A plain http callbackUrl is accepted.',
    { enforcesFlight: lenient(['url.scheme']) },
    ['FLA-CBR-007'],
  ),
  sometimes(
    'url-password',
    'A callbackUrl may hold credentials.',
    { enforcesFlight: lenient(['url.credentials']) },
    ['FLA-CBR-008'],
  ),
  sometimes(
    'url-user-name',
    'A callbackUrl may hold a user name without password.',
    {
      enforcesFlight: lenient(['url.credentials'], ({ value }) => !/:\/\/[^/@]*:[^/@]*@/.test(String(value))),
    },
    ['FLA-CBR-008'],
  ),
  sometimes(
    'url-public-address',
    'A callbackUrl may name a public address.',
    {
      enforcesFlight: lenient(
        ['url.ipv4'],
        ({ value }) => !/127\.|localhost|\/\/10\.|\/\/192\.168\./.test(String(value)),
      ),
    },
    ['FLA-CBR-009'],
  ),
  sometimes(
    'url-address-in-disguise',
    'An address as one number or in hexadecimal is not seen.',
    { enforcesFlight: lenient(['url.ipv4'], ({ value }) => !/\d+\.\d+\.\d+\.\d+/.test(String(value))) },
    ['FLA-CBR-009'],
  ),
  sometimes(
    'url-ipv6',
    'A callbackUrl may name an IPv6 address.',
    { enforcesFlight: lenient(['url.ipv6']) },
    ['FLA-CBR-010'],
  ),
  sometimes(
    'url-fragment',
    'A callbackUrl may have a fragment.',
    { enforcesFlight: lenient(['url.fragment']) },
    ['FLA-CBR-011'],
  ),
  sometimes(
    'url-internal',
    'A callbackUrl may name an internal host.',
    { enforcesFlight: lenient(['url.internal']) },
    ['FLA-CBR-012'],
  ),
  sometimes(
    'url-subdomain-internal',
    'A host name with a subdomain counts as internal.',
    { isInternalHost: (host) => host.split('.').length !== 2 || host.endsWith('.local') },
    ['FLA-CBR-014'],
  ),

  sometimes(
    'subscribe-snapshot-flat',
    'The snapshot of a subscribe names its airports at the top.',
    {
      subscribedSnapshot: ({ departure, arrival, ...snapshot }) => ({
        ...snapshot,
        departureAirport: departure,
        arrivalAirport: arrival,
      }),
    },
    ['FLA-SNP-022'],
    ['FLA-SNP-013', 'FLA-SNP-014'],
  ),
  sometimes(
    'subscribe-snapshot-swapped',
    'The snapshot of a subscribe has its two ends swapped.',
    {
      subscribedSnapshot: (snapshot) => ({
        ...snapshot,
        departure: snapshot.arrival,
        arrival: snapshot.departure,
      }),
    },
    ['FLA-SUB-002'],
    ['FLA-SNP-026'],
  ),
  sometimes(
    'subscribe-null-callback',
    'callbackData must not be null.',
    { enforcesFlight: (rule, place) => rule === 'callback.notNull' || lenient([])(rule, place) },
    ['FLA-SUB-003'],
  ),
  sometimes(
    'subscription-failed-stuck',
    'A leg whose tracking was not confirmed once is never asked to be tracked again.',
    { failedSubscription: 'stuck' },
    ['FLA-SUB-026'],
  ),
  sometimes(
    'callback-key-supplied',
    'A supplied auth_header is used for delivery.',
    { foreignCallbackMembers: 'used' },
    ['FLA-CBR-016'],
    ['FLA-CB-003'],
  ),
];
