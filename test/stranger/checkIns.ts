import { randomUUID } from 'node:crypto';
import { airportOf, instantOf } from './airports.ts';
import type { Books, CheckIn, Enterprise } from './books.ts';
import { isMembers, readHook, readLegs, readPassengers, type Leg, type Members } from './payload.ts';
import { invalid, Refusal, rejected } from './refusal.ts';

const leadMs = 6 * 3_600_000;

export function subscribe(books: Books, owner: Enterprise, sent: Members): Members {
  const legs = readLegs(sent.flights);
  const passengers = readPassengers(sent.passengers);
  const hook = readHook(sent.callbackData);
  if (owner.entitlement !== 'active' || owner.consumed >= owner.included)
    throw new Refusal(402, 'QUOTA_EXHAUSTED', 'There is no unit left.');
  journey(legs);
  const known = books.checkIns.find((one) => one.owner === owner && isSame(one, sent.pnr, legs));
  const quota = { included_units: owner.included, consumed_units: owner.consumed + (known ? 0 : 1) };
  const shows = books.manners.quota === 'always' || (books.manners.quota === 'new' && !known);
  if (known) return { ...answer('ALREADY_SUBSCRIBED', known), ...(shows ? { quota } : {}) };
  owner.consumed += 1;
  const now = Date.now();
  const made: CheckIn = {
    id: `ci-${randomUUID()}`,
    booking: books.nextBooking(),
    owner,
    legs,
    hook,
    created: now,
    pnr: sent.pnr,
    passengers,
    status: 'SCHEDULED',
    detail: '',
    message: '',
    missing: [],
    passes: [],
    updated: now,
  };
  assess(made);
  books.checkIns.push(made);
  return { ...answer('SCHEDULED', made), ...(shows ? { quota } : {}) };
}

export function update(books: Books, owner: Enterprise, sent: Members, uploads: boolean): Members {
  const found = identified(books, owner, sent, uploads);
  if ((sent.operation ?? 'update') !== 'update') throw invalid('operation');
  const payload = sent.payload ?? {};
  if (!isMembers(payload)) throw invalid('payload');
  const type = sent.type ?? ('passengers' in sent ? 'passengers' : null);
  const pnr = payload.pnr;
  let passengers: readonly Members[] | null = null;
  if (type === 'pnr') {
    if (typeof pnr !== 'string' || pnr === '') throw invalid('payload.pnr');
  } else if (type === 'passengers') passengers = readPassengers(sent.passengers ?? payload.passengers);
  else throw invalid('type');
  const one = found();
  if (one.status === 'COMPLETED') throw new Refusal(409, 'CONFLICT', 'It is complete.');
  const before = stateOf(one);
  if (passengers) one.passengers = passengers;
  else one.pnr = pnr;
  if (one.status === 'SCHEDULED') assess(one);
  one.updated = Date.now();
  announce(books, one, before);
  if (books.resumesToReject.delete(one.id)) throw rejected('The journey cannot be resumed.');
  return {
    success: true,
    type,
    operation: 'update',
    data: { ...stateOf(one), ...idsOf(one), last_updated: stamp(one.updated) },
  };
}

export function status(books: Books, owner: Enterprise, query: URLSearchParams): Members {
  const id = query.get('checkin_id') ?? query.get('checkinId') ?? '';
  if (id === '') throw invalid('checkin_id');
  const one = owned(books, owner, (record) => record.id === id);
  return { last_updated: stamp(one.updated), ...stateOf(one), ...idsOf(one), success: true };
}

export function list(books: Books, owner: Enterprise, query: URLSearchParams): Members {
  const refuses = books.manners.badQuery === 'refused';
  const page = Math.max(0, whole(query.get('page'), 0, refuses));
  const limit = Math.min(100, Math.max(1, whole(query.get('limit'), 25, refuses)));
  const wanted = query.get('status');
  const isFilter = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'].includes(wanted ?? '');
  const mine = books.checkIns.filter((one) => one.owner === owner && (!isFilter || one.status === wanted));
  const shown = mine.reverse().slice(page * limit, (page + 1) * limit);
  const pagination = { page, limit, total: mine.length, totalPages: Math.ceil(mine.length / limit) };
  return { success: true, pagination, data: shown.map(item) };
}

function item(one: CheckIn): Members {
  const [first] = one.legs;
  return {
    ...idsOf(one),
    ...stateOf(one),
    pnr: one.pnr ?? null,
    origin: first?.origin,
    destination: one.legs.at(-1)?.destination,
    departure_date: first?.departure,
    airline: first?.airline,
    flight_number: first?.number,
    scheduled_time: null,
    created_at: stamp(one.created),
    last_updated: stamp(one.updated),
  };
}

/** The five fields that move. */
export function stateOf(one: CheckIn): Members {
  return {
    status: one.status,
    sub_status: one.detail,
    checkin_message: one.message,
    missing_info: one.missing,
    boarding_passes: one.passes,
  };
}

