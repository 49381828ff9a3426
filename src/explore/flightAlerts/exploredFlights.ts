import type { JsonObject } from '../../spec/kit/json.ts';
import { routeOf } from '../../spec/world/legs.ts';
import type { Home } from '../book.ts';

/** A flight on a date. */
export interface OwnFlight {
  readonly flightNumber: string;
  readonly departureDate: string;
  /** Whether the state handler has put it; else it was found. */
  readonly isPut: boolean;
  /** As upstream has them, or as they were shown. */
  legs: readonly JsonObject[];
  /** What happened to it that no lookup has shown. */
  readonly unseen: Set<string>;
  touchedAt: number;
  /** How often it was looked up. */
  looks: number;
}

/** A subscription that was accepted. */
export interface Subscribed {
  readonly flight: OwnFlight;
  readonly from: string;
  readonly to: string;
  readonly home: Home;
  /** The label of the key that made it. */
  readonly key: string | null;
  /** What was sent first. */
  readonly body: JsonObject;
  callback: JsonObject | null;
  /** Whether its callbacks come here. */
  isHooked: boolean;
  /** What was done since it was last shown by a subscribe. */
  readonly unseen: Set<string>;
  /** What was done since its leg last changed. */
  readonly untold: Set<string>;
}

/** Most flights and subscriptions to choose from: the latest ones. */
const mostKept = 60;

/** The flights and subscriptions of an exploration. It remembers what was done to them, and judges nothing. */
export class ExploredFlights {
  flights: readonly OwnFlight[] = [];
  subscriptions: readonly Subscribed[] = [];
  /** Legs that subscribes named and that have no subscription, by their names. */
  readonly refused = new Set<string>();

  addFlight(flight: OwnFlight): void {
    this.flights = [...this.flights, flight].slice(-mostKept);
  }

  add(subscribed: Subscribed): void {
    this.subscriptions = [...this.subscriptions, subscribed].slice(-2 * mostKept);
  }

  /** The subscriptions to a leg. */
  of(flight: OwnFlight, leg: JsonObject): readonly Subscribed[] {
    const route = routeOf(leg);
    return this.subscriptions.filter((one) => one.flight === flight && `${one.from}-${one.to}` === route);
  }

  touch(flight: OwnFlight, what: string, at: number): void {
    flight.unseen.add(what);
    flight.touchedAt = at;
    for (const one of this.subscriptions) if (one.flight === flight) one.unseen.add(what);
  }
}
