import type { Exchange } from '../../core/evidence.ts';
import type { Evidence } from '../../trace/evidence.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Accusation, Suspects } from '../kernel/blame.ts';

/** The kinds of answers that show a booking. */
export type By = 'subscribe' | 'update' | 'status' | 'list';

export type Status = 'SCHEDULED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';

/** Something known of a booking, which its answers have to show; a value of null is unsure. */
export interface Fact<T> extends Suspects {
  readonly value: T | null;
  /** What made it so. */
  readonly by: readonly Evidence[];
  /** Whether an answer that shows it tells anything: not where it was so before. */
  readonly isTelling: boolean;
  /** The kinds of answers that showed it since it was made, the latest last. */
  readonly seen: readonly By[];
}

/** A request that must not change a booking, with the sentence that says so. */
export interface Bystander {
  readonly rule: string;
  readonly by: Evidence;
}

/** An attempt, by what was sent, answered and done to it. */
export interface Booking {
  readonly id: string;
  readonly enterprise: string;
  readonly bookingId: unknown;
  readonly made: Exchange;
  readonly flights: readonly JsonObject[];
  /** Epoch milliseconds of the first departure; null where it is not known. */
  readonly departsAt: number | null;
  pnr: Fact<string>;
  passengers: Fact<readonly JsonObject[]>;
  complete: Fact<boolean>;
  status: Fact<Status>;
  /** When the latest write was answered, in epoch milliseconds, and the last_updated of its answer. */
  writtenAt: number;
  version: number | null;
  /** From when on answers have to show what is missing, in epoch milliseconds. */
  assessedAt: number;
  /** Requests since an answer last agreed, the latest last. */
  bystanders: readonly Bystander[];
  /** What an answer contradicted last, by member. */
  accused: Partial<Record<string, { readonly want: unknown; readonly by: By; readonly accusation: Accusation }>>;
}

const nothing: readonly never[] = [];
const made: Suspects = { rules: nothing, write: nothing, how: nothing, isCertain: true };

export function fact<T>(value: T, by: readonly Evidence[], given: Partial<Fact<T>> = {}): Fact<T> {
  return { value, ...made, by, isTelling: true, seen: nothing, ...given };
}

export function unsure<T>(by: readonly Evidence[] = []): Fact<T> {
  return { value: null, ...made, by, isTelling: true, seen: nothing };
}

/** One answer's view of a booking. */
export interface Sight {
  readonly by: By;
  readonly exchange: Exchange;
  readonly shown: JsonObject;
  /** Whether it asked for the booking by the alias of its id. */
  readonly isByAlias: boolean;
}