/** Tells the webhook of a record what changed since `before`; nothing where nothing did. */
export function announce(books: Books, one: CheckIn, before: Members): void {
  const after = stateOf(one);
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0 || !one.hook) return;
  const names = books.manners.tells === 'all' ? Object.keys(after) : changed;
  const body = {
    version: 1,
    event: 'webcheckin.update',
    changes: Object.fromEntries(names.map((name) => [name, after[name]])),
    checkin_id: one.id,
    occurredAt: stamp(Date.now()),
  };
  const headers = { [one.hook.header]: one.hook.value, 'Content-Type': 'application/json; charset=utf-8' };
  books.deliveries.push(one.hook.url, { ...headers, 'X-Event-Id': randomUUID() }, JSON.stringify(body));
}

function journey(legs: readonly Leg[]): void {
  const places = legs.map(({ origin, destination }) => [airportOf(origin), airportOf(destination)] as const);
  if (places.some(([from, to]) => !from || !to)) throw rejected('There is no such airport.');
  if (legs.some(({ origin, destination }) => origin === destination)) throw rejected('It leads nowhere.');
  if (new Set(legs.map(({ airline }) => airline)).size > 1) throw rejected('It takes two airlines.');
  if (legs.some(({ airline }) => airline === 'ZZ')) throw rejected('The airline is not supported.');
  const instants = legs.map(({ departure }, index) =>
    instantOf(departure, places[index]?.[0]?.zone ?? 'UTC'),
  );
  for (const [index, leg] of legs.entries()) {
    const next = legs[index + 1];
    if (next && next.origin !== leg.destination) throw rejected('It is not connected.');
    if (next && (instants[index + 1] ?? 0) <= (instants[index] ?? 0)) throw rejected('It is out of order.');
  }
  if ((instants[0] ?? 0) - Date.now() < leadMs) throw rejected('It departs too soon.');
}

/** What is missing of a record, and what follows from that. */
function assess(one: CheckIn): void {
  const missing: Members[] = [];
  if (typeof one.pnr !== 'string' || !/^[a-z0-9]{5,8}$/i.test(one.pnr.trim())) missing.push({ field: 'pnr' });
  const hasEmail = one.passengers.some(
    ({ email }) => typeof email === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email.trim()),
  );
  if (!hasEmail) missing.push({ field: 'email' });
  const countries = one.legs.flatMap(({ origin, destination }) => [origin, destination].map(airportOf));
  if (new Set(countries.map((place) => place?.country)).size > 1)
    for (const [index, passenger] of one.passengers.entries()) missing.push(...gaps(passenger, index));
  one.missing = missing;
  one.detail = missing.length === 0 ? 'COMPLETE_INFO' : 'WAITING_FOR_PARTNER';
  one.message = missing.length === 0 ? 'Nothing is missing.' : `${missing.length} things are missing.`;
}

function gaps(passenger: Members, index: number): Members[] {
  const passport = isMembers(passenger.passport) ? passenger.passport : {};
  const isBlank = (value: unknown) => typeof value !== 'string' || value.trim() === '';
  const names = ['number', 'date_of_issue', 'expiry_date', 'place_of_issue'].filter((name) =>
    isBlank(passport[name]),
  );
  if (isBlank(passport.nationality) && isBlank(passenger.nationality)) names.push('nationality');
  return names.map((name) => ({ field: `passport.${name}`, passenger: index + 1 }));
}

/** Reads who is meant at once, and looks it up when the rest is known to be valid. */
function identified(books: Books, owner: Enterprise, sent: Members, uploads: boolean): () => CheckIn {
  const id = sent.checkin_id ?? sent.webcheckin_id;
  if (id !== undefined && id !== null) {
    if (typeof id !== 'string' || id === '') throw invalid('checkin_id');
    return () => owned(books, owner, (one) => one.id === id);
  }
  const { booking_id: booking } = sent;
  const isUsable = (typeof booking === 'string' && booking !== '') || Number.isInteger(booking);
  if (!isUsable || uploads) throw invalid('checkin_id');
  return () => owned(books, owner, (one) => String(one.booking) === String(booking));
}

function owned(books: Books, owner: Enterprise, isMeant: (one: CheckIn) => boolean): CheckIn {
  const one = books.checkIns.find((record) => record.owner === owner && isMeant(record));
  if (!one) throw new Refusal(404, 'NOT_FOUND', 'There is no such check-in.');
  return one;
}

function answer(message: string, one: CheckIn): Members {
  const { status: state, sub_status, missing_info, checkin_message: said } = stateOf(one);
  const shown = { status: state, sub_status, missing_info, status_message: said };
  return { success: true, message, ...idsOf(one), ...shown };
}

function idsOf(one: CheckIn): Members {
  return { checkin_id: one.id, booking_id: one.booking };
}

function isSame(one: CheckIn, pnr: unknown, legs: readonly Leg[]): boolean {
  return typeof pnr === 'string' && one.pnr === pnr && JSON.stringify(one.legs) === JSON.stringify(legs);
}

function whole(value: string | null, otherwise: number, refuses: boolean): number {
  if (value === null) return otherwise;
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  if (refuses) throw invalid('page or limit');
  return otherwise;
}

function stamp(instant: number): string {
  return new Date(instant).toISOString();
}
