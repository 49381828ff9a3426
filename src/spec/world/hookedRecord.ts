import type { Delivery, Exchange } from '../../core/evidence.ts';
import { type JsonObject, isObject, objectOf, type Json } from '../../trace/body.ts';
import type { Trait } from '../kernel/blame.ts';
import type { Step } from '../../trace/evidence.ts';

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

/** A moment in a trace: several things may have the same time. */
export interface Mark {
  readonly at: number;
  readonly looks: number;
}

/** Until when all events are known to be delivered: a state handler tells how many are still to be. */
export class Outbox {
  #looks = 0;
  /** The first of the latest looks in a row that found nothing; null after one that found something. */
  #empty: Mark | null = null;
  /** The same, confirmed by a second look: one may fall between a change and its queueing. */
  #settled: Mark = { at: Number.NEGATIVE_INFINITY, looks: 0 };

  note({ operation, outcome, told, startedAt }: Step): void {
    if (operation !== 'callbacks.pending') return;
    this.#looks += 1;
    const isEmpty = outcome === 'done' && told.pending === 0;
    if (isEmpty && this.#empty) this.#settled = this.#empty;
    this.#empty = isEmpty ? { at: startedAt, looks: this.#looks } : null;
  }

  /** The moment at which something was done. */
  mark(at: number): Mark {
    return { at, looks: this.#looks };
  }

  /** Whether all events of what was done by then are delivered or given up. */
  isEmptySince({ at, looks }: Mark): boolean {
    return this.#settled.at >= at && this.#settled.looks > looks;
  }
}

/** The members of a record that an event may tell, as an answer shows them. */
export interface Shown {
  readonly status: Json;
  readonly sub_status: Json;
  readonly checkin_message: Json;
  readonly missing_info: Json;
  readonly boarding_passes: Json;
}

/** What an answer shows of a record; null where it shows none. A subscribe calls the message status_message. */
export function shownBy(exchange: Exchange): Shown | null {
  const body = objectOf(exchange);
  const data = isObject(body?.data) ? body.data : null;
  const record = exchange.operation === 'wci.update' ? data : body;
  if (!record || typeof record.status !== 'string') return null;
  const message = exchange.operation === 'wci.subscribe' ? record.status_message : record.checkin_message;
  return {
    status: record.status,
    sub_status: record.sub_status ?? null,
    checkin_message: message ?? null,
    missing_info: record.missing_info ?? [],
    boarding_passes: record.boarding_passes ?? [],
  };
}
