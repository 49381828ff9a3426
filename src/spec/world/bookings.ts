import { isObject, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { keyIn, type Step } from '../../trace/evidence.ts';
import { textOf, type Asked } from '../grammar/form.ts';
import { readForms } from '../grammar/readForms.ts';
import { fact, unsure, type Booking, type Status } from './booking.ts';
import { areObjects, changeOf } from './changes.ts';
import { departureOf } from './departure.ts';
import { readinessOf, type Booked, type Readiness } from './readiness.ts';
import { completeIn, type Sight } from './sights.ts';
import {
  completeness,
  doubt,
  isClear,
  isOther,
  isWhole,
  kept,
  nameOf,
  passBy,
  shownBy,
  untouchedBy,
  versionOf,
  wrote,
} from './writes.ts';
import { updateRules } from './updateRules.ts';

/** How long a copy may be late with a change that its times do not show, in milliseconds. */
const settleMs = 10_000;
/** Each keeps the requests that made it what it is. */
const mostBookings = 5_000;
/** So long before a departure a deployment may begin to move a booking by itself, in milliseconds. */
const windowMs = 12 * 86_400_000;

/** The bookings of all enterprises, as far as their requests and answers settle what they are. */
export class Bookings {
  readonly #byId = new Map<string, Booking>();
  readonly #byBookingId = new Map<string, Set<Booking>>();
  /** The latest booking of each locator, and those of two enterprises that have the same. */
  readonly #byLocator = new Map<string, Booking>();
  readonly #twins = new WeakMap<Booking, Booking>();
  readonly #sent = new WeakMap<Booking, Pick<Booked, 'forms' | 'asked'>>();
  readonly #ofEnterprise = new Map<string, Set<string>>();
  readonly #revoked = new Set<string>();
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

  /** The deployment's time, as far as it is known. */
  get time(): number {
    return this.#now + this.#clock.movedMs;
  }

  *ofEnterprise(enterprise: string | null): Iterable<Booking> {
    for (const id of this.#ofEnterprise.get(enterprise ?? '') ?? []) {
      const booking = this.#byId.get(id);
      if (booking) yield booking;
    }
  }

  /** Whether a key is revoked, by its label. */
  isRevoked(key: string | null): boolean {
    return this.#revoked.has(key ?? '');
  }

  /** Whether the deployment may move a booking by itself. */
  mayMove({ departsAt, status: { value } }: Booking): boolean {
    const isUnderWay = value === 'IN_PROGRESS' || value === 'FAILED';
    return !this.#isManual && (isUnderWay || this.#isNear(departsAt));
  }

  /** Whether the deployment may put a booking back to where it was made. */
  mayReturn({ departsAt, status: { value } }: Booking): boolean {
    return !this.#isManual && (value === 'FAILED' || this.#isNear(departsAt));
  }

  #isNear(departsAt: number | null): boolean {
    return departsAt === null || departsAt - this.time < windowMs;
  }

  learn(call: Call): void {
    this.#now = Math.max(this.#now, call.receivedAt);
    if (call.op === 'wci.update' && call.keyState !== 'active') this.#updatedWithoutKey(call);
    if (call.keyState !== 'active') return;
    if (call.op === 'wci.subscribe') this.#subscribed(call);
    if (call.op === 'wci.update') this.#updated(call);
    if (call.op === 'wci.status') this.#read(call);
  }

  /** Somebody else has moved the clock: a booking may have been moved since then. */
  doubtSince(at: number): void {
    if (this.#isManual) return;
    for (const booking of this.#byId.values()) {
      booking.status = unsure();
      for (const one of booking.accusations) if (one.at >= at) one.accusation.isVoid = true;
    }
  }

  step({ operation, params, startedAt, endedAt, outcome }: Step): void {
    this.#now = Math.max(this.#now, endedAt);
    if (operation === 'automation.set') {
      // Nobody knows any more what it has moved while it was on.
      for (const booking of this.#byId.values()) if (this.mayMove(booking)) booking.status = unsure();
      this.#isManual = outcome === 'done' && params?.mode === 'manual';
    }
    if (operation === 'reset') this.#byId.clear();
    if (operation === 'keys.revoke') this.#revoked.add(keyIn({ params }));
    if (operation === 'clock.advance' && !this.#isManual)
      for (const booking of this.#byId.values()) booking.status = unsure();
    const booking = this.#byId.get(textOf(params?.checkin_id));
    if (!booking) return;
    if (operation === 'checkin.rejectResume') booking.status = unsure();
    if (operation !== 'checkin.progress') return;
    const rule = params?.status === 'COMPLETED' ? 'WCI-STS-011' : 'WCI-STS-013';
    const isDone = outcome === 'done' && !this.mayMove(booking);
    const isNew = booking.status.value !== null && booking.status.value !== params?.status;
    booking.status = isDone ? fact(params?.status as Status, [], { rules: [rule], isNew }) : unsure();
    wrote(booking, { sentAt: startedAt, receivedAt: endedAt, answer: undefined });
    const passes = isDone && params?.status === 'COMPLETED' ? params.boarding_passes : null;
    booking.passes = Array.isArray(passes) ? (passes as readonly unknown[]).map(textOf) : null;
  }

  /** Whether an answer was made after the latest write to a booking: a read may come from a copy that is late. */
  isAfter({ by, exchange, record }: Sight, { version, writtenAt }: Booking): boolean {
    if (by === 'subscribe' || exchange.timings.sentAt > writtenAt + settleMs) return true;
    // Whoever shows a booking that was only made knows all of it.
    if (version === 0) return exchange.timings.sentAt > writtenAt;
    const shownVersion = versionOf(record);
    const isKnown = version !== null && shownVersion !== null && shownVersion >= version;
    return isKnown && exchange.timings.sentAt > writtenAt;
  }

  /** Whether an answer was made after a deployment had the time to see what is missing. */
  isAssessed({ by, exchange }: Sight, { assessedAt, version, isReassessed }: Booking): boolean {
    return (by === 'subscribe' && (version === 0 || isReassessed)) || exchange.timings.sentAt >= assessedAt;
  }

  /** What an answer shows is known from then on, also where it contradicts what was. */
  see(sight: Sight, booking: Booking): void {
    if (sight.by === 'list') booking.listedAt = Math.min(booking.listedAt, sight.exchange.timings.receivedAt);
    if (showsChange(sight, booking)) booking.isReassessed = true;
    const isOwn = sight.by === 'update' && booking.complete.by.at(-1) === sight.exchange;
    if (isOwn && completeIn(sight.record) === booking.complete.value)
      booking.complete = { ...booking.complete, isTold: true };
    if (!this.isAfter(sight, booking)) return;
    const { status, missing_info: missing, pnr } = sight.record;
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
        key: exchange.key,
        locators: [pnr ?? ''],
        isUpdated: false,
        changedBy: null,
      },
      departsAt: departureOf(flights[0]),
      // Whether a pnr in a part is read is open.
      pnr: carrier === 'json' && pnr !== null ? fact(pnr, by, { rules: ['WCI-LST-020'] }) : unsure(by),
      ...{
        passengers: fact(passengers, by),
        complete: unsure(by),
        status: unsure(by),
        passes: null,
        bystanders: [],
        accused: {},
        accusations: [],
      },
      ...{ madeAt: call.receivedAt, madeOn: this.time, listedAt: Infinity },
      ...{
        writtenAt: call.receivedAt,
        endedAt: endedAt(call.receivedAt),
        version: 0,
        assessedAt: call.receivedAt,
        isReassessed: false,
      },
    };
    this.#sent.set(booking, { forms, asked });
    const isFaulty = forms.some(({ kind }) => kind === 'fault') || carrier === 'unread';
    const ready = isFaulty ? unknown : this.#readiness(booking, carrier === 'json' ? pnr : undefined);
    booking.complete = completeness(ready, by, {});
    if (!isFaulty && !this.mayMove(booking))
      booking.status = fact<Status>('SCHEDULED', by, {
        rules: [hasMissing(answer) ? 'WCI-SUB-012' : 'WCI-SUB-003'],
      });
    this.#forgetOldest();
    this.#byId.set(booking.id, booking);
    if (pnr !== null) this.#pair(booking, pnr);
    const own = this.#ofEnterprise.get(booking.enterprise) ?? new Set<string>();
    this.#ofEnterprise.set(booking.enterprise, own.add(booking.id));
    const name = String(booking.bookingId);
    this.#byBookingId.set(name, (this.#byBookingId.get(name) ?? new Set()).add(booking));
  }

  #pair(booking: Booking, pnr: string): void {
    const twin = this.#byLocator.get(pnr);
    this.#byLocator.set(pnr, booking);
    if (!twin || twin.enterprise === booking.enterprise) return;
    this.#twins.set(booking, twin);
    this.#twins.set(twin, booking);
  }

  #forgetOldest(): void {
    const [oldest] = this.#byId.values();
    if (!oldest || this.#byId.size < mostBookings) return;
    this.forgotten += 1;
    this.#byId.delete(oldest.id);
    this.#ofEnterprise.get(oldest.enterprise)?.delete(oldest.id);
    this.#byBookingId.delete(String(oldest.bookingId));
    for (const pnr of oldest.locators ?? []) this.#byLocator.delete(pnr);
  }

  /** `pnr` undefined where it is not known whether there is one. */
  #readiness(booking: Booking, pnr: string | null | undefined): Readiness {
    const { passengers, flights } = booking;
    if (passengers.value === null) return unknown;
    const sent = this.#sent.get(booking);
    return sent ? readinessOf({ pnr, flights, passengers: passengers.value, ...sent }) : unknown;
  }

  #updated(call: Call): void {
    const named = this.#namedIn(call);
    const untouched = untouchedBy(call.status);
    const [main, other] = this.#pairIn(call, named);
    if (main && other) {
      this.#change(main, call);
      passBy(other, 'WCI-UPD-005', call);
      return;
    }
    for (const booking of named) {
      if (untouched !== null) {
        const rule = booking.enterprise === call.enterprise ? untouched : 'WCI-SCP-006';
        if (rule !== '') passBy(booking, rule, call);
      } else if (named.length === 1 && isClear(call, booking) && booking.enterprise === call.enterprise)
        this.#change(booking, call);
      else doubt(booking, call);
      const twin = call.status === 200 ? this.#twins.get(booking) : undefined;
      if (twin && !named.includes(twin)) passBy(twin, 'WCI-SCP-009', call);
    }
  }

  /** What is refused for its key has no effect; nobody knows what an update has that is let in. */
  #updatedWithoutKey(call: Call): void {
    for (const booking of this.#namedIn(call)) {
      if (call.status === 401) passBy(booking, 'SHR-AUT-013', call);
      else if (untouchedBy(call.status) === null) doubt(booking, call);
    }
  }

  /** Of two bookings of one enterprise that an accepted update names, the one of its check-in, which is meant, and the other. */
  #pairIn({ body, status, carrier, enterprise }: Call, named: readonly Booking[]): readonly Booking[] {
    const { checkin_id: id, webcheckin_id: alias } = body ?? {};
    const isPair = named.length === 2 && named.every((one) => one.enterprise === enterprise);
    if (!isPair || status !== 200 || carrier !== 'json' || (id !== undefined && alias !== undefined))
      return [];
    const main = named.find((one) => one.id === (id ?? alias));
    return main ? [main, ...named.filter((one) => one !== main)] : [];
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
    const isWaiting = booking.status.value === 'SCHEDULED' && !this.mayMove(booking);
    if (!change || !isWaiting || !isWhole(call, booking, change)) {
      doubt(booking, call);
      return;
    }
    const by = [...booking.passengers.by.slice(-1), call.exchange];
    const { value: was, seen, isTold } = booking.complete;
    const before = {
      complete: isTold || seen.length > 0 ? was : null,
      count: booking.passengers.value?.length ?? 0,
    };
    booking.isUpdated = true;
    booking.changedBy = isOther(booking, change) ? call.exchange : null;
    if (change.kind === 'pnr') {
      booking.pnr = fact(change.pnr, by, { write: change.rules });
      booking.locators = booking.locators && [...booking.locators, change.pnr].slice(-8);
    } else {
      booking.passengers = fact(change.passengers, by);
      this.#sent.set(booking, change);
      booking.pnr = kept(booking.pnr, call);
    }
    const ready = this.#readiness(booking, booking.pnr.value ?? undefined);
    const ofPnr = booking.pnr.write.filter((rule) => rule === 'WCI-UPD-014' || rule === 'WCI-UPD-018');
    const isNew = was !== null && was !== ready.complete;
    const { write, narrow = [] } = updateRules(call.body ?? {}, change, ready, before);
    const tells = before.complete !== null && (isNew || change.kind === 'pnr');
    booking.complete = completeness(ready, by, { write: [...write, ...ofPnr], narrow, tells, isNew });
    wrote(booking, call, change.kind);
  }
}

const endedAt = (other: number) => ({ pnr: 0, passengers: 0, other });
const bySubscribe: Asked = { operation: 'wci.subscribe', carrier: 'json' };
const unknown: Readiness = { complete: null, rules: [], isCertain: true };

/** Whether a status shows what only the latest write has made of a booking. */
function showsChange({ by, record, exchange }: Sight, { complete, writtenAt }: Booking): boolean {
  const { missing_info: missing } = record;
  if (by !== 'status' || !Array.isArray(missing) || exchange.timings.sentAt < writtenAt) return false;
  return complete.isNew && (missing.length === 0) === complete.value;
}
const pnrIn = ({ pnr }: JsonObject): string | null => (typeof pnr === 'string' ? pnr : null);
const hasMissing = ({ missing_info: missing }: JsonObject) => Array.isArray(missing) && missing.length > 0;

const statuses: readonly unknown[] = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] satisfies Status[];
const isStatus = (value: unknown): value is Status => statuses.includes(value);
