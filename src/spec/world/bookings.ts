import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Step } from '../../trace/evidence.ts';
import { textOf, type Asked } from '../grammar/form.ts';
import { readForms } from '../grammar/readForms.ts';
import { fact, unsure, type Booking, type Fact, type Sight, type Status } from './booking.ts';
import { areObjects, changeOf, type Change } from './changes.ts';
import { departureOf } from './departure.ts';
import { readinessOf, type Booked, type Readiness } from './readiness.ts';

/** How long a copy may be late with a change that its times do not show, in milliseconds. */
const settleMs = 10_000;
/** Each keeps the requests that made it what it is. */
const mostBookings = 5_000;
/** How long a deployment may take to see that nothing is missing any more, in milliseconds (WCI-OPN-049). */
const assessMs = 3_000;
/** So long before a departure a deployment may begin to move a booking by itself, in milliseconds. */
const windowMs = 12 * 86_400_000;

/** The bookings of all enterprises, as far as their requests and answers settle what they are. */
export class Bookings {
  readonly #byId = new Map<string, Booking>();
  readonly #byBookingId = new Map<string, Set<Booking>>();
  readonly #sent = new WeakMap<Booking, Pick<Booked, 'forms' | 'asked'>>();
  /** Bookings that are not known any more. */
  forgotten = 0;
  /** Whether attempts move by the state handler alone. */
  #isManual = false;
  #now = 0;
  /** How far the deployment's clock has been moved. */
  readonly #clock: { readonly movedMs: number };

  constructor(clock: { readonly movedMs: number }) {
    this.#clock = clock;
  }

  of(enterprise: string | null, id: unknown): Booking | null {
    const known = typeof id === 'string' ? this.#byId.get(id) : undefined;
    return known?.enterprise === enterprise ? known : null;
  }

  /** Whether the deployment may move a booking by itself. */
  mayMove({ departsAt, status: { value } }: Booking): boolean {
    const isUnderWay = value === 'IN_PROGRESS' || value === 'FAILED';
    const now = this.#now + this.#clock.movedMs;
    return !this.#isManual && (isUnderWay || departsAt === null || departsAt - now < windowMs);
  }

  learn(call: Call): void {
    this.#now = Math.max(this.#now, call.receivedAt);
    if (call.keyState !== 'active') return;
    if (call.op === 'wci.subscribe') this.#subscribed(call);
    if (call.op === 'wci.update') this.#updated(call);
    if (call.op === 'wci.status') this.#read(call);
  }

