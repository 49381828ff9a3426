import type { Exchange } from '../../core/evidence.ts';
import { renderFlightSubscription } from '../../generate/flightAlerts/flightSubscription.ts';
import { upstreamLeg, type LegChanges, type Route } from '../../generate/flightAlerts/upstreamLeg.ts';
import type { ScriptedAnswer } from '../../receive/script.ts';
import { flightSubscribe, lookup, type KeyChoice, type RequestOptions } from '../../send/request.ts';
import { isJsonObject, textAt, type JsonObject } from '../../spec/kit/json.ts';
import { utcDate } from '../../spec/kit/localTime.ts';
import { merged } from '../../spec/world/flights.ts';
import { routeOf, shownLegs } from '../../spec/world/legs.ts';
import { responseOf } from '../../trace/body.ts';
import type { Home } from '../book.ts';
import type { Bench } from '../situation.ts';
import { Stage, type Means } from '../stage.ts';
import { ExploredFlights, type OwnFlight, type Subscribed } from './exploredFlights.ts';

/** A leg to put: its route, its special properties, and the hour of its departure. */
export interface LegToPut {
  readonly route: Route;
  readonly changes?: LegChanges;
  readonly hour?: number;
}

/** A leg of a flight. */
export interface FlightLegOf {
  readonly flight: OwnFlight;
  readonly leg: JsonObject;
}

/** Hosts for callbacks that nobody receives: one that no name server knows, and one for services that ask. */
const nowhere = ['https://gatecheck-sink.example.com', 'https://example.com'] as const;
/** How late a notice may come that is not known to be pending. */
const lateMs = 1_500;

/** How long what upstream had before may be kept is not stated; longer than a minute is seldom. */
export const laterMs = 61_000;
const below = [
  '/changes?from=gatecheck',
  '',
  '/cb/',
  '/a%2Fb?u=https%3A%2F%2Fexample.com%2F&y=a%20b',
  '?x=1&y=2',
  `/${'long'.repeat(70)}`,
];

/** The legs of plain flights: in the order of the journey, with legs that share an end, and the way back. */
export const journeys: Readonly<Record<string, readonly Route[]>> = {
  journey: [
    ['DOH', 'SIN'],
    ['SIN', 'BKK'],
    ['BKK', 'NRT'],
  ],
  star: [
    ['SIN', 'DOH'],
    ['DOH', 'SIN'],
    ['DOH', 'BKK'],
    ['BKK', 'SIN'],
  ],
};

/** What an exploration of Flight Alerts has to spend. */
export interface FlightMeans extends Means {
  readonly subscriptions?: number;
}

/** What the situations of Flight Alerts play on. */
export class FlightStage extends Stage {
  readonly flights = new ExploredFlights();
  /** Subscriptions that may still be made: they cannot be taken back. */
  #left: number;
  #host = 0;
  readonly #urls: string[] = [];
  /** Whether an address refuses deliveries. */
  #refuses = false;
  #puts = 0;

  constructor(bench: Bench, { subscriptions = Infinity, ...means }: FlightMeans) {
    // Nothing here takes a unit of web check-in.
    super(bench, { ...means, units: Infinity });
    this.#left = subscriptions;
  }

  /** A moment later, so that it is known what was before it. */
  override async step(state: string, params: JsonObject): Promise<JsonObject | null> {
    await this.bench.sleep(1);
    return super.step(state, params);
  }

  get canPut(): boolean {
    return this.offers('flights.put');
  }

  get canChange(): boolean {
    return this.offers('flights.put', 'flights.change');
  }

  get maySubscribe(): boolean {
    return this.#left > 0;
  }

  override get hasSink(): boolean {
    return this.bench.callbacks.isReachable('flight-alerts');
  }

  /** Whether the date of a flight is not past, nor about to be. */
  isAhead({ departureDate }: OwnFlight): boolean {
    return departureDate >= utcDate(this.bench.now() + 600_000);
  }

  /** Flights that can be looked up. */
  get known(): readonly OwnFlight[] {
    return this.flights.flights.filter((one) => one.legs.length > 0 && this.isAhead(one));
  }

  /** Looks for a flight that the deployment serves where none can be put; null where none is found. */
  async findFlight(): Promise<void> {
    if (this.canPut) return;
    const found = await this.bench.fixtures.knownLeg().catch(() => null);
    if (!found) return;
    this.#note(found.flightNumber, found.departureDate, legsShown(found.seen), false);
  }

