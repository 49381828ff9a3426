import { RecentMap } from '../../core/recentMap.ts';
import { onceForEach } from '../../core/latest.ts';
import { isObject, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { digestOf } from '../../trace/digest.ts';
import { textOf } from '../grammar/form.ts';
import { areObjects } from './changes.ts';
import type { Booking } from './booking.ts';
import type { Bookings } from './bookings.ts';

/** The subscribe that made an attempt, and what has become of the attempt. */
export interface Twin {
  readonly booking: Booking;
  readonly call: Call;
}

/** How long before a departure a repeated subscribe may be refused, or its attempt be under way by itself, in milliseconds (WCI-OPN-067). */
const closeMs = 7 * 3_600_000;

/** Which bookings an enterprise has subscribed already, as far as no reading of the documents doubts it (WCI-OPN-015). */
export class Repeats {
  readonly #twins = new RecentMap<string, Twin>();
  readonly #itineraries = new RecentMap<string, Booking>();
  readonly #world: Bookings;
  /** Whether a booking was found by others than its passengers. */
  #ignoresPassengers = false;

  constructor(world: Bookings) {
    this.#world = world;
  }

  get forgotten(): number {
    return this.#twins.forgotten;
  }

  /** The attempt of the same booking: the same locator, flights and passengers; null where it is none for certain. */
  of(call: Call): Twin | null {
    const name = nameOf(call);
    const twin = name === null ? undefined : this.#twins.get(name);
    if (!twin) return null;
    return this.#world.of(call.enterprise, twin.booking.id) === twin.booking ? twin : null;
  }

  learn(call: Call): void {
    const answer = isObject(call.answer) ? call.answer : {};
    const name = call.status === 200 ? nameOf(call) : null;
    const booking = this.#world.of(call.enterprise, answer.checkin_id);
    if (name === null || !booking || this.#twins.has(name)) return;
    const itinerary = `${name.split('/')[0] ?? ''}/${digestOf(call.body?.pnr, call.body?.flights)}`;
    if (answer.message === 'SCHEDULED') {
      this.#twins.set(name, { booking, call });
      if (!this.#itineraries.has(itinerary)) this.#itineraries.set(itinerary, booking);
    } else if (this.#itineraries.get(itinerary) === booking && !booking.isUpdated)
      this.#ignoresPassengers = true;
  }

  /** Whether a subscribe has to find the attempt: one that has ended may be subscribed anew (WCI-OPN-061), and one that was changed may be another (WCI-OPN-069). */
  mustFind({ status, departsAt, locators, isUpdated }: Booking): boolean {
    if (isUpdated && !(this.#ignoresPassengers && locators?.length === 1)) return false;
    const isOpen = status.value === 'SCHEDULED' || status.value === 'IN_PROGRESS';
    return isOpen && departsAt !== null && departsAt - this.#world.time > closeMs;
  }
}

/** A booking with a record locator: without one, two may differ in spite of all (WCI-OPN-053). */
function nameOf({ op, body, enterprise, carrier, keyState }: Call): string | null {
  const { flights, passengers, pnr } = body ?? {};
  if (op !== 'wci.subscribe' || keyState !== 'active' || carrier === 'unread') return null;
  if (!areObjects(flights) || !areObjects(passengers) || !/^[A-Z0-9]{6}$/.test(textOf(pnr))) return null;
  return body && `${enterprise ?? ''}/${digestOfBooking(body)}`;
}

const digestOfBooking = onceForEach(({ pnr, flights, passengers }: JsonObject) =>
  digestOf(pnr, flights, passengers),
);

/** Whether two bookings differ in their locators and in their first flights, so that no reading takes them for one. */
export function areApart({ body }: Call, { flights, locators }: Booking): boolean {
  const [first] = Array.isArray(body?.flights) ? (body.flights as readonly JsonObject[]) : [];
  const pnr = textOf(body?.pnr);
  const [one, other] = [flightOf(first), flightOf(flights[0])];
  return (
    locators?.every((known) => known === '' || known !== pnr) === true &&
    one !== null &&
    other !== null &&
    one !== other
  );
}

function flightOf(flight: JsonObject | undefined): string | null {
  const { airline, flight_number: number, origin, departure_datetime: clock } = flight ?? {};
  const day = /^\s*(\d{4}-\d\d-\d\d)/.exec(textOf(clock))?.[1];
  const parts = [airline, number, origin, day];
  return parts.every((part) => typeof part === 'string') ? parts.join(' ').toUpperCase() : null;
}
