import type { Kept } from './upstream.ts';
import type { Behind } from '../callbacks/queue.ts';
import type { Enterprise, Entitlement } from '../shared/keys.ts';
import type { FlightNumberCleaning } from './flightNumber.ts';
import type { Snapshot, UpstreamLeg, LegName, FlightCallback, Subscription } from './subscriptions.ts';

export type FlightRule =
  | 'flightNumber.required'
  | 'flightNumber.grammar'
  | 'flightNumber.scalar'
  | 'date.required'
  | 'date.scalar'
  | 'date.format'
  | 'date.calendar'
  /** A mistake: leap days are real dates. */
  | 'date.leapDay'
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

export type FlightOperation = 'lookup' | 'subscribe';
export type UpstreamFailure = 'unavailable' | 'invalid-data' | 'subscription';

/** Where a rule is applied. */
export interface FlightPlace {
  readonly operation: FlightOperation;
  readonly field: string;
  readonly value: unknown;
}

interface FlightCaller {
  readonly enterprise: Enterprise;
  readonly key: string;
}

type Members = Record<string, unknown>;

type Conflict = 'CALLBACK_ALREADY_REGISTERED' | 'EXTERNAL_FID_ALREADY_REGISTERED';

/** The variation points of the flight alerts API. */
export interface FlightAlertsPolicy {
  // Validation
  readonly enforcesFlight: (rule: FlightRule, place: FlightPlace) => boolean;
  readonly flightStatusOf: (rule: FlightRule) => 400 | 422;
  readonly cleaning: (operation: FlightOperation) => FlightNumberCleaning;
  readonly cleanAirport: (code: string, field: string) => string;
  readonly today: (now: number) => string;
  readonly horizonDays: number | null;
  readonly sameAirports: 400 | 404;
  readonly lookupAirports: 'ignored' | 'refused' | 'filter' | 'required';
  readonly fidLength: (fid: string) => number;
  readonly longestFid: number;
  readonly blankFid: 'accepted' | 'refused';
  /** Whether several values of one parameter are judged at all; where not, the first counts. */
  readonly repeatedParameter: 'judged' | 'first';
  /** Whether the scheme of a callback URL may be written in capitals. */
  readonly schemeCase: 'any' | 'lower';
  /** The host name of a callback URL, which is judged; `written` is the text of the URL. */
  readonly hostOf: (url: URL, written: string) => string;
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
    operation: FlightOperation,
    flightKnown: boolean,
  ) => { status: number; code: string };
  /** Whether a lookup needs what only a subscribe does. */
  readonly lookupTracks: boolean;
  readonly emptyLookup: 'not-found' | 'empty';
  readonly failureCode: (
    failure: UpstreamFailure,
    operation: FlightPlace['operation'],
  ) => {
    status: number;
    code: string;
  };
  /** By what an answer of upstream is kept and shown again, and for how many milliseconds; for good without that. */
  readonly upstreamKept: (place: {
    readonly operation: FlightPlace['operation'];
  }) => Kept | readonly [Kept, number];
  /** Whether a number that upstream does not know finds the flight whose number begins with it. */
  readonly findsLongerNumbers: boolean;
  readonly refusesFlights: (entitlement: Entitlement, operation: FlightOperation) => boolean;
  /** Units of web check-in that an operation takes. */
  readonly flightUnits: (operation: FlightOperation) => number;
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
  /** `cancelled-too` is a mistake: nothing says that a leg that is cancelled is not found. */
  readonly departedLegs: 'subscribable' | 'not-found' | 'cancelled-too';
  readonly subscriptionOwner: (caller: FlightCaller) => string;
  readonly subscriptionName: (leg: LegName) => string;
  readonly conflicts: (fidDiffers: boolean, urlDiffers: boolean) => readonly Conflict[];
  readonly firstConflict: Conflict;
  readonly conflictStatus: number;
  readonly attaches: boolean;
  readonly onConflict: (subscription: Subscription, sent: { fid: string; url: string }) => void;
  readonly onPolling: (subscription: Subscription, apiKey: string) => void;
  readonly onRetry: (subscription: Subscription) => void;
  readonly sharedFid: 'allowed' | 409 | 400;
  readonly sameFid: (one: string, other: string) => boolean;
  readonly sameUrl: (one: string, other: string) => boolean;
  readonly newKey: (random: () => number, apiKey: string) => string;
  readonly keyScope: 'subscription' | 'enterprise';
  readonly keyOnRetry: (key: string, polling: boolean) => string | null | undefined;
  readonly keyOnFirst: (key: string) => string | null | undefined;
  /** Whether a subscribe that is refused with this code is stored all the same. */
  readonly storesRefused: (code: string) => boolean;
  readonly failedSubscription: 'nothing-stored' | 'stored' | 'kept' | 'stuck';
  readonly serializesFlightSubscribes: boolean;
  // Events
  readonly authorization: (
    key: string,
    delivery: number,
    callback: FlightCallback,
  ) => Readonly<Record<string, string>>;
  readonly echoedFid: (fid: string, delivery: number) => unknown;
  readonly shapeChanges: (changes: Members, snapshot: Snapshot, before: Snapshot) => Members;
  /** The notifications that report one change. */
  readonly notificationsOf: (
    changes: Members,
    before: Snapshot,
    subscription: Subscription,
  ) => readonly Members[];
  /** The body of the n-th delivery, counted from 0. */
  readonly notificationBody: (notification: { fid: unknown; changes: Members }, delivery: number) => unknown;
  readonly notificationHeaders: (delivery: number) => Readonly<Record<string, string>>;
  readonly notificationMethod: 'POST' | 'PUT';
  readonly notifiedUrl: (url: string) => string;
  readonly stopoverChanges: 'whole' | 'changed';
  /** How a stopover without values is reported; `as-changed` for no special way. */
  readonly clearedStopover: 'as-changed' | 'null';
  readonly clearedAlternateInfo: 'null' | 'empty';
  /** Whether an upstream message that changes nothing is notified; a mistake. */
  readonly notifiesUnchanged: boolean;
  /** What is kept of a leg after a change, to be shown later. */
  readonly keptLeg: (after: UpstreamLeg, before: UpstreamLeg) => UpstreamLeg;
  /** Whether changes of a leg are no longer notified: until when they are is not stated. */
  readonly endsNotifying: (leg: LegName, now: number) => boolean;
  readonly notifies: (subscription: Subscription, leg: LegName, changed: LegName) => boolean;
  /** Who of the subscribers of a changed leg is notified; `ofFlight` are the subscriptions to all legs of the flight. */
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
  /** Whether a callback gets no notification any more after so many failed in a row, of which the last had this answer or none. */
  readonly givesUpFlight: (failures: number, status: number | null) => boolean;
  /** Where a notification goes while an earlier one of its callback waits to be repeated, after this answer or none. */
  readonly behindFlightRetry: (status: number | null) => Behind;
  /** In any order, or one of a callback after the other. */
  readonly notificationOrder: 'any' | 'in-order';
}
