import { isDisturbance } from './disturbance.ts';
import type { Exchange } from '../core/evidence.ts';
import type { Itinerary } from '../core/settings.ts';
import { simpleBooking } from '../generate/webcheckin/booking.ts';
import { objectsAt, without, type JsonObject } from '../spec/kit/json.ts';
import {
  itinerariesToTry,
  relatedItineraries,
  withAirlineForm,
  type ItineraryKind,
} from '../spec/kit/places.ts';
import { describeResponse, isAccepted, isRejectedMessage } from '../judge/kernel/answer.ts';
import { memberOf, responseOf } from '../judge/kernel/body.ts';
import { otherKey, primaryKey, subscribe, type KeyChoice } from '../send/request.ts';
import { reuse, type ReuseOptions } from './bookedRecords.ts';
import type { Dialect } from './dialect.ts';
import { createFlightFixtures, type FlightFixtureOptions, type FlightFixtures } from './flightFixtures.ts';
import { SharedFixture } from './sharedFixture.ts';
import { isOfBook, type BookRole } from './recordBook.ts';
import type { SharedKeys } from './sharedKeys.ts';
import { CaseUnclear, NoRoom } from './signals.ts';

/** A check-in request that this run made. */
export interface OwnRecord {
  readonly checkinId: string;
  /** A number, unless the answer shows another text; unclear if it shows none. */
  readonly bookingId: number | string;
  /** The same as text, with its digits as they were in the answer: a number may be too large to be read exactly. */
  readonly bookingDigits: string;
  /** The locator that was sent; null if none was. */
  readonly pnr: string | null;
  /** The body that was sent. */
  readonly body: JsonObject;
  readonly subscribed: Exchange;
}

/** Records that checks share. Each is made on first use, once per run; a failure is shared as well. */
export interface Fixtures extends FlightFixtures {
  /** A booking of this kind that the deployment accepts. */
  itinerary(kind: ItineraryKind): Promise<Itinerary>;
  /** The record that showed that such a booking is accepted; only the readiness of the domestic one is changed. */
  itineraryRecord(kind: ItineraryKind): Promise<OwnRecord>;
  /** Complete, with a departure far ahead; never changed. */
  completeRecord(): Promise<OwnRecord>;
  /** The same, made by this run, so that its answer is recent evidence. */
  freshRecord(): Promise<OwnRecord>;
  /** International without a passport; never changed. */
  incompleteRecord(): Promise<OwnRecord>;
  /** For updates that are refused, or that change nothing. */
  workbenchRecord(): Promise<OwnRecord>;
  /** International; changed by checks that run alone, each of which first puts it into the state that it needs. */
  scratchRecord(): Promise<OwnRecord>;
  /** A complete record of the other enterprise. */
  otherRecord(): Promise<OwnRecord>;
  /** A new record from a body, or from the plain complete booking; costs a quota unit. Unclear if it is not accepted. */
  subscribed(body?: JsonObject, key?: KeyChoice): Promise<OwnRecord>;
  /** The plain complete international booking with a new locator, for a check to change and send. */
  booking(): Promise<JsonObject>;
  /** Whether the budget leaves room to try another airport or airline after one that was refused. */
  mayTryAnother(): boolean;
}

interface FixtureOptions extends FlightFixtureOptions, ReuseOptions {
  readonly dialect: Dialect;
  /** Requests that the run may send beside what is planned. */
  readonly spare: () => number;
}

/** What a search leaves for answers that have to be read twice, and for confirming failures. */
const leftBySearches = 12;

/** Makes the fixtures for a check with this many requests, shared by all checks as long as their keys have room. */
export function createFixtures(options: FixtureOptions): (requests: number) => Fixtures {
  const { identities, now, keys } = options;
  const accepted = acceptedItineraries(options);
  const booking = async () => {
    const { itinerary } = await accepted('international');
    return simpleBooking({ itinerary, now: now(), pnr: identities.pnr() });
  };
  const subscribed = async (given?: JsonObject, key: KeyChoice = primaryKey) => {
    const make = async () => given ?? (await booking());
    const { body, exchange } = await subscribeSurely(make, (one) =>
      options.send(subscribe(one, { key }), 'record'),
    );
    return recordOf(body, exchange);
  };
  const record = (make: () => Promise<OwnRecord>) =>
    new SharedFixture(make, { isTired: (one, requests) => keys.isTired(one.subscribed, requests) });
  const booked = (role: BookRole, make: () => Promise<OwnRecord>) =>
    record(() => fromBook(options, role, make));
  const workbench = workbenchOf(options, () => subscribed());
  const international = async () => (await accepted('international')).record;
  const complete = record(async () => unlessTired(await international(), keys) ?? subscribed());
  const incomplete = booked('incomplete-record', async () => subscribed(withoutPassports(await booking())));
  // Other checks only need that the record across the date line was accepted.
  const scratch = record(async () => {
    const found = await accepted('dateLine').catch(() => null);
    return (found && unlessTired(found.record, keys)) ?? subscribed();
  });
  const other = booked('other-record', () => subscribed(undefined, otherKey));
  const fresh = record(async () => {
    const one = await complete.get();
    return isOfBook(one.subscribed) ? subscribed() : one;
  });
  const flights = createFlightFixtures(options);
  return (requests) => ({
    booking,
    subscribed,
    mayTryAnother: () => options.spare() > leftBySearches,
    itinerary: async (kind) => (await accepted(kind)).itinerary,
    itineraryRecord: async (kind) => (await accepted(kind)).record,
    completeRecord: complete.forCheck(requests),
    freshRecord: fresh.forCheck(requests),
    incompleteRecord: incomplete.forCheck(requests),
    workbenchRecord: workbench.forCheck(requests),
    scratchRecord: scratch.forCheck(requests),
    otherRecord: other.forCheck(requests),
    ...flights(requests),
  });
}

