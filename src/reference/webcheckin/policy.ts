import type { Enterprise, Entitlement } from '../shared/keys.ts';
import { instantInZone, type WallClock } from '../shared/localTime.ts';
import { findAirline } from '../data/airlines.ts';
import { documentedClockFormat, formatClock, type ClockFormat } from './clockText.ts';
import type { DefectKind, Place } from './inspection.ts';
import type { JourneyRule, TimedLeg } from './journey.ts';
import { payloadRules, type PayloadRule } from './payloadRules.ts';
import type { Booking, Missing, ReadinessRule } from './readiness.ts';
import { isBlank } from './readiness.ts';
import type { Attempt, Callback, Leg, Passenger, Progress, Status } from './records.ts';

/** Which request looks a record up, and by what. */
export type Reading =
  'status' | 'status.alias' | 'list' | 'update.checkin_id' | 'update.webcheckin_id' | 'update.booking_id';

/** What moved an attempt. */
export type Cause = 'creation' | 'update' | 'automation';

export type ProgressField = 'status' | 'sub_status' | 'checkin_message' | 'missing_info' | 'boarding_passes';

/** Who made a record or reads it: an enterprise, by one of its keys. */
export interface Owner {
  readonly enterprise: Enterprise;
  readonly apiKey: string;
}

/** One change of an attempt, as far as an event may depend on it. */
export interface Step {
  readonly attempt: Attempt;
  readonly before: Progress;
  readonly after: Progress;
}

/** What has been looked at or sent without changing an attempt. */
export type Idle = 'repeated subscribe' | 'read' | 'same progress';

/** How a subscribe ended, for the quota. */
export type SubscribeOutcome = 'complete' | 'incomplete' | 'repeated' | 'rejected';

