import type { Exchange } from '../../core/evidence.ts';
import { unknownLike, unknownNumber } from '../../generate/kit/unknownLike.ts';
import { sightsIn } from '../../spec/world/sights.ts';

/** Ids that no answer of this run has shown. Whether they name nothing only the deployment can tell. */
export interface UnknownIds {
  /** Of the shape of a real checkin_id; another one for another salt. */
  readonly checkinId: (like: string, salt?: number) => string;
  readonly bookingId: (salt?: number) => number;
  /** That of a flight of no airline, with the digits of another number. */
  readonly flightNumber: (like: string) => string;
}

/** More records than that have ids that are far enough apart. */
const mostSeen = 20_000;

/** The ids of all records that a run was shown, whichever enterprise and check they belong to. */
export class SeenIds implements UnknownIds {
  readonly #checkins = new Set<string>();
  readonly #bookings = new Set<number>();

  readonly #onMade: (id: string | number) => void;

  constructor(onMade: (id: string | number) => void = () => undefined) {
    this.#onMade = onMade;
  }

  see(exchange: Exchange): void {
    for (const { record } of sightsIn(exchange)) {
      const { checkin_id: checkin, booking_id: booking } = record;
      if (typeof checkin === 'string' && this.#checkins.size < mostSeen) this.#checkins.add(checkin);
      const number = typeof booking === 'string' ? Number(booking) : booking;
      if (typeof number === 'number' && this.#bookings.size < mostSeen) this.#bookings.add(number);
    }
  }

  checkinId(like: string, salt = 0): string {
    return this.#made(unknownLike(like, this.#checkins, salt));
  }

  bookingId(salt = 0): number {
    return this.#made(unknownNumber(this.#bookings, salt));
  }

  flightNumber(like: string): string {
    return this.#made(`ZZ${like.slice(2)}`);
  }

  #made<T extends string | number>(id: T): T {
    this.#onMade(id);
    return id;
  }
}
