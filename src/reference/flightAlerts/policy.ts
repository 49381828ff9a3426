import type { Enterprise } from '../shared/keys.ts';
import { randomToken } from '../shared/tokens.ts';
import { isInternalName } from './callbackUrl.ts';
import { documentedCleaning, type FlightNumberCleaning } from './flightNumber.ts';
import { documentedAirlineCode, type Snapshot, type UpstreamLeg } from './snapshot.ts';
import type { FlightCallback, Subscription } from './subscriptions.ts';

export type FlightRule =
  | 'flightNumber.required'
  | 'flightNumber.grammar'
  | 'flightNumber.scalar'
  | 'date.required'
  | 'date.scalar'
  | 'date.format'
  | 'date.calendar'
  | 'date.past'
  | 'airport.required'
  | 'airport.letters'
  | 'callback.object'
  | 'callback.notNull'
  | 'fid.required'
  | 'fid.type'
  | 'fid.empty'
  | 'fid.length'
  | 'url.required'
  | 'url.valid'
  | 'url.scheme'
  | 'url.credentials'
  | 'url.ipv4'
  | 'url.ipv6'
  | 'url.fragment'
  | 'url.internal';

/** Where a rule is applied. */
export interface FlightPlace {
  readonly operation: 'lookup' | 'subscribe';
  readonly field: string;
  readonly value: unknown;
}

/** The leg that a subscription is about. */
export interface LegName {
  readonly flightNumber: string;
  readonly date: string;
  readonly from: string;
  readonly to: string;
}

export interface FlightCaller {
  readonly enterprise: Enterprise;
  readonly key: string;
}

type Members = Record<string, unknown>;

export type Conflict = 'CALLBACK_ALREADY_REGISTERED' | 'EXTERNAL_FID_ALREADY_REGISTERED';

