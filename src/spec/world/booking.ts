import type { Evidence } from '../../trace/evidence.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Accusation, Suspects, Unblamed } from '../kernel/blame.ts';
import type { By } from './sights.ts';

export type Status = 'SCHEDULED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

/** Something known of a booking, which its answers have to show; a value of null is unsure. */
export interface Fact<T> extends Suspects {
  readonly value: T | null;
  /** What made it so. */
  readonly by: readonly Evidence[];
  /** The kinds of answers that showed it since it was made, the latest last. */
  readonly seen: readonly By[];
  /** Whether it was another before, so that whoever shows it knows of what made it so. */
  readonly isNew: boolean;
  /** Sentences whose condition arose with others, so that none of them alone is to blame. */
  readonly beside?: readonly string[];
  /** Whether it would be another if the write that made it so had done nothing. */
  readonly tells?: boolean;
  /** Whether the answer to the write that made it so showed it. */
  readonly isTold?: true;
}

/** A request that must not change a booking, with the sentence that says so. */
export interface Bystander {
  readonly rule: string;
  readonly by: Evidence;
}

/** What a write changes; of `other` ones that is not known, or all. */
export type WriteKind = 'pnr' | 'passengers' | 'other';

/** An attempt, by what was sent, answered and done to it. */
export interface Booking {
  readonly id: string;
  readonly enterprise: string;
  readonly bookingId: unknown;
  readonly flights: readonly JsonObject[];
  /** The label of the key that made it. */
  readonly key: string | null;
  /** The locators that requests gave it; null once one may have given it any. */
  locators: readonly string[] | null;
  /** Whether an update may have changed it. */
  isUpdated: boolean;
  /** The latest update, where it made another of what was known. */
  changedBy: Evidence | null;
  /** Epoch milliseconds of the first departure; null where it is not known. */
  readonly departsAt: number | null;
  pnr: Fact<string>;
  passengers: Fact<readonly JsonObject[]>;
  complete: Fact<boolean>;
  status: Fact<Status>;
  /** The boarding passes that the state handler completed it with; null where that is not known. */
  passes: readonly string[] | null;
  /** When it was made, in epoch milliseconds: by our clock, and by the deployment's. */
  readonly madeAt: number;
  readonly madeOn: number;
  /** When a list first showed it, in epoch milliseconds. */
  listedAt: number;
  /** When the latest write was answered, in epoch milliseconds, and the last_updated of its answer. */
  writtenAt: number;
  /** When the latest write of each kind was answered: one of the pnr and one of the passengers may overlap. */
  endedAt: Readonly<Record<WriteKind, number>>;
  version: number | null;
  /** From when on answers have to show what is missing, in epoch milliseconds. */
  assessedAt: number;
  /** Whether an answer has shown already what the latest write made of it. */
  isReassessed: boolean;
  /** Requests since an answer last agreed, the latest last. */
  bystanders: readonly Bystander[];
  /** What an answer contradicted last, by member. */
  accused: Partial<Record<string, Accused>>;
  /** What answers contradicted of late. */
  accusations: readonly Accused[];
}

interface Accused {
  readonly want: unknown;
  readonly by: By;
  /** When the answer came, in epoch milliseconds. */
  readonly at: number;
  readonly accusation: Accusation;
  /** What it shows of a booking that it made itself. */
  readonly made?: Unblamed;
}

const nothing: readonly never[] = [];
const made: Suspects = { rules: nothing, write: nothing, isCertain: true };

export function fact<T>(value: T, by: readonly Evidence[], given: Partial<Fact<T>> = {}): Fact<T> {
  return { value, ...made, by, seen: nothing, isNew: false, ...given };
}

export function unsure<T>(by: readonly Evidence[] = []): Fact<T> {
  return { value: null, ...made, by, seen: nothing, isNew: false };
}
