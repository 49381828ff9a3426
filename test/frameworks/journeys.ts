import { airportsOf } from './airports.ts';
import { instantsOf, type MovableClock } from './clock.ts';
import type { Conventions } from './conventions.ts';
import { readClock } from './payload.ts';
import { invalid, Refusal } from './refusal.ts';

type Members = Record<string, unknown>;

const airlines: Record<string, string[]> = {
  few: ['EK', 'SV', 'QR', 'BA', '6E', 'AI'],
  regional: ['DY', 'WF'],
};

interface Leg {
  airline: string;
  origin: string;
  destination: string;
  departs: number;
  arrives: number | undefined;
}

/** The rules of journeys: which can be checked in, and when they begin. */
export class Journeys {
  readonly #clock: MovableClock;
  readonly #using: Conventions;

  constructor(clock: MovableClock, using: Conventions) {
    this.#clock = clock;
    this.#using = using;
  }

  rejected(text: string): Refusal {
    const { rejectedBody } = this.#using;
    const more = rejectedBody === 'sentence' ? {} : { reason: text };
    return new Refusal(422, 'REJECTED', rejectedBody === 'message REJECTED' ? 'REJECTED' : text, { more });
  }

  /** When the journey begins; refuses one that cannot be checked in. */
  depart(flights: Members[]): number {
    const legs = flights.map((flight) => this.#leg(flight));
    legs.forEach((leg, index) => {
      const next = legs[index + 1];
      if (next) this.#judgeConnection(leg, next);
    });
    if (legs.length > 1 && legs.at(-1)?.destination === legs[0]?.origin)
      throw this.rejected('A round trip is not one-way.');
    const first = legs[0]?.departs ?? 0;
    if (first - this.#clock.now() < 6 * 3_600_000)
      throw this.rejected('The first departure is less than six hours away.');
    return first;
  }

  #leg(flight: Members): Leg {
    const [airline = '', origin = '', destination = ''] = ['airline', 'origin', 'destination'].map((name) =>
      String(flight[name]).toUpperCase(),
    );
    if (!(airlines[this.#using.airlines]?.includes(airline) ?? true))
      throw this.rejected(`Airline ${airline} is not supported.`);
    if (origin === destination) throw this.rejected('Origin and destination are the same.');
    const departs = this.#instant(origin, flight.departure_datetime);
    const arrives =
      flight.arrival_datetime === undefined || flight.arrival_datetime === null
        ? undefined
        : this.#instant(destination, flight.arrival_datetime);
    this.#instant(destination, flight.departure_datetime, true);
    if (arrives !== undefined && arrives < departs && this.#using.arrivalBefore !== 'accept') {
      if (this.#using.arrivalBefore === 400)
        throw invalid('arrival_datetime', 'The arrival is before the departure.');
      throw this.rejected('The arrival is before the departure.');
    }
    return { airline, origin, destination, departs, arrives };
  }

  #instant(code: string, text: unknown, lenient = false): number {
    const airport = airportsOf(this.#using.airports).get(code);
    if (!airport) throw this.rejected(`Airport ${code} is not known.`);
    const clock = readClock(text);
    if (!clock?.exists) throw this.rejected('There is no such day or time.');
    const instants = instantsOf(clock.wall, airport.zone);
    if (instants.length === 0 && this.#using.missingHour === 422 && !lenient)
      throw this.rejected('The clocks of the airport skip this time.');
    const chosen = this.#using.repeatedHour === 'earlier' ? instants[0] : instants.at(-1);
    return chosen ?? instantsOf(clock.wall + 3_600_000, airport.zone)[0] ?? clock.wall;
  }

  #judgeConnection(leg: Leg, next: Leg): void {
    if (leg.airline !== next.airline) throw this.rejected('The legs have different airlines.');
    if (leg.destination !== next.origin) throw this.rejected('The legs do not connect.');
    if (next.departs < (leg.arrives ?? leg.departs)) throw this.rejected('The legs are not in travel order.');
  }
}