/** The variation points of the web check-in API. */
export interface WebCheckinPolicy {
  // Payload
  /** Whether a rule of the payload tables is enforced at a place. */
  readonly enforces: (rule: PayloadRule, place: Place) => boolean;
  readonly statusOf: (kind: DefectKind) => 400 | 422;
  readonly stageOf: (kind: DefectKind) => 'payload' | 'journey';
  readonly isAirlineCode: (code: string) => boolean;
  readonly isAirportCode: (code: string) => boolean;
  readonly canonicalCode: (code: string) => string;
  readonly clockFormat: ClockFormat;
  readonly clockCorners: 'refused' | 'accepted';
  readonly documentTypes: readonly string[];
  readonly rowPreferences: readonly string[];
  readonly columnPreferences: readonly string[];
  readonly matchesOneOf: (value: unknown, allowed: readonly string[]) => boolean;
  readonly isEmail: (text: string) => boolean;
  readonly lenientTypes: 'documented' | 'refused' | 'stored';
  readonly missingNames: 'refused' | 'recorded';
  readonly unboundFiles: 'ignored' | 'refused';
  readonly readAuthHeader: (text: string) => string;
  readonly authHeaderNames: readonly string[];
  readonly authHeaderCorners: 'refused' | 'accepted';
  readonly clientIdentity: 'optional' | 'required';
  readonly clientTypes: 'ignored' | 'refused';
  readonly pnrPart: 'read' | 'ignored';
  // Quota
  readonly quotaAllows: (entitlement: Entitlement) => boolean;
  readonly consumes: (outcome: SubscribeOutcome, place: { multipart: boolean }) => number;
  readonly quotaShown: (entitlement: Entitlement) => unknown;
  readonly quotaRefusal: { readonly status: number; readonly code: string };
  /** Operations that ask for an entitlement. */
  readonly needsEntitlement: (operation: 'subscribe' | 'update' | 'status' | 'list') => boolean;
  /** Order of the steps after payload validation (POST subscribe, processing order). */
  readonly steps: readonly ('quota' | 'journey' | 'reuse')[];
  readonly serializesSubscribes: boolean;
  // Journey
  readonly judges: (rule: JourneyRule, index: number, legs: number) => boolean;
  readonly supportsAirline: (code: string) => boolean;
  readonly departureInstant: (wall: WallClock, suffix: string | null, zone: string) => number;
  readonly arrivalInstant: (
    wall: WallClock,
    suffix: string | null,
    zone: string,
    originZone: string,
  ) => number;
  /** What the order of legs is judged by. */
  readonly clockOrder: (leg: TimedLeg) => number;
  readonly leadTimeMet: (leadMs: number) => boolean;
  readonly rejection: 'refused' | 'answered';
  readonly recordsRejected: 'no' | 'failed' | 'scheduled';
  readonly reasonMembers: (reason: string) => Readonly<Record<string, unknown>>;
  // Booking identity
  /** What makes two bookings with a record locator the same; `serial` differs from call to call. */
  readonly bookingKey: (booking: Booking, serial: string) => string;
  /** What makes two bookings without one the same. */
  readonly pnrlessKey: (booking: Booking, serial: string) => string;
  readonly bookingScope: (owner: Owner, key: string) => string;
  readonly onRepeat: (attempt: Attempt, sent: { passengers: readonly Passenger[] }) => void;
  readonly repeatCallback: 'ignored' | 'attached' | 'replaced';
  readonly repeatMessage: string;
  /** The webhook of a new attempt; `others` are the enterprise's attempts. */
  readonly registered: (
    sent: Callback | null,
    others: () => readonly Attempt[],
    place: { multipart: boolean },
  ) => Callback | null;
  // Readiness
  readonly needs: (rule: ReadinessRule, passenger: number, booking: Booking) => boolean;
  readonly isPnr: (pnr: unknown) => boolean;
  readonly isInternational: (
    countries: readonly (readonly [string | undefined, string | undefined])[],
  ) => boolean;
  readonly emailRule: (valid: readonly boolean[], given: readonly boolean[]) => boolean;
  readonly scanReplacesPassport: (passport: Readonly<Record<string, unknown>>) => boolean;
  readonly nationalityOf: (passport: unknown, passenger: unknown) => unknown;
  readonly furtherFields: readonly string[];
  readonly missingItem: (missing: Missing) => unknown;
  readonly missingSubStatus: (missing: readonly Missing[]) => string;
  readonly completeSubStatus: string;
  // Records
  readonly sees: (attempt: Attempt, reader: Owner, reading: Reading) => boolean;
  readonly foreignRecord: 'missing' | 'forbidden' | 'told';
  readonly timestamp: (ms: number) => string;
  readonly unfinishedPasses: 'empty' | 'absent' | 'null';
  readonly finishedPasses: (passes: readonly string[]) => readonly string[];
  readonly bookingIdShown: (id: number) => unknown;
  readonly scheduledTime: 'complete' | 'always' | 'window';
  readonly onRead: (attempt: Attempt, now: number) => void;
  readonly statusBody: (fields: Record<string, unknown>) => unknown;
  readonly subscribeBody: (fields: Record<string, unknown>) => unknown;
  readonly emptyIdentifier: 'invalid' | 'missing';
  readonly aliasConflict: 'main' | 'alias' | 'refused';
  readonly statusAliases: readonly string[];
  // List
  readonly defaultLimit: number;
  readonly clampLimit: (limit: number) => number;
  readonly defaultPage: number;
  readonly invalidPage: 'zero' | 'refused' | 'absolute' | 'not-a-number';
  readonly outOfRangeLimit: 'clamped' | 'refused';
  readonly nonNumericLimit: 'default' | 'one' | 'refused' | 'unbounded';
  readonly invalidFilter: 'ignored' | 'refused';
  /** What an unknown filter becomes; null for no filter. */
  readonly unknownFilter: (text: string | null) => string | null;
  readonly filters: (attempt: Attempt, status: string) => boolean;
  readonly filtersFirst: boolean;
  readonly listOrder: (one: Attempt, other: Attempt) => number;
  readonly window: (page: number, limit: number) => readonly [start: number, end: number];
  readonly totals: (matching: number, all: number, limit: number) => { total: number; totalPages: unknown };
  readonly beyondEnd: 'empty' | 'missing';
  readonly emptyPages: 0 | 1;
  readonly departureNames: readonly string[];
  readonly departureValue: (leg: Leg) => string;
  readonly listedDestination: 'last' | 'first';
  readonly listBody: (body: Record<string, unknown>) => unknown;
  readonly listItem: (item: Record<string, unknown>) => Record<string, unknown>;
  // Update
  readonly updateConflict: (attempt: Attempt, collides: boolean) => boolean;
  readonly identifiers: 'precedence' | 'one-only';
  readonly identifierOrder: readonly ('checkin_id' | 'webcheckin_id' | 'booking_id')[];
  readonly fallsBack: boolean;
  readonly untypedPayload: 'accepted' | 'refused';
  readonly contradictingType: 'wins' | 'refused';
  readonly nestedPassengers: 'read' | 'ignored';
  readonly newPnr: (
    body: Readonly<Record<string, unknown>>,
    payload: Readonly<Record<string, unknown>>,
  ) => unknown;
  readonly mergePassengers: (
    stored: readonly Passenger[],
    sent: readonly Passenger[],
  ) => readonly Passenger[];
  readonly updatedAt: (now: number, type: 'passengers' | 'pnr') => number | null;
  readonly updateType: (type: 'passengers' | 'pnr') => string;
  readonly reassesses: (type: 'passengers' | 'pnr') => boolean;
  readonly updateAnswer: (fields: Record<string, unknown>) => Record<string, unknown>;
  readonly conflictCode: string;
  /** How long a record that an update completes waits to be found complete. */
  readonly completionDelayMs: number;
  readonly onUpdate: (attempt: Attempt, type: 'passengers' | 'pnr') => void;
  // Automation
  readonly windowMs: number;
  readonly bookingHorizonDays: number | null;
  readonly automatedSubStatus: Readonly<Record<Status, string>>;
  readonly startsAtOnce: 'later' | 'in-response';
  // Callbacks
  readonly emits: (cause: Cause, changed: readonly ProgressField[], step: Step) => boolean;
  /** Whether an event is sent although nothing changed. */
  readonly announcesIdle: (idle: Idle) => boolean;
  /** The webhooks that an event of an attempt goes to; `all` are the attempts of everybody. */
  readonly recipients: (attempt: Attempt, all: () => Iterable<Attempt>) => readonly Callback[];
  readonly reported: (changed: readonly ProgressField[], progress: Progress) => readonly ProgressField[];
  /** The values that `changes` tells. */
  readonly changeValues: (
    after: Readonly<Record<ProgressField, unknown>>,
    before: Readonly<Record<ProgressField, unknown>>,
  ) => Readonly<Record<ProgressField, unknown>>;
  readonly eventName: (body: Record<string, unknown>, headers: Record<string, string>) => void;
  readonly callbackMethod: 'POST' | 'PUT';
  readonly callbackTarget: (url: string) => string;
  readonly callbackHeader: (callback: Callback, delivery: number) => Record<string, string>;
  readonly callbackContentType: string | null;
  /** The body of the n-th delivery, counted from 0. */
  readonly callbackBody: (event: Readonly<Record<string, unknown>>, delivery: number) => string;
  readonly occurredAt: (changedAt: number, now: number, attempt: Attempt) => number;
  readonly occurredAtText: (ms: number, timestamp: (ms: number) => string) => unknown;
  readonly callbackRetryMs: readonly number[];
  /** How long an event stays in the queue before its first delivery. */
  readonly callbackDelayMs: number;
  /** Whether every event is delivered once more. */
  readonly callbackTwice: boolean;
  readonly deliveryOrder: 'any' | 'in-order';
  readonly followsRedirects: boolean;
  readonly delivered: (status: number) => boolean;
}

