import * as fc from 'fast-check';
import type { Exchange } from '../core/evidence.ts';
import type { Itinerary } from '../core/settings.ts';
import { renderBooking } from '../generate/webcheckin/booking.ts';
import { simplePassenger } from '../generate/webcheckin/passenger.ts';
import { isAccepted } from '../judge/kernel/answer.ts';
import type { ScriptedAnswer } from '../receive/script.ts';
import type { ApiKey } from '../send/keyRing.ts';
import { otherKey, primaryKey, type ApiRequest, type KeyChoice } from '../send/request.ts';
import { preferredForm } from '../spec/grammar/clockSpelling.ts';
import { isJsonObject, objectsAt, textAt, type JsonObject, type JsonValue } from '../spec/kit/json.ts';
import { memberOf, responseOf } from '../trace/body.ts';
import { Book, type Home, type Own } from './book.ts';
import type { Bench } from './situation.ts';
import { derived, kindOf, type Trip } from './trips.ts';

export type { Trip } from './trips.ts';

/** Header names in any letter case, and values of all that is visible. */
const headers: readonly ((token: string) => string)[] = [
  (token) => `Authorization: Gatecheck-${token}`,
  (token) => `X-API-Key: ${token}`,
  (token) => `authorization: Bearer  Gate "${token}", Q="1"; /+-_.~!#$%&'*=`,
  (token) => `X-API-KEY: Basic ${token}==`,
  (token) => `x-api-key: a=${token}; b="c"`,
];
const below = ['', '/cb', '/a%2Fb/hook?u=https%3A%2F%2Fexample.com%2F&y=a%20b', '?x=1&y=a%20b', '/cb/'];

/** How a body travels. */
export type Carrier = 'json' | 'multipart';

/** Most requests that are sent again for an internal error. */
const mostBroken = 20;

/** What is gathered for a moment is delivered by then. */
const lastMs = 3_500;

/** Most changes of a record that are told. */
const mostLater = 3;

const happening = (name: string) => ({ name, concerned: new Set<Own>(), sent: [] as string[] });

/** What an exploration has to spend. */
export interface Means {
  readonly random: () => number;
  /** Quota units; as many as the budget of the run allows by default. */
  readonly units?: number;
  /** Milliseconds that it may wait for what a deployment does later. */
  readonly waitMs?: number | undefined;
}

interface BookingWish {
  readonly trip?: Trip;
  /** Milliseconds from now to the first departure; weeks by default. */
  readonly leadMs?: number;
}

/** What the situations play on: the run, the records that the explorer made, and values drawn by the seed. */
export class Stage {
  readonly bench: Bench;
  readonly book = new Book();
  readonly random: () => number;
  #serial = 0;
  #sent = 0;
  #broken = 0;
  #waitedAt = 0;
  #waitLeft: number;
  #unitsLeft: number;
  /** What is brought about now, and the records that it concerns. */
  #now: { readonly name: string; readonly concerned: Set<Own>; readonly sent: string[] } = happening('');
  /** The record that situations choose if they can; null if the seed decides. */
  focus: 'next' | Own | null = null;
  readonly #hooks: string[] = [];
  readonly #trips = new Map<Trip, Itinerary | null>();

