import type { Evidence } from '../../trace/evidence.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Accusation, Suspects } from '../kernel/blame.ts';
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
  /** Epoch milliseconds of the first departure; null where it is not known. */
  readonly departsAt: number | null;
  pnr: Fact<string>;
  passengers: Fact<readonly JsonObject[]>;
  complete: Fact<boolean>;
  status: Fact<Status>;
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
}

const nothing: readonly never[] = [];
const made: Suspects = { rules: nothing, write: nothing, isCertain: true };

export function fact<T>(value: T, by: readonly Evidence[], given: Partial<Fact<T>> = {}): Fact<T> {
  return { value, ...made, by, seen: nothing, isNew: false, ...given };
}

export function unsure<T>(by: readonly Evidence[] = []): Fact<T> {
  return { value: null, ...made, by, seen: nothing, isNew: false };
}
