import type { FlightAlertsPolicy, FlightRule } from './policy.ts';
import { airports, compare, isSameFlight, isSameRoute } from './subscriptions.ts';
import { documentedCleaning } from './flightNumber.ts';
import { isInternalName } from './callbackUrl.ts';
import { documentedAirlineCode } from './snapshot.ts';
import { randomToken } from '../shared/tokens.ts';

export const documentedFlightAlertsPolicy: FlightAlertsPolicy = {
  enforcesFlight: documentedFlightRules,
  flightStatusOf: () => 400,
  cleaning: () => documentedCleaning,
  cleanAirport: (code) => code.trim().toUpperCase(),
  today: (now) => new Date(now).toISOString().slice(0, 10),
  horizonDays: null,
  sameAirports: 404,
  lookupAirports: 'ignored',
  fidLength: (fid) => fid.length,
  longestFid: 255,
  blankFid: 'accepted',
  repeatedParameter: 'judged',
  schemeCase: 'any',
  hostOf: (url) => url.hostname,
  isInternalHost: isInternalName,
  foreignCallbackMembers: 'refused',
  legOrder: (one, other) => compare(airports(one), airports(other)),
  lookupLegs: (legs) => legs,
  lookupBody: (snapshots) => snapshots,
  lookupHeaders: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  subscribeHeaders: {},
  notFoundCode: () => ({ status: 404, code: 'FLIGHT_NOT_FOUND' }),
  lookupTracks: false,
  emptyLookup: 'not-found',
  failureCode: (failure) => ({ status: 502, code: failureCodes[failure] }),
  upstreamKept: () => 'never',
  findsLongerNumbers: false,
  refusesFlights: () => false,
  flightUnits: () => 0,
  unfinishedLegs: 'nulls',
  airlineCode: documentedAirlineCode,
  absentAlternateInfo: 'absent',
  shapeSnapshot: (snapshot) => snapshot,
  subscribedSnapshot: (snapshot) => snapshot,
  selects: (leg, wanted) => leg.from === wanted.from && leg.to === wanted.to,
  ambiguity: 'refused',
  departedLegs: 'subscribable',
  subscriptionOwner: ({ enterprise }) => enterprise.id,
  subscriptionName: ({ flightNumber, date, from, to }) => [flightNumber, date, from, to].join(' '),
  conflicts: (fidDiffers, urlDiffers) => [
    ...(urlDiffers ? (['CALLBACK_ALREADY_REGISTERED'] as const) : []),
    ...(fidDiffers ? (['EXTERNAL_FID_ALREADY_REGISTERED'] as const) : []),
  ],
  firstConflict: 'CALLBACK_ALREADY_REGISTERED',
  conflictStatus: 409,
  attaches: true,
  onConflict: () => undefined,
  onPolling: () => undefined,
  onRetry: () => undefined,
  sharedFid: 'allowed',
  sameFid: (one, other) => one === other,
  sameUrl: (one, other) => one === other,
  newKey: (random) => `fac_${randomToken(random, 40)}`,
  keyScope: 'subscription',
  keyOnRetry: () => undefined,
  keyOnFirst: (key) => key,
  storesRefused: () => false,
  failedSubscription: 'nothing-stored',
  serializesFlightSubscribes: true,
  authorization: (key) => ({ authorization: key }),
  echoedFid: (fid) => fid,
  shapeChanges: (changes) => changes,
  notificationsOf: (changes) => [changes],
  notificationBody: (notification) => notification,
  notificationHeaders: () => ({ 'content-type': 'application/json' }),
  notificationMethod: 'POST',
  notifiedUrl: (url) => url,
  stopoverChanges: 'whole',
  clearedStopover: 'as-changed',
  clearedAlternateInfo: 'null',
  notifiesUnchanged: false,
  keptLeg: (after) => after,
  endsNotifying: () => false,
  notifies: (_subscription, leg, changed) => isSameFlight(leg, changed) && isSameRoute(leg, changed),
  receivers: (subscribers) => subscribers,
  callbackOf: ({ callback }) => callback,
  notificationDelayMs: () => 0,
  notificationCopies: 1,
  initialCallback: 'none',
  repeatedCallback: 'none',
  flightRetryMs: [5_000, 30_000, 120_000],
  flightDelivered: (status) => status >= 200 && status < 300,
  flightRedirects: false,
  givesUpFlight: () => false,
  behindFlightRetry: () => 'queued',
  notificationOrder: 'any',
};

const failureCodes = {
  unavailable: 'PROVIDER_UNAVAILABLE',
  'invalid-data': 'INVALID_PROVIDER_DATA',
  subscription: 'SUBSCRIPTION_FAILED',
} as const;

/** Rules that only mistakes and other readings enforce. */
const undocumented: ReadonlySet<FlightRule> = new Set(['callback.notNull', 'date.leapDay']);

/** The rules that the documents state. */
export function documentedFlightRules(rule: FlightRule): boolean {
  return !undocumented.has(rule);
}