  #note(flightNumber: string, departureDate: string, legs: readonly JsonObject[], isPut: boolean): OwnFlight {
    const flight: OwnFlight = {
      ...{ flightNumber, departureDate, legs, isPut },
      ...{ unseen: new Set(['flight']), touchedAt: this.bench.monotonic(), looks: 0 },
    };
    this.flights.addFlight(flight);
    return flight;
  }

  /** A date so many days ahead; weeks by default, another one each time. */
  date(daysAhead?: number): string {
    this.#puts += 1;
    return utcDate(this.bench.now(), daysAhead ?? 20 + ((this.#puts * 7) % 200));
  }

  /** Gives upstream a flight with these legs; null where that fails. */
  async put(
    legs: readonly LegToPut[],
    given: { readonly flightNumber?: string; readonly departureDate?: string } = {},
  ): Promise<OwnFlight | null> {
    const flightNumber = given.flightNumber ?? this.bench.identities.flightNumber();
    const departureDate = given.departureDate ?? this.date();
    const rendered = legs.map((leg) => this.render({ flightNumber, departureDate }, leg));
    const told = await this.step('flights.put', { flightNumber, departureDate, legs: rendered });
    return told === null ? null : this.#note(flightNumber, departureDate, rendered, true);
  }

  render(
    flight: Pick<OwnFlight, 'flightNumber' | 'departureDate'>,
    { route: [departure, arrival], changes, hour }: LegToPut,
  ): JsonObject {
    const { flightNumber, departureDate } = flight;
    return upstreamLeg({ flightNumber, departureDate, departure, arrival }, changes, hour);
  }

  /** Gives upstream other legs of a flight. */
  async putAgain(flight: OwnFlight, legs: readonly JsonObject[], what: string): Promise<void> {
    const { flightNumber, departureDate } = flight;
    if ((await this.step('flights.put', { flightNumber, departureDate, legs })) === null) return;
    flight.legs = legs;
    this.flights.touch(flight, what, this.bench.monotonic());
  }

  /** Lets upstream report changes of a leg. */
  async change({ flight, leg }: FlightLegOf, changes: JsonObject, what: string): Promise<void> {
    const { flightNumber, departureDate } = flight;
    const [from = '', to = ''] = routeOf(leg).split('-');
    const named = { flightNumber, departureDate, departureAirportIata: from, arrivalAirportIata: to };
    if ((await this.step('flights.change', { ...named, changes })) === null) return;
    const now = flight.legs.find((one) => routeOf(one) === routeOf(leg)) ?? leg;
    flight.legs = flight.legs.map((one) => (one === now ? (merged(one, changes) as JsonObject) : one));
    this.flights.touch(flight, what, this.bench.monotonic());
    for (const one of this.flights.of(flight, leg)) one.untold.clear();
  }

  async look(flight: OwnFlight, options?: RequestOptions): Promise<Exchange> {
    const { flightNumber, departureDate } = flight;
    const x = await this.send(lookup({ flightNumber, departureDate }, options));
    this.looked(flight, x);
    return x;
  }

  looked(flight: OwnFlight, x: Exchange): void {
    flight.looks += 1;
    flight.unseen.clear();
    if (!flight.isPut && responseOf(x)?.status === 200) flight.legs = legsShown(x);
  }

  /** A leg that an enterprise has not subscribed; one that a refused subscribe has named comes first. */
  async freeLeg(home: Home = 'primary'): Promise<FlightLegOf | null> {
    const free = this.known.flatMap((flight) =>
      flight.legs
        .filter(
          (leg) => isNamed(leg) && flight.legs.filter((one) => routeOf(one) === routeOf(leg)).length === 1,
        )
        .filter((leg) => !this.flights.of(flight, leg).some((one) => one.home === home))
        .map((leg) => ({ flight, leg })),
    );
    const refused = free.filter((one) => this.flights.refused.has(nameOf(one)));
    const chosen = this.oneOf(refused.length > 0 && this.random() < 0.7 ? refused : free);
    if (chosen) return chosen;
    const flight = this.canPut ? await this.putPlain() : this.#otherDay();
    const leg = flight?.legs[0];
    return flight && leg ? { flight, leg } : null;
  }

  async putPlain(): Promise<OwnFlight | null> {
    const routes = Object.values(journeys)[this.#puts % 2] ?? [];
    return this.put(routes.map((route) => ({ route })));
  }

  /** The same flight on another day, as far as it is known. */
  #otherDay(): OwnFlight | null {
    const flight = this.oneOf(this.known);
    if (!flight) return null;
    const departureDate = utcDate(this.bench.now(), 2 + this.roll(60));
    const isNew = !this.flights.flights.some((one) => one.departureDate === departureDate);
    return isNew ? this.#note(flight.flightNumber, departureDate, flight.legs, false) : null;
  }

  /** callbackData with a fid and an address of its own, which answers by the script. */
  flightCallback(answers?: readonly [ScriptedAnswer, ...ScriptedAnswer[]]): JsonObject {
    const token = this.bench.identities.token();
    const url = this.hasSink ? this.bench.callbacks.open('flight-alerts', answers).url : null;
    if (url !== null) this.#urls.push(url);
    this.#refuses ||= answers !== undefined;
    const base = url ?? `${nowhere[this.#host] ?? nowhere[0]}/gatecheck/${token}`;
    return { fid: this.#fid(token), callbackUrl: `${base}${this.oneOf(below) ?? ''}` };
  }

  /** Fids as partners have them: their own names, digits with leading zeros, other letters. */
  #fid(token: string): string {
    const fids = [
      `00gatecheck-${token}`,
      `00${String(this.roll(1_000_000))}`,
      String(1_000_000 + this.roll(1_000_000)),
      `Fid ${token} é`,
      `${token}/2026-07-15`,
    ];
    return this.oneOf(fids) ?? token;
  }

  /** Sends a subscribe, and notes the subscription. */
  async subscribeTo(
    where: FlightLegOf,
    body: JsonObject,
    {
      home = 'primary',
      key,
      what,
    }: { readonly home?: Home; readonly key?: KeyChoice; readonly what: string },
  ): Promise<Exchange> {
    const x = await this.send(flightSubscribe(body, { key: key ?? this.keyOf(home) }));
    const status = responseOf(x)?.status;
    const callback = isJsonObject(body.callbackData) ? body.callbackData : null;
    if (status === 200) this.#subscribed(where, x, { home, body, callback, what });
    else {
      if (this.#host === 0 && !this.hasSink && status === 400 && callback) this.#host = 1;
      this.flights.refused.add(nameOf(where));
    }
    return x;
  }

  #subscribed(
    where: FlightLegOf,
    { key }: Exchange,
    {
      home,
      body,
      callback,
      what,
    }: { home: Home; body: JsonObject; callback: JsonObject | null; what: string },
  ): void {
    const { flight, leg } = where;
    const [from = '', to = ''] = routeOf(leg).split('-');
    this.flights.refused.delete(nameOf(where));
    const known = this.flights.of(flight, leg).find((one) => one.home === home);
    if (known) {
      known.unseen.clear();
      known.untold.add(what);
      known.callback ??= callback;
      known.isHooked = this.#isHere(known.callback);
      return;
    }
    this.#left -= 1;
    const made = { flight, from, to, home, key, body, callback, isHooked: this.#isHere(callback) };
    this.flights.add({ ...made, unseen: new Set(), untold: new Set([what]) });
    flight.unseen.add(what);
  }

  /** Whether what is delivered comes here: a form may have written another address. */
  #isHere(callback: JsonObject | null): boolean {
    const url = callback === null ? '' : textAt(callback, 'callbackUrl');
    return this.#urls.some((own) => url.startsWith(own));
  }

  /** The key that made a subscription: it may belong to it. */
  ownerOf({ home, key }: Subscribed): KeyChoice {
    const keys = typeof home === 'object' ? home.keys : this.bench.keys[home];
    const own = keys.find(({ label }) => label === key);
    return own ? { kind: 'key', key: own } : this.keyOf(home);
  }

  /** Waits until nothing is left to be delivered, as far as the deployment tells. */
  override async settle(): Promise<void> {
    await super.settle();
    // What is to be repeated hides what is still to be delivered.
    if (this.hasSink && this.#refuses && this.mayWait(lateMs)) await this.wait(lateMs);
  }
}

function legsShown(x: Exchange): readonly JsonObject[] {
  return shownLegs(x).map(({ leg }) => leg as JsonObject);
}

/** The body of a subscribe. */
export function bodyOf({ flight, leg }: FlightLegOf, callbackData: JsonObject | null | 'absent'): JsonObject {
  const { flightNumber, departureDate } = flight;
  const [departure = '', arrival = ''] = routeOf(leg).split('-');
  return renderFlightSubscription({ flightNumber, departureDate, departure, arrival }, callbackData);
}

function nameOf({ flight, leg }: FlightLegOf): string {
  return `${flight.flightNumber} ${flight.departureDate} ${routeOf(leg)}`;
}

function isNamed(leg: JsonObject): boolean {
  return /^[A-Z]{3}-[A-Z]{3}$/.test(routeOf(leg));
}