const HOUR = 3_600_000;

export const documentedWebCheckinPolicy: WebCheckinPolicy = {
  enforces: (rule) => payloadRules[rule],
  statusOf: (kind) => (['itinerary', 'timezone', 'callback'].includes(kind) ? 422 : 400),
  stageOf: (kind) => (kind === 'itinerary' ? 'journey' : 'payload'),
  isAirlineCode: (code) => /^[A-Za-z0-9]{2}$/.test(code),
  isAirportCode: (code) => /^[A-Za-z]{3}$/.test(code),
  canonicalCode: (code) => code,
  clockFormat: documentedClockFormat,
  clockCorners: 'refused',
  documentTypes: ['VISA', 'IQAMA', 'PR_CARD', 'GREEN_CARD'],
  rowPreferences: ['front', 'middle', 'rear'],
  columnPreferences: ['window', 'middle', 'aisle'],
  matchesOneOf: (value, allowed) => typeof value === 'string' && allowed.includes(value),
  isEmail: (text) => /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(text),
  lenientTypes: 'documented',
  missingNames: 'refused',
  unboundFiles: 'ignored',
  readAuthHeader: (text) => text,
  authHeaderNames: ['x-api-key', 'authorization'],
  authHeaderCorners: 'refused',
  clientIdentity: 'optional',
  clientTypes: 'ignored',
  pnrPart: 'read',
  quotaAllows: ({ status, included_units, consumed_units }) =>
    status === 'active' && consumed_units < included_units,
  consumes: (outcome) => (outcome === 'complete' || outcome === 'incomplete' ? 1 : 0),
  quotaShown: ({ included_units, consumed_units }) => ({ included_units, consumed_units }),
  quotaRefusal: { status: 402, code: 'QUOTA_EXHAUSTED' },
  needsEntitlement: (operation) => operation === 'subscribe',
  steps: ['quota', 'journey', 'reuse'],
  serializesSubscribes: true,
  judges: documentedJourneyRules,
  supportsAirline: (code) => findAirline(code) !== undefined,
  departureInstant: (wall, _suffix, zone) => instantInZone(wall, zone),
  arrivalInstant: (wall, _suffix, zone) => instantInZone(wall, zone),
  clockOrder: (leg) => leg.departsAt,
  leadTimeMet: (leadMs) => leadMs >= 6 * HOUR,
  rejection: 'refused',
  recordsRejected: 'no',
  reasonMembers: (reason) => ({ reason }),
  bookingKey: ({ pnr, legs }) => `${pnr ?? ''} ${flightsIdentity(legs)}`,
  pnrlessKey: ({ legs, passengers }) => `- ${flightsIdentity(legs)} ${namesOf(passengers)}`,
  bookingScope: ({ enterprise }, key) => `${enterprise.id} ${key}`,
  onRepeat: () => undefined,
  repeatCallback: 'ignored',
  repeatMessage: 'ALREADY_SUBSCRIBED',
  registered: (sent) => sent,
  needs: () => true,
  isPnr: (pnr) => typeof pnr === 'string' && /^[A-Z0-9]{6}$/.test(pnr),
  isInternational: (countries) => countries.some(([from, to]) => from !== to),
  emailRule: (valid) => valid.includes(true),
  scanReplacesPassport: () => false,
  nationalityOf: (passport, passenger) => (isBlank(passport) ? passenger : passport),
  furtherFields: [],
  missingItem: ({ field, passenger }) => (passenger === null ? field : `passengers[${passenger}].${field}`),
  missingSubStatus: () => 'MISSING_INFO',
  completeSubStatus: 'COMPLETE_INFO',
  sees: (attempt, reader) => attempt.enterprise === reader.enterprise,
  foreignRecord: 'missing',
  timestamp: (ms) => new Date(ms).toISOString(),
  unfinishedPasses: 'empty',
  finishedPasses: (passes) => passes,
  bookingIdShown: (id) => id,
  scheduledTime: 'complete',
  onRead: () => undefined,
  statusBody: (fields) => ({ success: true, ...fields }),
  subscribeBody: (fields) => ({ success: true, ...fields }),
  emptyIdentifier: 'invalid',
  aliasConflict: 'main',
  statusAliases: ['checkin_id', 'checkinId'],
  defaultLimit: 25,
  clampLimit: (limit) => Math.min(100, Math.max(1, limit)),
  defaultPage: 0,
  invalidPage: 'zero',
  outOfRangeLimit: 'clamped',
  nonNumericLimit: 'default',
  invalidFilter: 'ignored',
  unknownFilter: () => null,
  filters: (attempt, status) => attempt.progress.status === status,
  filtersFirst: true,
  listOrder: (one, other) => other.createdAt - one.createdAt || other.bookingId - one.bookingId,
  window: (page, limit) => [page * limit, (page + 1) * limit],
  totals: (matching, _all, limit) => ({ total: matching, totalPages: Math.ceil(matching / limit) }),
  beyondEnd: 'empty',
  emptyPages: 0,
  departureNames: ['departure_datetime'],
  departureValue: (leg) => formatClock(leg.departure),
  listedDestination: 'last',
  listBody: (body) => body,
  listItem: (item) => item,
  updateConflict: ({ progress }, collides) =>
    collides || progress.status === 'IN_PROGRESS' || progress.status === 'COMPLETED',
  identifiers: 'precedence',
  identifierOrder: ['checkin_id', 'webcheckin_id', 'booking_id'],
  fallsBack: false,
  untypedPayload: 'accepted',
  contradictingType: 'wins',
  nestedPassengers: 'read',
  newPnr: (_body, payload) => payload.pnr,
  mergePassengers: (_stored, sent) => sent,
  updatedAt: (now) => now,
  updateType: (type) => type,
  reassesses: () => true,
  updateAnswer: (fields) => fields,
  conflictCode: 'UPDATE_CONFLICT',
  completionDelayMs: 0,
  onUpdate: () => undefined,
  windowMs: 24 * HOUR,
  bookingHorizonDays: null,
  automatedSubStatus: {
    SCHEDULED: 'QUEUED',
    IN_PROGRESS: 'CHECKIN_STARTED',
    COMPLETED: 'BOARDING_PASS_AVAILABLE',
    FAILED: 'CHECKIN_FAILED',
  },
  startsAtOnce: 'later',
  emits: (cause, changed) =>
    cause !== 'creation' && (changed.includes('status') || changed.includes('sub_status')),
  announcesIdle: () => false,
  recipients: ({ callback }) => (callback ? [callback] : []),
  reported: (changed) => changed,
  changeValues: (after) => after,
  eventName: () => undefined,
  callbackMethod: 'POST',
  callbackTarget: (url) => url,
  callbackHeader: ({ headerName, headerValue }) => ({ [headerName]: headerValue }),
  callbackContentType: 'application/json',
  callbackBody: (event) => JSON.stringify(event),
  occurredAt: (changedAt) => changedAt,
  occurredAtText: (ms, timestamp) => timestamp(ms),
  callbackRetryMs: [5_000, 30_000, 120_000, 600_000],
  callbackDelayMs: 0,
  callbackTwice: false,
  deliveryOrder: 'any',
  followsRedirects: false,
  delivered: (status) => status >= 200 && status < 300,
};

/** The rules that the documents state; the lead time is that of the first departure. */
export function documentedJourneyRules(rule: JourneyRule, index: number): boolean {
  return rule !== 'backwards' && (rule !== 'leadTime' || index === 0);
}

/** Flights by airline, number, route and departure clock. */
export function flightsIdentity(legs: readonly Leg[]): string {
  return legs.map(flightIdentity).join(',');
}

export function namesOf(passengers: readonly Passenger[]): string {
  return passengers
    .map(({ first_name, last_name }) => `${String(first_name)}/${String(last_name)}`)
    .join(',');
}

export function flightIdentity(leg: Leg): string {
  return [leg.airline, leg.flightNumber, leg.origin, leg.destination, formatClock(leg.departure)].join('/');
}