  step({ operation, params, startedAt, endedAt, outcome }: Step): void {
    this.#now = Math.max(this.#now, endedAt);
    if (operation === 'automation.set') this.#isManual = outcome === 'done' && params?.mode === 'manual';
    if (operation === 'reset') this.#byId.clear();
    if (operation === 'clock.advance' && !this.#isManual)
      for (const booking of this.#byId.values()) booking.status = unsure();
    const booking = this.#byId.get(textOf(params?.checkin_id));
    if (!booking) return;
    if (operation === 'checkin.rejectResume') booking.status = unsure();
    if (operation !== 'checkin.progress') return;
    const rule = params?.status === 'COMPLETED' ? 'WCI-STS-011' : 'WCI-STS-013';
    const isDone = outcome === 'done' && !this.mayMove(booking);
    booking.status = isDone ? fact(params?.status as Status, [], { rules: [rule] }) : unsure();
    wrote(booking, { sentAt: startedAt, receivedAt: endedAt, answer: undefined });
  }

  /** Whether an answer was made after the latest write to a booking: a read may come from a copy that is late. */
  isAfter({ by, exchange, shown }: Sight, { version, writtenAt }: Booking): boolean {
    if (by === 'subscribe' || exchange.timings.sentAt > writtenAt + settleMs) return true;
    // Whoever shows a booking that was only made knows all of it.
    if (version === 0) return exchange.timings.sentAt > writtenAt;
    const shownVersion = versionOf(shown);
    const isKnown = version !== null && shownVersion !== null && shownVersion >= version;
    return isKnown && exchange.timings.sentAt > writtenAt;
  }

  /** Whether an answer was made after a deployment had the time to see what is missing. */
  isAssessed({ by, exchange }: Sight, { assessedAt }: Booking): boolean {
    return by === 'subscribe' || exchange.timings.sentAt >= assessedAt;
  }

  /** What an answer shows is known from then on, also where it contradicts what was. */
  see(sight: Sight, booking: Booking): void {
    if (!this.isAfter(sight, booking)) return;
    const { status, missing_info: missing, pnr } = sight.shown;
    if (isStatus(status)) booking.status = shownBy(sight, booking.status, status);
    if (Array.isArray(missing) && status === 'SCHEDULED' && this.isAssessed(sight, booking))
      booking.complete = shownBy(sight, booking.complete, missing.length === 0);
    if (sight.by === 'list' && typeof pnr === 'string') booking.pnr = shownBy(sight, booking.pnr, pnr);
    if (sight.by !== 'subscribe')
      booking.bystanders = booking.bystanders.filter(({ by }) => by === sight.exchange);
  }

  #read(call: Call): void {
    const booking = this.of(call.enterprise, call.query.checkin_id ?? call.query.checkinId);
    if (booking) passBy(booking, 'WCI-STS-009', call);
  }

  #subscribed(call: Call): void {
    const answer = isObject(call.answer) ? call.answer : {};
    const known = this.of(call.enterprise, answer.checkin_id);
    if (known) {
      const poorer = known.complete.value === true && !this.#completes(call, known);
      passBy(known, poorer ? 'WCI-SUB-018' : 'WCI-SUB-017', call);
    } else if (call.status === 200 && answer.message === 'SCHEDULED') this.#make(call, answer);
  }

