import type { Enterprise } from '../shared/keys.ts';
import type { WallClock } from '../shared/localTime.ts';

export const statuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
export type Status = (typeof statuses)[number];

/** A leg after validation: codes as sent, clocks read. */
export interface Leg {
  readonly airline: string;
  readonly flightNumber: string;
  readonly origin: string;
  readonly destination: string;
  readonly departureText: string;
  readonly departure: WallClock;
  readonly departureSuffix: string | null;
  readonly arrival: WallClock | null;
  readonly arrivalSuffix: string | null;
}

/** A passenger as it was sent; everything but the names may be missing. */
export type Passenger = Readonly<Record<string, unknown>>;

/** The registered status webhook of a request. */
export interface Callback {
  readonly url: string;
  readonly headerName: string;
  readonly headerValue: string;
}

/** The fields of an attempt that a status webhook reports. */
export interface Progress {
  readonly status: Status;
  readonly subStatus: string;
  readonly message: string;
  readonly missing: readonly unknown[];
  readonly boardingPasses: readonly string[];
}

/** One check-in request (Check-in request, attempt). Times are epoch milliseconds. */
export interface Attempt {
  readonly checkinId: string;
  readonly bookingId: number;
  readonly enterprise: Enterprise;
  /** The key that it was made with. */
  readonly apiKey: string;
  readonly legs: readonly Leg[];
  /** When it was made, and when that is said to be. */
  readonly madeAt: number;
  readonly createdAt: number;
  /** Departure of the first leg. */
  readonly departsAt: number;
  pnr: string | null;
  passengers: readonly Passenger[];
  callback: Callback | null;
  progress: Progress;
  scheduledAt: number | null;
  updatedAt: number;
  /** Set by the state handler: the next update is stored, then its resume is rejected. */
  rejectsResume: boolean;
  /** Bumped by whatever moves the attempt, so that a planned step of the automation knows that it is stale. */
  revision: number;
}
