import type { Entitlement } from '../shared/keys.ts';
import type { Moment } from '../shared/moment.ts';
import type { Attempt, Callback, Leg, Passenger, Progress, Status } from './records.ts';
import type { PayloadRule } from './payloadRules.ts';
import type { ClockFormat } from './clockText.ts';
import type { WallClock } from '../shared/localTime.ts';
import type {
  Asking,
  Booking,
  Cause,
  DefectKind,
  Idle,
  BookingForm,
  JourneyRule,
  Members,
  Missing,
  Owner,
  Place,
  ProgressField,
  ReadinessRule,
  Reading,
  Retrying,
  Step,
  SubscribeOutcome,
  TimedLeg,
  ToldChanges,
  UpdateForm,
  UpdateTaken,
} from './policyTerms.ts';

/** The variation points of the web check-in API. */
export interface WebCheckinPolicy {
  // Payload
  /** Whether the handler of a request breaks on a member or parameter before anything judges it. */
  readonly breaksOn: (field: string, value: unknown) => boolean;
  /** What is done all the same with a request that is refused for its payload. */
  readonly refusedPayload: (
    operation: 'subscribe' | 'update',
    kind: DefectKind,
  ) => 'nothing' | 'charged' | 'done';
  /** Whether a rule of the payload tables is enforced at a place. */
  readonly enforces: (rule: PayloadRule, place: Place) => boolean;
  readonly statusOf: (kind: DefectKind) => 400 | 422;
  readonly stageOf: (kind: DefectKind) => 'payload' | 'journey';
  /** As much of an airline code as is read. */
  readonly readAirline: (code: string) => string;
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
  readonly lenientTypes: 'documented' | 'refused' | 'stored' | 'missing';
  /** The passengers of a new booking, as they are stored. */
  readonly enrolled: (sent: readonly Passenger[]) => readonly Passenger[];
  readonly missingNames: 'refused' | 'recorded';
  readonly unboundFiles: 'ignored' | 'refused';
  readonly readAuthHeader: (text: string) => string;
  readonly authHeaderNames: readonly string[];
  readonly authHeaderCorners: 'refused' | 'accepted';
  readonly clientIdentity: 'optional' | 'required';
  readonly clientTypes: 'ignored' | 'refused';
  readonly pnrPart: 'read' | 'ignored';
  // Quota
  readonly quotaAllows: (entitlement: Entitlement, asking?: Asking) => boolean;
  readonly consumes: (outcome: SubscribeOutcome, booking: Booking & { multipart: boolean }) => number;
  /** Whether the entitlement is judged before an attempt is made, as it should be, or after; or, inactive, before the payload. */
  readonly quotaJudged: 'before' | 'after' | 'inactive-first';
  /** `taken` are the units that this subscribe took. */
  readonly quotaShown: (entitlement: Entitlement, taken: number) => unknown;
  readonly quotaRefusal: { readonly status: number; readonly code: string };
  /** Operations that ask for an entitlement. */
  readonly needsEntitlement: (asking: Asking, entitlement: Entitlement) => boolean;
  /** Order of the steps after payload validation (POST subscribe, processing order). */
  readonly steps: readonly ('quota' | 'journey' | 'reuse')[];
  readonly serializesSubscribes: boolean;
  // Journey
  /** Whether a rule of the journey is judged before the payload is. */
  readonly journeyFirst: (rule: JourneyRule) => boolean;
  readonly judges: (rule: JourneyRule, index: number, legs: number, form?: BookingForm) => boolean;
  readonly supportsAirline: (code: string) => boolean;
  readonly departureInstant: (wall: WallClock, suffix: string | null, zone: string, now: number) => number;
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
  readonly recordsRejected: (rule: JourneyRule) => 'no' | 'failed' | 'scheduled';
  /** The reason of a rejection, as it is reported. */
  readonly reasonText: (reason: string) => string;
  readonly reasonMembers: (reason: string) => Readonly<Record<string, unknown>>;
  // Booking identity
  /** What makes two bookings with a record locator the same; `serial` differs from call to call. */
  readonly bookingKey: (booking: Booking, serial: string) => string;
  /** What makes two bookings without one the same. */
  readonly pnrlessKey: (booking: Booking, serial: string) => string;
  readonly bookingScope: (owner: Owner, key: string) => string;
  readonly onRepeat: (
    attempt: Attempt,
    sent: { readonly passengers: readonly Passenger[]; readonly disclaims: boolean },
  ) => void;
  readonly repeatCallback: 'ignored' | 'attached' | 'replaced';
  readonly repeatMessage: (attempt: Attempt) => string;
  /** Whether a further subscribe of its booking finds an attempt. */
  readonly reuses: (attempt: Attempt) => boolean;
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
  readonly foreignRecord: (reading: Reading) => 'missing' | 'forbidden' | 'told';
  readonly newCheckinId: (random: () => number, moment: Moment) => string;
  /** The booking_id by the running number of a booking, and by that among those of its enterprise. */
  readonly bookingNumber: (running: number, own: number) => number;
  /** When a record is said to have been made or changed, by the clock of whatever writes it down; `createdAt` is null where it is being made. */
  readonly writtenAt: (moment: Moment, what: 'created' | 'updated', createdAt: number | null) => number;
  /** The text for people of a state, where the state handler gives none. */
  readonly stateText: (text: string) => string;
  /** The text for people and the items of what is missing, as one look at a record shows them. */
  readonly messageShown: (message: string, moment: Moment) => string;
  readonly missingShown: (missing: readonly unknown[], moment: Moment) => readonly unknown[];
  readonly timestamp: (ms: number) => string;
  readonly unfinishedPasses: 'empty' | 'absent' | 'null';
  readonly finishedPasses: (passes: readonly string[]) => readonly string[];
  readonly bookingIdShown: (id: number) => unknown;
  readonly scheduledTime: 'complete' | 'always' | 'window';
  readonly onRead: (attempt: Attempt, now: number) => void;
  readonly statusBody: (fields: Record<string, unknown>, reading: Reading, attempt: Attempt) => unknown;
  readonly subscribeBody: (fields: Record<string, unknown>, attempt: Attempt) => unknown;
  /** The checkin_id that a status means by what it sends; `ids` are those of all records. */
  readonly idMeant: (sent: string, ids: () => Iterable<string>) => string;
  readonly emptyIdentifier: 'invalid' | 'missing';
  readonly aliasConflict: 'main' | 'alias' | 'refused';
  readonly statusAliases: readonly string[];
  // List
  /** A page or a limit as it is read. */
  readonly spelledNumber: (text: string) => string;
  readonly defaultLimit: number;
  readonly clampLimit: (limit: number) => number;
  readonly defaultPage: number;
  readonly invalidPage: 'zero' | 'refused' | 'absolute' | 'not-a-number' | 'last';
  readonly outOfRangeLimit: 'clamped' | 'refused';
  readonly nonNumericLimit: 'default' | 'one' | 'refused' | 'unbounded';
  readonly invalidFilter: 'ignored' | 'refused';
  /** What an unknown filter becomes; null for no filter. */
  readonly unknownFilter: (text: string | null) => string | null;
  /** How long a new record takes to come to the list. */
  readonly listLagMs: number;
  readonly filters: (attempt: Attempt, status: string) => boolean;
  readonly filtersFirst: boolean;
  readonly listOrder: (one: Attempt, other: Attempt) => number;
  readonly window: (page: number, limit: number) => readonly [start: number, end: number];
  readonly totals: (
    matching: number,
    all: number,
    limit: number,
    everybody: number,
    asked: number | null,
  ) => { total: number; totalPages: unknown };
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
  readonly identifierOrder: (
    update: UpdateForm,
    sent: Members,
  ) => readonly ('checkin_id' | 'webcheckin_id' | 'booking_id')[];
  /** Whether a conflict is found before the data is stored, as it should be, or after. */
  readonly conflictJudged: 'before' | 'after';
  /** What becomes of an update of a record that the caller does not see, beside the refusal. */
  readonly unseenUpdate: 'nothing' | 'stored';
  readonly fallsBack: 'never' | 'unseen' | 'unknown';
  readonly untypedPayload: 'accepted' | 'refused';
  /** The same of payload.pnr. */
  readonly untypedPnr: 'accepted' | 'refused';
  /** Which passengers count where both are given. */
  readonly passengersTwice: 'top-level' | 'payload' | 'refused';
  readonly contradictingType: 'wins' | 'refused';
  readonly nestedPassengers: 'read' | 'ignored';
  readonly newPnr: (
    body: Readonly<Record<string, unknown>>,
    payload: Readonly<Record<string, unknown>>,
  ) => unknown;
  /** Whether updates wait for each other; else one writes back what it has read before another one was stored. */
  readonly serializesUpdates: boolean;
  readonly mergePassengers: (
    stored: readonly Passenger[],
    sent: readonly Passenger[],
    update: UpdateForm,
  ) => readonly Passenger[];
  /** The new last_updated, null for the old one; `shows` says whether an answer looks otherwise than before. */
  readonly updatedAt: (now: number, update: UpdateTaken, shows: boolean) => number | null;
  /** Whether a new pnr is what the booking is known by from then on. */
  readonly filesNewPnr: boolean;
  readonly updateType: (type: 'passengers' | 'pnr') => string;
  readonly reassesses: (update: UpdateTaken) => boolean;
  /** Whether the data of an update that is answered as done are stored. */
  readonly stores: (update: UpdateTaken) => boolean;
  /** Whether a booking_id names a record also under another name. */
  readonly bookingIdAs: (name: 'checkin_id' | 'webcheckin_id') => boolean;
  readonly updateAnswer: (fields: Record<string, unknown>) => Record<string, unknown>;
  readonly updateBody: (body: Record<string, unknown>) => unknown;
  readonly conflictCode: string;
  /** How long a record that an update completes waits to be found complete. */
  readonly completionDelayMs: number;
  readonly onUpdate: (attempt: Attempt, type: 'passengers' | 'pnr', update: UpdateTaken) => void;
  /** Whether a check-in can be resumed this long before its departure. */
  readonly resumes: (leadMs: number) => boolean;
  readonly resumeStatus: number;
  /** The passengers that a record has once it could not be resumed. */
  readonly unresumed: (passengers: readonly Passenger[]) => readonly Passenger[];
  // Automation
  readonly windowMs: number;
  readonly bookingHorizonDays: number | null;
  readonly automatedSubStatus: Readonly<Record<Status, string>>;
  readonly startsAtOnce: 'later' | 'in-response';
  /** Whether an attempt with missing information is started as well, and in the response. */
  readonly startsIncomplete: boolean;
  readonly automatedAt: (now: number, changed: readonly ProgressField[]) => number | null;
  // Callbacks
  readonly emits: (cause: Cause, changed: readonly ProgressField[], step: Step) => boolean;
  /** Whether an event is sent although nothing changed. */
  readonly announcesIdle: (idle: Idle) => boolean;
  /** The webhooks that an event of an attempt goes to; `all` are the attempts of everybody. */
  readonly recipients: (attempt: Attempt, all: () => Iterable<Attempt>) => readonly Callback[];
  readonly reported: (changed: readonly ProgressField[], progress: Progress) => readonly ProgressField[];
  /** The values that `changes` reports. */
  readonly changeValues: (
    after: Readonly<Record<ProgressField, unknown>>,
    before: Readonly<Record<ProgressField, unknown>>,
  ) => Readonly<Record<ProgressField, unknown>>;
  /** The events that tell of changes. */
  readonly eventsOf: (changes: Members) => readonly ToldChanges[];
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
  /** How long a worker takes to an event whose values it reads then; null where they are those of the change. */
  readonly readsLate: number | null;
  /** How long an event stays in the queue before its first delivery. */
  readonly callbackDelayMs: number;
  /** Whether every event is delivered once more. */
  readonly callbackTwice: boolean;
  /** In order for each record, or one event of an enterprise after the other. */
  readonly deliveryOrder: 'any' | 'in-order' | 'one-by-one';
  readonly followsRedirects: boolean;
  /** Whether a webhook gets no delivery any more after so many failed in a row, of which the last had this answer or none. */
  readonly givesUp: (failures: number, status: number | null) => boolean;
  readonly delivered: (status: number) => boolean;
  readonly retrying: Retrying;
}