  #completes({ body }: Call, { flights }: Booking): boolean {
    const passengers = body?.passengers;
    if (!body || !areObjects(passengers)) return false;
    return (
      readinessOf({ pnr: pnrIn(body), flights, passengers, forms: [], asked: bySubscribe }).complete !== false
    );
  }

  #make(call: Call, answer: JsonObject): void {
    const { body, carrier, exchange, enterprise } = call;
    const { flights, passengers } = body ?? {};
    if (!body || !areObjects(flights) || !areObjects(passengers) || typeof answer.checkin_id !== 'string')
      return;
    const asked: Asked = { ...bySubscribe, carrier: carrier === 'multipart' ? carrier : 'json' };
    const forms = readForms(body, asked);
    const by = [exchange];
    const pnr = pnrIn(body);
    const booking: Booking = {
      ...{
        id: answer.checkin_id,
        enterprise: enterprise ?? '',
        bookingId: answer.booking_id,
        flights,
      },
      departsAt: departureOf(flights[0]),
      // Whether a pnr in a part is read is open.
      pnr: carrier === 'json' && pnr !== null ? fact(pnr, by, { rules: ['WCI-LST-020'] }) : unsure(by),
      ...{
        passengers: fact(passengers, by),
        complete: unsure(by),
        status: unsure(by),
        bystanders: [],
        accused: {},
        accusations: [],
      },
      ...{ writtenAt: call.receivedAt, version: 0, assessedAt: call.receivedAt },
    };
    this.#sent.set(booking, { forms, asked });
    const isFaulty = forms.some(({ kind }) => kind === 'fault') || carrier === 'unread';
    const ready = isFaulty ? unknown : this.#readiness(booking, carrier === 'json' ? pnr : undefined);
    booking.complete = completeness(ready, by, carrier === 'multipart' ? ['WCI-MP-002'] : []);
    if (!isFaulty && !this.mayMove(booking))
      booking.status = fact<Status>('SCHEDULED', by, {
        rules: [hasMissing(answer) ? 'WCI-SUB-012' : 'WCI-SUB-003'],
      });
    this.#forgetOldest();
    this.#byId.set(booking.id, booking);
    const name = String(booking.bookingId);
    this.#byBookingId.set(name, (this.#byBookingId.get(name) ?? new Set()).add(booking));
  }

  #forgetOldest(): void {
    const [oldest] = this.#byId.values();
    if (!oldest || this.#byId.size < mostBookings) return;
    this.forgotten += 1;
    this.#byId.delete(oldest.id);
    this.#byBookingId.delete(String(oldest.bookingId));
  }

  /** `pnr` undefined where it is not known whether there is one. */
  #readiness(booking: Booking, pnr: string | null | undefined): Readiness {
    const { passengers, flights } = booking;
    if (pnr === undefined || passengers.value === null) return unknown;
    const sent = this.#sent.get(booking);
    return sent ? readinessOf({ pnr, flights, passengers: passengers.value, ...sent }) : unknown;
  }

  #updated(call: Call): void {
    const named = this.#namedIn(call);
    const untouched = untouchedBy(call.status);
    for (const booking of named) {
      if (untouched !== null) {
        const rule = booking.enterprise === call.enterprise ? untouched : 'WCI-SCP-006';
        if (rule !== '') passBy(booking, rule, call);
      } else if (
        named.length === 1 &&
        isClear(call, booking) &&
        booking.enterprise === call.enterprise &&
        isWhole(call, booking)
      )
        this.#change(booking, call);
      else doubt(booking, call);
    }
  }

  /** The bookings that an update may concern: its identifiers may name several, and what cannot be read may concern all. */
  #namedIn({ body, enterprise }: Call): readonly Booking[] {
    if (body === null) return [...this.#byId.values()].filter((one) => one.enterprise === enterprise);
    const byId = [body.checkin_id, body.webcheckin_id].flatMap((id) => this.#byId.get(textOf(id)) ?? []);
    return [...new Set([...byId, ...(this.#byBookingId.get(nameOf(body.booking_id) ?? '') ?? [])])];
  }

  #change(booking: Booking, call: Call): void {
    const change = changeOf(call);
    // What an update does to a record that does not wait any more is open.
    if (!change || booking.status.value !== 'SCHEDULED' || this.mayMove(booking)) {
      doubt(booking, call);
      return;
    }
    const by = [...booking.passengers.by.slice(-1), call.exchange];
    const before = { complete: booking.complete.value, count: booking.passengers.value?.length ?? 0 };
    if (change.kind === 'pnr') booking.pnr = fact(change.pnr, by, { write: change.rules });
    else {
      booking.passengers = fact(change.passengers, by);
      this.#sent.set(booking, change);
      booking.pnr = kept(booking.pnr, call);
    }
    const ready = this.#readiness(booking, booking.pnr.value ?? undefined);
    const ofPnr = booking.pnr.write.filter((rule) => rule === 'WCI-UPD-014' || rule === 'WCI-UPD-018');
    booking.complete = completeness(ready, by, [...writeRules(change, ready, before), ...ofPnr]);
    wrote(booking, call);
  }
}

const bySubscribe: Asked = { operation: 'wci.subscribe', carrier: 'json' };
const unknown: Readiness = { complete: null, rules: [], isCertain: true };

const pnrIn = ({ pnr }: JsonObject): string | null => (typeof pnr === 'string' ? pnr : null);
const hasMissing = ({ missing_info: missing }: JsonObject) => Array.isArray(missing) && missing.length > 0;

const statuses: readonly unknown[] = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] satisfies Status[];
const isStatus = (value: unknown): value is Status => statuses.includes(value);

/** The sentence by which an update that was answered with a status changes nothing: empty for one without, null where it may change something. */
function untouchedBy(status: number | null): string | null {
  if (status === 400) return 'WCI-UPD-037';
  if (status === 409) return 'WCI-UPD-047';
  return status !== null && [401, 402, 403, 404, 429].includes(status) ? '' : null;
}

/** Whether all identifiers of an update name this booking: one that is not known may name another. */
function isClear({ body }: Call, { id, bookingId }: Booking): boolean {
  const names = [body?.checkin_id, body?.webcheckin_id].filter((name) => name !== undefined);
  return (
    names.every((name) => name === id) && [undefined, String(bookingId)].includes(nameOf(body?.booking_id))
  );
}

function nameOf(id: Json | undefined): string | undefined {
  if (id === undefined) return undefined;
  return typeof id === 'number' ? String(id) : textOf(id);
}

/** Whether an accepted update did not overlap with another write. */
function isWhole({ status, answer, sentAt }: Call, { writtenAt }: Booking): boolean {
  return status === 200 && isObject(answer) && answer.success === true && sentAt >= writtenAt;
}

function completeness(
  { complete, rules, isCertain }: Readiness,
  by: Fact<boolean>['by'],
  write: readonly string[],
): Fact<boolean> {
  return complete === null ? unsure(by) : fact(complete, by, { rules, isCertain, write });
}

/** An update of the passengers keeps the pnr; what no answer has shown yet is still to be seen. */
function kept(pnr: Fact<string>, { exchange, body }: Call): Fact<string> {
  const rule = body?.pnr === undefined ? 'WCI-UPD-045' : 'WCI-UPD-019';
  const unseen = pnr.seen.length > 0 ? [] : pnr.write;
  return { ...pnr, by: [...pnr.by.slice(-1), exchange], seen: [], write: [...unseen, rule] };
}

/** The sentences about updates by which a booking is complete now, or is not. */
function writeRules(
  change: Change,
  { complete }: Readiness,
  before: { readonly complete: boolean | null; readonly count: number },
): readonly string[] {
  if (change.kind === 'pnr')
    return before.complete === true ? ['WCI-UPD-036'] : ['WCI-UPD-030', 'WCI-UPD-036'];
  const isShorter = change.passengers.length < before.count;
  if (complete === true) return isShorter ? ['WCI-UPD-026'] : ['WCI-UPD-029', 'WCI-UPD-026'];
  return isShorter ? ['WCI-UPD-027', 'WCI-UPD-026'] : ['WCI-UPD-027'];
}

function shownBy<T>(sight: Sight, known: Fact<T>, value: T): Fact<T> {
  if (known.value === value)
    return { ...known, seen: [...known.seen.filter((by) => by !== sight.by), sight.by] };
  return fact(value, [sight.exchange], { seen: [sight.by] });
}

function passBy(booking: Booking, rule: string, { exchange }: Call): void {
  booking.bystanders = [...booking.bystanders, { rule, by: exchange }].slice(-8);
}

/** A write whose outcome is not known, or open. */
function doubt(booking: Booking, call: Call): void {
  const by = [...booking.passengers.by.slice(-1), call.exchange];
  Object.assign(booking, { pnr: unsure(by), passengers: unsure(by), complete: unsure(by) });
  if (booking.status.value !== 'SCHEDULED' || call.status !== 200) booking.status = unsure(by);
  wrote(booking, call);
}

function wrote(
  booking: Booking,
  { sentAt, receivedAt, answer }: Pick<Call, 'sentAt' | 'receivedAt' | 'answer'>,
): void {
  booking.writtenAt = Math.max(booking.writtenAt, receivedAt);
  booking.assessedAt = booking.writtenAt + assessMs;
  booking.version = isObject(answer) && isObject(answer.data) ? versionOf(answer.data) : null;
  booking.bystanders = [];
  booking.accused = {};
  // An answer that came while it was under way may have shown its effect already.
  for (const { at, accusation } of booking.accusations) if (at > sentAt) accusation.isVoid = true;
}

function versionOf({ last_updated: text }: JsonObject): number | null {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  // One of whole seconds does not tell apart what came within a second.
  return Number.isNaN(at) || at % 1000 === 0 ? null : at;
}