  constructor(bench: Bench, { random, units = Infinity, waitMs = Infinity }: Means) {
    [this.bench, this.random] = [bench, random];
    [this.#unitsLeft, this.#waitLeft] = [units, waitMs];
  }

  /** From now on, this is brought about. */
  begin(name: string): void {
    this.#now = happening(name);
  }

  /** Goes on with this, as a part of what is brought about now. */
  goOn(name: string): void {
    this.#now = { ...this.#now, name };
  }

  /** What was sent for it. */
  get sentNow(): readonly string[] {
    return this.#now.sent;
  }

  /** What is brought about now, after what made and changed a record, in order: enough to bring it about again. */
  storyOf(record: Own | undefined = [...this.#now.concerned].at(-1)): readonly string[] {
    const { name } = this.#now;
    const [made, ...later] = record?.story ?? [];
    const before = made === undefined ? [] : [made, ...later.slice(-mostLater)];
    return [...before.filter((one) => one !== name), name];
  }

  /** Notes that what is brought about now concerns a record. */
  concern(own: Own): void {
    this.#now.concerned.add(own);
  }

  /** Units that may be spent: one is always left, since a request that ought to be refused might take it. */
  get units(): number {
    return this.#unitsLeft - 1;
  }

  get sent(): number {
    return this.#sent;
  }

  async send(request: ApiRequest): Promise<Exchange> {
    this.#sent += 1;
    const exchange = await this.#sendOne(request);
    const isBroken = (responseOf(exchange)?.status ?? 0) >= 500;
    if (!isBroken || this.#broken >= mostBroken) return exchange;
    // An internal error once may be an accident.
    this.#broken += 1;
    this.#sent += 1;
    return this.#sendOne(request);
  }

  async #sendOne(request: ApiRequest): Promise<Exchange> {
    const exchange = await this.bench.send(request);
    this.#now.sent.push(exchange.id);
    return exchange;
  }

  /** Requests that were sent since the explorer waited last. */
  get sinceWait(): number {
    return this.#sent - this.#waitedAt;
  }

  /** Whether so long a wait is left. */
  mayWait(ms: number): boolean {
    return ms <= this.#waitLeft;
  }

  async wait(ms: number): Promise<void> {
    this.#waitedAt = this.#sent;
    this.#waitLeft -= ms;
    await this.bench.sleep(ms);
  }

  /** A number from 0 to `below` - 1. */
  roll(below: number): number {
    return Math.floor(this.random() * below);
  }

  oneOf<T>(values: readonly T[]): T | undefined {
    return values[this.roll(values.length)];
  }

  /** One of several records. */
  pick(records: readonly Own[]): Own | undefined {
    const { focus } = this;
    if (focus !== null && focus !== 'next' && records.includes(focus)) return focus;
    return this.oneOf(records);
  }

  sample<T>(arbitrary: fc.Arbitrary<T>): T {
    const [value] = fc.sample(arbitrary, { seed: this.roll(2 ** 30), numRuns: 1 });
    return value as T;
  }

  offers(...states: readonly string[]): boolean {
    return states.every((state) => this.bench.state.offers(state));
  }

  /** Asks the state handler for something; null if it does not do it. */
  async step(state: string, params: JsonObject): Promise<JsonObject | null> {
    return this.bench.state.set(state, params as never).then(
      (told) => told as JsonObject,
      () => null,
    );
  }

  /** Looks for itineraries that the deployment accepts; what it does not have is null. */
  async prepare(...trips: readonly Trip[]): Promise<void> {
    for (const trip of trips) {
      if (this.#trips.has(trip)) continue;
      const found = await this.bench.fixtures.itinerary(kindOf(trip)).catch(() => null);
      this.#trips.set(trip, found && (derived[trip]?.(found) ?? found));
    }
  }

  has(trip: Trip): boolean {
    return this.#trips.get(trip) !== null;
  }

  itinerary(trip: Trip = 'international'): Itinerary {
    const found = this.#trips.get(trip) ?? this.#trips.get('international');
    if (!found) throw new Error('no itinerary was prepared');
    return found;
  }

  /** A plain complete booking; its clock is its own, since a pnr may go unread. */
  booking({ trip, leadMs }: BookingWish = {}): JsonObject {
    this.#serial += 1;
    const now = this.bench.now();
    const pnr = this.bench.identities.pnr();
    const draft = {
      passengers: [simplePassenger(now, pnr)],
      daysAhead: 12 + (this.#serial % 28),
      minuteOfDay: 600 + ((this.#serial * 7) % 240),
      connectionMinutes: 180,
      forms: [{ departure: preferredForm, arrival: preferredForm }],
      callbackData: 'absent' as const,
    };
    const target = { itinerary: this.itinerary(trip), now, pnr };
    return renderBooking(draft, leadMs === undefined ? target : { ...target, departure: now + leadMs });
  }

  passenger(): JsonObject {
    return simplePassenger(this.bench.now());
  }

  get hasSink(): boolean {
    return this.bench.callbacks.isReachable('webcheckin');
  }

  /** callbackData with an address of its own, which answers by the script; the header and the address are written in turn in every way. */
  callback(answers?: readonly [ScriptedAnswer, ...ScriptedAnswer[]]): JsonObject {
    const { url } = this.bench.callbacks.open('webcheckin', answers);
    this.#hooks.push(url);
    const turn = this.#hooks.length - 1;
    const token = this.bench.identities.token();
    return {
      callbackUrl: `${url}${below[turn % below.length] ?? ''}`,
      auth_header: headers[turn % headers.length]?.(token) ?? '',
      ...(turn % 3 === 0 ? { clientId: 'gatecheck', clientName: 'Gatecheck' } : {}),
    };
  }

  /** Whether what is delivered for a record comes here: a form may have written another address. */
  isHooked({ body }: Own): boolean {
    const { callbackData } = body;
    const url = isJsonObject(callbackData) ? textAt(callbackData, 'callbackUrl') : '';
    return this.#hooks.some((hook) => url.startsWith(hook));
  }

  /** Waits until nothing is left to be delivered, as far as the deployment tells. */
  async settle(): Promise<void> {
    if (!this.hasSink) return;
    const from = this.bench.monotonic();
    await this.bench.callbacks.settle({ besideRepetitions: true });
    this.#waitLeft -= this.bench.monotonic() - from;
  }

  /** Waits once more at the end: silence is certain after a while only. */
  async finish(): Promise<void> {
    if (!this.hasSink) return;
    await this.bench.sleep(lastMs);
    await this.bench.callbacks.settle({ besideRepetitions: true });
  }

  keyOf(home: Home): KeyChoice {
    if (home === 'primary') return primaryKey;
    if (home === 'other') return otherKey;
    const [key] = home.keys;
    return key ? { kind: 'key', key } : primaryKey;
  }

  /** Another key of the enterprise than the one that was used; null if there is none. */
  anotherKey(than: string | null): ApiKey | null {
    return this.oneOf(this.bench.keys.primary.filter(({ label }) => label !== than)) ?? null;
  }

  /** Notes the record that a subscribe made or found. */
  subscribed(exchange: Exchange, body: JsonObject, home: Home, what: string): Own | null {
    const id = memberOf(exchange, 'checkin_id');
    if (!isAccepted(exchange) || typeof id !== 'string') return null;
    const booking = memberOf(exchange, 'booking_id');
    const status = memberOf(exchange, 'status');
    const own = this.book.add(
      {
        ...{ id, home, body, key: exchange.key },
        bookingId: typeof booking === 'number' || typeof booking === 'string' ? booking : null,
        status: typeof status === 'string' ? status : null,
        isComplete: memberOf(exchange, 'sub_status') === 'COMPLETE_INFO',
      },
      { what, at: this.bench.monotonic() },
    );
    if (own.story.length === 0) {
      this.#unitsLeft -= 1;
      this.bench.tellStory(own.id, own.story);
    }
    if (this.focus === 'next') this.focus = own;
    this.#tell(own);
    return own;
  }

  touched(own: Own, what: string): void {
    this.book.touch(own, what, this.bench.monotonic());
    this.#tell(own);
  }

  #tell(own: Own): void {
    this.concern(own);
    if (own.story.at(-1) !== this.#now.name) own.story.push(this.#now.name);
  }
}

/** The legs of a booking. */
export function legsOf(body: JsonObject): readonly JsonObject[] {
  return objectsAt(body, 'flights');
}

/** The body with its passengers changed. */
export function withPassengers(
  body: JsonObject,
  change: (passengers: readonly JsonObject[]) => readonly JsonValue[],
): JsonObject {
  return { ...body, passengers: change(objectsAt(body, 'passengers')) };
}