/** The variation points of the flight alerts API. */
export interface FlightAlertsPolicy {
  // Validation
  readonly enforcesFlight: (rule: FlightRule, place: FlightPlace) => boolean;
  readonly flightStatusOf: (rule: FlightRule) => 400 | 422;
  readonly cleaning: (operation: 'lookup' | 'subscribe') => FlightNumberCleaning;
  readonly cleanAirport: (code: string, field: string) => string;
  readonly today: (now: number) => string;
  readonly horizonDays: number | null;
  readonly sameAirports: 400 | 404;
  readonly lookupAirports: 'ignored' | 'refused' | 'filter' | 'required';
  readonly fidLength: (fid: string) => number;
  readonly longestFid: number;
  readonly blankFid: 'accepted' | 'refused';
  readonly isInternalHost: (host: string) => boolean;
  readonly foreignCallbackMembers: 'refused' | 'ignored' | 'used';
  // Lookup
  readonly legOrder: (one: UpstreamLeg, other: UpstreamLeg) => number;
  readonly lookupLegs: (legs: readonly UpstreamLeg[]) => readonly UpstreamLeg[];
  readonly lookupBody: (
    snapshots: readonly Snapshot[],
    legs: readonly LegName[],
    subscriptions: readonly Subscription[],
  ) => unknown;
  readonly lookupHeaders: Readonly<Record<string, string>>;
  readonly subscribeHeaders: Readonly<Record<string, string>>;
  readonly notFoundCode: (
    operation: 'lookup' | 'subscribe',
    flightKnown: boolean,
  ) => { status: number; code: string };
  readonly emptyLookup: 'not-found' | 'empty';
  readonly failureCode: (failure: 'unavailable' | 'invalid-data' | 'subscription') => {
    status: number;
    code: string;
  };
  readonly cachesUpstream: boolean;
  readonly flightsNeedEntitlement: boolean;
  readonly unfinishedLegs: 'nulls' | 'refused';
  // Snapshot
  readonly airlineCode: (flightNumber: string) => string | null;
  readonly absentAlternateInfo: 'absent' | 'null' | 'empty';
  readonly shapeSnapshot: (snapshot: Snapshot) => Snapshot;
  /** The snapshot as a subscribe shows it. */
  readonly subscribedSnapshot: (snapshot: Snapshot) => unknown;
  // Subscription
  readonly selects: (leg: LegName, wanted: LegName) => boolean;
  readonly ambiguity: 'refused' | 'first';
  readonly departedLegs: 'subscribable' | 'not-found';
  readonly subscriptionOwner: (caller: FlightCaller) => string;
  readonly subscriptionName: (leg: LegName) => string;
  readonly conflicts: (fidDiffers: boolean, urlDiffers: boolean) => readonly Conflict[];
  readonly firstConflict: Conflict;
  readonly conflictStatus: number;
  readonly attaches: boolean;
  readonly onConflict: (subscription: Subscription, sent: { fid: string; url: string }) => void;
  readonly onPolling: (subscription: Subscription) => void;
  readonly onRetry: (subscription: Subscription) => void;
  readonly sharedFid: 'allowed' | 409 | 400;
  readonly sameUrl: (one: string, other: string) => boolean;
  readonly newKey: (random: () => number, apiKey: string) => string;
  readonly keyScope: 'subscription' | 'enterprise';
  readonly keyOnRetry: (key: string, polling: boolean) => string | null | undefined;
  readonly keyOnFirst: (key: string) => string | null | undefined;
  readonly failedSubscription: 'nothing-stored' | 'stored' | 'stuck';
  readonly serializesFlightSubscribes: boolean;
  // Events
  readonly authorization: (
    key: string,
    delivery: number,
    callback: FlightCallback,
  ) => Readonly<Record<string, string>>;
  readonly echoedFid: (fid: string, delivery: number) => unknown;
  readonly shapeChanges: (changes: Members, snapshot: Snapshot, before: Snapshot) => Members;
  /** The notifications that tell one change. */
  readonly notificationsOf: (changes: Members) => readonly Members[];
  readonly notificationBody: (notification: { fid: unknown; changes: Members }) => unknown;
  readonly notificationHeaders: (delivery: number) => Readonly<Record<string, string>>;
  readonly notificationMethod: 'POST' | 'PUT';
  readonly notifiedUrl: (url: string) => string;
  readonly stopoverChanges: 'whole' | 'changed';
  /** How a stopover without values is told; `as-changed` for no special way. */
  readonly clearedStopover: 'as-changed' | 'null';
  readonly clearedAlternateInfo: 'null' | 'empty';
  readonly notifies: (subscription: Subscription, leg: LegName, changed: LegName) => boolean;
  /** Who of the subscribers of a changed leg is told; `ofFlight` are the subscriptions to all legs of the flight. */
  readonly receivers: (
    subscribers: readonly Subscription[],
    ofFlight: readonly Subscription[],
  ) => readonly Subscription[];
  /** Where a subscription's changes are pushed; `others` are the subscriptions of the same owner. */
  readonly callbackOf: (subscription: Subscription, others: readonly Subscription[]) => FlightCallback | null;
  /** How long the n-th notification lies in the queue, counted from 0. */
  readonly notificationDelayMs: (count: number) => number;
  readonly notificationCopies: 1 | 2;
  readonly initialCallback: 'none' | 'current' | 'whole';
  /** Whether a subscribe that repeats a registration sends the current values. */
  readonly repeatedCallback: 'none' | 'current';
  readonly flightRetryMs: readonly number[];
  readonly flightDelivered: (status: number) => boolean;
  readonly flightRedirects: boolean;
}

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
  isInternalHost: isInternalName,
  foreignCallbackMembers: 'refused',
  legOrder: (one, other) => compare(airports(one), airports(other)),
  lookupLegs: (legs) => legs,
  lookupBody: (snapshots) => snapshots,
  lookupHeaders: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  subscribeHeaders: {},
  notFoundCode: () => ({ status: 404, code: 'FLIGHT_NOT_FOUND' }),
  emptyLookup: 'not-found',
  failureCode: (failure) => ({ status: 502, code: failureCodes[failure] }),
  cachesUpstream: false,
  flightsNeedEntitlement: false,
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
  sameUrl: (one, other) => one === other,
  newKey: (random) => `fac_${randomToken(random, 40)}`,
  keyScope: 'subscription',
  keyOnRetry: () => undefined,
  keyOnFirst: (key) => key,
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
};

const failureCodes = {
  unavailable: 'PROVIDER_UNAVAILABLE',
  'invalid-data': 'INVALID_PROVIDER_DATA',
  subscription: 'SUBSCRIPTION_FAILED',
} as const;

/** The rules that the documents state. */
export function documentedFlightRules(rule: FlightRule): boolean {
  return rule !== 'callback.notNull';
}

export function isSameFlight(one: LegName, other: LegName): boolean {
  return one.flightNumber === other.flightNumber && one.date === other.date;
}

export function isSameRoute(one: LegName, other: LegName): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Departure and arrival code of a leg. */
export function airports(leg: UpstreamLeg): readonly [string, string] {
  return [airportOf(leg.departure), airportOf(leg.arrival)];
}

function airportOf(end: unknown): string {
  const code = (end as { airportIata?: unknown } | undefined)?.airportIata;
  return typeof code === 'string' ? code : '';
}

export function compare(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const against = other[index] ?? '';
    if (text !== against) return text < against ? -1 : 1;
  }
  return 0;
}
