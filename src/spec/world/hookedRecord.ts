import type { Delivery, Exchange } from '../../core/evidence.ts';
import type { JsonObject } from '../../trace/body.ts';
import type { Trait } from '../kernel/blame.ts';
import type { Mark } from './outbox.ts';
import type { Shown } from './shown.ts';

/** Several machines may tell the time. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** A change of status that the state handler made. */
export interface Move {
  readonly status: string;
  /** What the state handler was given besides. */
  readonly given: JsonObject;
  readonly before: Shown | null;
  /** When the status before was seen or made, in epoch milliseconds: a deployment may go on by itself from then on. */
  readonly knownAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** By how many milliseconds the deployment's clock is ahead besides what it was moved; null where it did not tell. */
  readonly clock: Range | null;
  readonly traits: readonly Trait[];
  readonly mark: Mark;
  readonly movedMs: number;
  /** It changes the status; whether another change is pushed is open. */
  readonly isOwed: boolean;
  /** Whether all events of it had come before the next change. */
  isClosed: boolean;
  /** As it was shown afterwards, before anything else was done. */
  after: Shown | null;
}

/** A delivery, and by how much the deployment's clock had been moved by then. */
export interface Arrival {
  readonly delivery: Delivery;
  readonly movedMs: number;
}

/** A record with a webhook. */
export interface HookedRecord {
  readonly id: string;
  readonly enterprise: string;
  readonly by: Exchange;
  /** As the subscribe showed it. */
  readonly made: Shown;
  readonly departsAt: number | null;
  readonly urls: Set<string>;
  readonly traits: Set<Trait>;
  /** When it was made. */
  readonly mark: Mark;
  /** From when on no event of its creation can come, in epoch milliseconds; null where that is not known. */
  quietAt: number | null;
  status: { readonly value: string; readonly at: number } | null;
  /** The latest answer about it, unless something was done since. */
  shown: Shown | null;
  writtenAt: number;
  updates: number;
  moves: Move[];
  deliveries: Arrival[];
  /** What else happened that may be told, or was not understood. */
  isUnsure: boolean;
}
