import type { Behind } from '../callbacks/queue.ts';
import type { Enterprise } from '../shared/keys.ts';
import type { Attempt, Leg, Passenger, Progress } from './records.ts';

/** Which request looks a record up, and by what. */
export interface Reading {
  readonly operation: 'status' | 'list' | 'update';
  /** The name of the identifier, or the filter of a list; null for the whole list. */
  readonly by: string | null;
  readonly multipart: boolean;
  /** Update only: the kind of update. */
  readonly type?: 'passengers' | 'pnr';
}

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
export type Idle = 'repeated subscribe' | 'read' | 'same progress' | 'same update';

/** How a subscribe ended, for the quota. */
export type SubscribeOutcome = 'complete' | 'incomplete' | 'repeated' | 'raced' | 'rejected';

/** What asks for an entitlement: an operation, a subscribe by its form. */
export type Asking =
  'subscribe' | 'multipart subscribe' | 'update' | 'pnr update' | 'multipart update' | 'status' | 'list';

/** What kind of defect a payload has; the documents leave open which of 400 and 422 some of them get. */
export type DefectKind = 'structure' | 'airport' | 'calendar' | 'timezone' | 'callback' | 'itinerary';

/** Where in a payload a rule is applied; the indices are 0 where they have no meaning. */
export interface Place {
  readonly operation: 'subscribe' | 'update';
  readonly multipart: boolean;
  /** Position in `flights`, `passengers` or `documents`. */
  readonly index: number;
  readonly passenger: number;
  readonly field: string;
  /** Update only: whether the passengers stand in `payload`. */
  readonly nested: boolean;
  /** What the rule is applied to, where that may matter. */
  readonly value: unknown;
}

/** What an update carries its data in, and what it says that it changes. */
export interface UpdateForm {
  readonly type: unknown;
  readonly multipart: boolean;
  /** How many files stand beside the parts. */
  readonly files: number;
  readonly nested: boolean;
}

export type Members = Readonly<Record<string, unknown>>;

/** What one event tells, and how long it lies in the queue; null for as long as any. */
export interface ToldChanges {
  readonly changes: Members;
  readonly delayMs: number | null;
}

/** What an event tells, and when that happened. */
export interface ToldChange {
  readonly changedAt: number;
  readonly changes: Members;
}

/** What repeated deliveries do to other events, and tell themselves. */
export interface Retrying {
  /** Where an event goes while an earlier one of its webhook waits to be repeated, after this answer or none. */
  readonly behind: (status: number | null) => Behind;
  /** What the n-th delivery tells, counted from 0; `latest` is the last event of the record. */
  readonly delivers: (event: ToldChange, latest: ToldChange, delivery: number) => ToldChange;
}

/** An update that was found valid. */
export interface UpdateTaken {
  readonly type: 'passengers' | 'pnr';
  readonly form: UpdateForm;
  /** The body as it was sent. */
  readonly sent: Members;
}

export type JourneyRule =
  | 'airline'
  | 'route'
  | 'oneWay'
  | 'oneAirline'
  | 'connected'
  | 'order'
  | 'leadTime'
  | 'horizon'
  | 'backwards';

/** A leg with its instants (epoch ms). */
export interface TimedLeg {
  readonly leg: Leg;
  readonly departsAt: number;
  readonly arrivesAt: number | null;
}

export type ReadinessRule =
  | 'pnr'
  | 'email'
  | 'name'
  | 'passport.number'
  | 'passport.date_of_issue'
  | 'passport.expiry_date'
  | 'passport.place_of_issue'
  | 'nationality'
  | 'extra';

/** One thing that is missing before check-in can run; `passenger` is null where it concerns the booking. */
export interface Missing {
  readonly rule: ReadinessRule;
  readonly field: string;
  readonly passenger: number | null;
}

/** How a booking came that a journey rule judges: whether in parts, and whether it lacks information. */
export interface BookingForm {
  readonly multipart: boolean;
  readonly incomplete: boolean;
}

export interface Booking {
  readonly pnr: string | null;
  readonly legs: readonly Leg[];
  readonly passengers: readonly Passenger[];
}
