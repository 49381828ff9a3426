import { keptTexts } from '../../core/latest.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { dateOf, responseOf, type Json } from '../../trace/body.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { Sight } from './sights.ts';

/** A time that was shown, and when the first answer with it was received. */
export interface Latest {
  readonly at: number;
  readonly since: number;
}

/** What moves last_updated, and this itself, as the latest answer other than a list showed them. */
export interface State {
  readonly at: number;
  readonly status: Json;
  /** How many boarding passes it has: their URLs may be made anew for each answer. */
  readonly passes: number;
  /** What is missing in the first answer with this time, and its id. */
  readonly missing: Json | undefined;
  readonly by: string;
  /** When the first answer with this time was received, and when the latest one was asked for. */
  readonly since: number;
  readonly asked: number;
}

/** When a booking was made, in epoch milliseconds, by each clock that may have told it. */
export interface Creation {
  /** By the `Date` header of the answer; null where it has none. */
  readonly byHeader: number | null;
  readonly byOurs: number;
  /** By our clock, moved as the deployment's state handler moved that of the deployment, and by what that handler tells. */
  readonly byMoved: number;
  readonly byTold: number;
}

/** The ids and times of a booking, whoever made it, as its answers showed them. */
export interface History {
  readonly id: string;
  readonly bookingId: Json | undefined;
  /** By the answer that made it, if this run did. */
  creation: Creation | null;
  createdAt: number | null;
  /** The last_updated that was shown first. */
  first: number | null;
  /** The latest one, as lists show it, which may be made from another copy than the rest, and as other answers do. */
  listed: Latest | null;
  told: Latest | null;
  state: State | null;
}

/** How the deployment's clock was moved, in milliseconds. */
interface Moved {
  readonly movedMs: number;
  readonly toldMs?: number | null;
}

export class Histories {
  readonly #known = new RecentMap<string, History>();
  readonly #bookings = new RecentMap<string, true>();
  readonly #clock: Moved;

  constructor(clock: Moved) {
    this.#clock = clock;
  }

  /** Whether a booking_id was shown to an enterprise. */
  hasBooking(enterprise: string | null, id: Json): boolean {
    return this.#bookings.has(`${enterprise ?? ''}/${id as string}`);
  }

  /** Whether a checkin_id was shown to an enterprise. */
  has(enterprise: string | null, id: string): boolean {
    return this.#known.has(`${enterprise ?? ''}/${plainId(id)}`);
  }

  get forgotten(): number {
    return this.#known.forgotten;
  }

  /** Null for a booking without an id or an enterprise, and for another one whose id differs in letter case or spaces alone. */
  of({ by, exchange, record }: Sight): History | null {
    const { checkin_id: id, booking_id: bookingId, message } = record;
    if (exchange.enterprise === null || typeof id !== 'string') return null;
    const name = `${exchange.enterprise}/${plainId(id)}`;
    this.#bookings.set(`${exchange.enterprise}/${bookingId as string}`, true);
    let known = this.#known.get(name);
    if (!known) {
      const times = { creation: null, createdAt: null, first: null, listed: null, told: null, state: null };
      this.#known.set(name, (known = { id, bookingId, ...times }));
    }
    if (known.id !== id && known.bookingId !== bookingId) return null;
    if (by === 'subscribe' && message === 'SCHEDULED') known.creation ??= this.#creationBy(exchange);
    return known;
  }

  #creationBy(exchange: Exchange): Creation {
    const { movedMs, toldMs } = this.#clock;
    const response = responseOf(exchange);
    const byOurs = exchange.timings.receivedAt;
    const moved = { byMoved: byOurs + movedMs, byTold: byOurs + (toldMs ?? movedMs) };
    return { byHeader: response && dateOf(response), byOurs, ...moved };
  }
}

/** How a deployment treats letter case and spaces around an id is not stated. */
export const plainId = keptTexts((id) => id.trim().toLowerCase());