/** Its checks send all their requests with the key that made it, and several of them run at the same time. */
function workbenchOf(options: FixtureOptions, make: () => Promise<OwnRecord>): SharedFixture<OwnRecord> {
  const { keys } = options;
  return new SharedFixture(() => fromBook(options, 'workbench-record', make), {
    isTired: (one, requests) => keys.isFull(one.subscribed, requests),
    onUse: (one, requests) => keys.reserve(one.subscribed, requests),
  });
}

/** A booking that the deployment took, and its record. */
interface Accepted {
  readonly itinerary: Itinerary;
  readonly record: OwnRecord;
}

/** How often the search for an itinerary may be repeated if only the network or a gateway prevented it. */
const mostSearches = 3;

/** Finds an accepted itinerary of each kind, once. */
function acceptedItineraries(options: FixtureOptions) {
  const itineraries = new Map<ItineraryKind, Promise<Accepted>>();
  let searches = 0;
  const search = async (kind: ItineraryKind): Promise<Accepted> => {
    const seen: { last: Exchange | null } = { last: null };
    const send: FixtureOptions['send'] = async (...given) => (seen.last = await options.send(...given));
    try {
      return await findItinerary({ ...options, send }, kind, () => others(kind));
    } catch (error) {
      const isDisturbed = seen.last !== null && isDisturbance(seen.last);
      if (error instanceof NoRoom) itineraries.delete(kind);
      else if (isDisturbed && (searches += 1) < mostSearches) itineraries.delete(kind);
      throw error;
    }
  };
  const find = (kind: ItineraryKind): Promise<Accepted> => {
    let found = itineraries.get(kind);
    if (!found) itineraries.set(kind, (found = search(kind)));
    return found;
  };
  const { domestic, international, twoLeg } = options.settings.itineraries;
  const others = async (kind: ItineraryKind) => {
    const accepted = kind === 'international' ? null : await find('international').catch(() => null);
    return [domestic, international, twoLeg, accepted?.itinerary ?? null].filter((one) => one !== null);
  };
  return find;
}

/** The record of an earlier run if it can be used again, else a new one, which later runs may use. */
async function fromBook(
  options: FixtureOptions,
  role: BookRole,
  make: () => Promise<OwnRecord>,
): Promise<OwnRecord> {
  const { book, keys } = options;
  const before = await reuse(role, options);
  if (before !== null && !keys.isTired(before.subscribed, 1)) return recordOf(before.body, before.subscribed);
  const made = await make();
  book.keep(role, { ...made, itinerary: null });
  return made;
}

/** Much depends on the record: if the network or a gateway disturbed it, another booking is subscribed once. */
async function subscribeSurely(
  make: () => Promise<JsonObject>,
  send: (body: JsonObject) => Promise<Exchange>,
): Promise<{ readonly body: JsonObject; readonly exchange: Exchange }> {
  const body = await make();
  const exchange = await send(body);
  if (!isDisturbance(exchange)) return { body, exchange };
  const fresh = await make();
  return { body: fresh, exchange: await send(fresh) };
}

/** An existing record, unless its key has almost no room left. */
function unlessTired(record: OwnRecord, keys: SharedKeys): OwnRecord | null {
  return keys.isTired(record.subscribed, 1) ? null : record;
}

/** Makes a record of an accepted subscribe; unclear if the deployment did not accept it. */
export function recordOf(body: JsonObject, exchange: Exchange): OwnRecord {
  const checkinId = memberOf(exchange, 'checkin_id');
  if (!isAccepted(exchange) || typeof checkinId !== 'string' || checkinId === '') {
    throw new CaseUnclear(
      `no accepted subscribe to build on: ${exchange.id} answered ${describeResponse(exchange)}`,
    );
  }
  const pnr = typeof body.pnr === 'string' ? body.pnr : null;
  return new SubscribedRecord(checkinId, pnr, body, exchange);
}

/** Only what sends the booking_id depends on it. */
class SubscribedRecord implements OwnRecord {
  readonly checkinId: string;
  readonly pnr: string | null;
  readonly body: JsonObject;
  readonly subscribed: Exchange;

  constructor(checkinId: string, pnr: string | null, body: JsonObject, subscribed: Exchange) {
    [this.checkinId, this.pnr, this.body, this.subscribed] = [checkinId, pnr, body, subscribed];
  }

  get bookingId(): number | string {
    const id = bookingIdOf(this.subscribed);
    if (id !== null) return id;
    throw new CaseUnclear(`${this.subscribed.id}: there is no booking_id to send`);
  }

  get bookingDigits(): string {
    const digits = digitsOf(this.subscribed);
    // Read as a number, whatever its notation (such as 1e5).
    return Number(digits) === this.bookingId && digits !== null ? digits : String(this.bookingId);
  }
}

/** A number in quotes, or another text, breaks a rule of its own, and is no reason to judge nothing else. */
function bookingIdOf(exchange: Exchange): number | string | null {
  const shown = memberOf(exchange, 'booking_id');
  if (typeof shown === 'string' && /^\d{1,15}$/.test(shown)) return Number(shown);
  return typeof shown === 'number' || (typeof shown === 'string' && shown !== '') ? shown : null;
}

function digitsOf(exchange: Exchange): string | null {
  const body = Buffer.from(responseOf(exchange)?.body ?? []).toString('utf8');
  return /"booking_id"\s*:\s*(\d+)/.exec(body)?.[1] ?? null;
}

/** The same booking with the passports of all passengers left out. */
export function withoutPassports(body: JsonObject): JsonObject {
  return {
    ...body,
    passengers: objectsAt(body, 'passengers').map((passenger) => without(passenger, 'passport')),
  };
}

async function findItinerary(
  options: FixtureOptions,
  kind: ItineraryKind,
  known: () => Promise<readonly Itinerary[]>,
): Promise<Accepted> {
  const { settings, identities, now, book } = options;
  const role = kind === 'international' ? 'complete-record' : null;
  const before = role && (await reuse(role, options));
  if (before?.itinerary)
    return { itinerary: before.itinerary, record: recordOf(before.body, before.subscribed) };
  const configured = kind === 'dateLine' ? null : settings.itineraries[kind];
  const answers: Exchange[] = [];
  const isOver = () => kind === 'dateLine' && answers.length > 0 && options.spare() <= leftBySearches;
  const tryAll = async (candidates: readonly Itinerary[]) => {
    for (const candidate of candidates) {
      // Few checks need one, and each makes do without.
      if (isOver()) break;
      for (const itinerary of airlineForms(options, candidate)) {
        const make = () => Promise.resolve(simpleBooking({ itinerary, now: now(), pnr: identities.pnr() }));
        const { body, exchange } = await subscribeSurely(make, (one) =>
          options.send(subscribe(one), `itinerary.${kind}`),
        );
        if (isAccepted(exchange)) return { itinerary, record: recordOf(body, exchange) };
        answers.push(exchange);
        // Only a refusal as malformed or unsupported can be caused by the form of the airline code.
        if (!mayBeTheForm(exchange)) break;
      }
    }
    return null;
  };
  const found =
    (await tryAll(itinerariesToTry(kind, configured))) ??
    (configured === null ? await tryAll(relatedItineraries(kind, await known())) : null);
  if (found === null) throw new CaseUnclear(refusedAll(kind, answers));
  if (role) book.keep(role, { ...found.record, itinerary: found.itinerary });
  return found;
}

/** What to do comes first: long reasons are cut off. */
function refusedAll(kind: ItineraryKind, answers: readonly Exchange[]): string {
  const said = new Map(answers.map((exchange) => [describeResponse(exchange), exchange.id]));
  const words = [...said].map(([text, id]) => `${id} answered ${text}`).join('; ');
  const advice =
    kind === 'dateLine' ? '' : `name one that the target supports in the config, ${exampleLine(kind)}; `;
  return `no ${kind} booking was accepted: ${advice}${words}`;
}

/** A line of the config, ready to be changed. */
function exampleLine(kind: Exclude<ItineraryKind, 'dateLine'>): string {
  const [{ airline, legs } = { airline: '', legs: [] }] = itinerariesToTry(kind, null);
  const written = legs.map(
    ({ flightNumber, origin, destination }) =>
      `{ flightNumber: '${flightNumber}', origin: '${origin}', destination: '${destination}' }`,
  );
  return `itineraries: { ${kind}: { airline: '${airline}', legs: [${written.join(', ')}] } }`;
}

/** A deployment that uses the other airline code does not know this one: to some it is malformed, to others unsupported. */
function mayBeTheForm(exchange: Exchange): boolean {
  const status = responseOf(exchange)?.status;
  return status === 400 || status === 422 || isRejectedMessage(exchange);
}

function airlineForms(options: FixtureOptions, itinerary: Itinerary): readonly Itinerary[] {
  const forms =
    options.dialect.variant('WCI-OPN-001') === 'three-letters'
      ? (['icao'] as const)
      : (['iata', 'icao'] as const);
  const spelled = forms.map((form) => withAirlineForm(itinerary, form));
  return spelled.filter((one, index) => spelled.findIndex((same) => same.airline === one.airline) === index);
}
