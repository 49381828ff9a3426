import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { apiKeyIn } from '../grammar/headers.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import { keyIn, type Step } from '../../trace/evidence.ts';
import { textOf } from '../grammar/form.ts';
import type { Trait } from '../kernel/blame.ts';
import { Addresses } from './addresses.ts';
import { type Arrival, type HookedRecord, type Range, Outbox, shownBy, type Shown } from './hookedRecord.ts';

const mostIds = 20_000;
const mostDeliveries = 300;

/** Records with webhooks and the changes that they have to be told, as far as a state handler made them. */
export class OwedEvents {
  readonly outbox = new Outbox();
  readonly addresses = new Addresses();
  readonly records = new RecentMap<string, HookedRecord>(2_000);
  /** When attempts moved by the state handler alone; one without an end goes on. */
  readonly #manual: { readonly from: number; to: number }[] = [];
  /** When a delivery that tells of no record came last, by the token of its address. */
  readonly unread = new Map<string, number>();
  readonly #early = new RecentMap<string, Arrival[]>(500);
  /** Records that a subscribe has shown: a webhook that comes later may be ignored. */
  readonly #ids = new Set<string>();
  readonly #revoked = new Set<string>();
  readonly #hooked = new Map<string, number>();
  #clock: Range | null = null;
  #movedMs = 0;

  get forgotten(): number {
    return this.records.forgotten;
  }

  learn(call: Call): void {
    if (call.op === 'fla.subscribe') this.addresses.note(call);
    if (call.op === 'fla.subscribe' || call.op === 'fla.lookup' || call.op === 'wci.list') return;
    if (call.op === 'wci.subscribe') this.#subscribed(call);
    else if (call.op === 'wci.update') this.#updated(call);
    else this.#see(call);
  }

  deliver(delivery: Delivery): void {
    this.addresses.reach(delivery.registration);
    const body = deliveredObject(delivery);
    const id = body?.checkin_id;
    if (typeof id !== 'string' || !isObject(body?.changes))
      this.unread.set(delivery.registration, delivery.receivedAt);
    if (typeof id !== 'string') return;
    const record = this.records.get(id);
    const arrival = { delivery, movedMs: this.#movedMs };
    if (record) record.deliveries = [...record.deliveries, arrival].slice(-mostDeliveries);
    else {
      this.#early.set(id, [...(this.#early.get(id) ?? []), arrival]);
    }
  }

  note(step: Step): void {
    this.outbox.note(step);
    this.#movedMs = step.movedMs;
    const now = Date.parse(textOf(step.told.now));
    if (!Number.isNaN(now)) this.#clock = widened(this.#clock, now - step.endedAt - step.movedMs);
    const { operation, params, outcome } = step;
    if (operation === 'automation.set') {
      const last = this.#manual.at(-1);
      if (last) last.to = Math.min(last.to, step.startedAt);
      if (outcome === 'done' && params?.mode === 'manual')
        this.#manual.push({ from: step.endedAt, to: Number.POSITIVE_INFINITY });
    }
    if (operation === 'reset') this.records.clear();
    if (operation === 'keys.revoke' || operation === 'keys.disable') this.#revoked.add(keyIn(step));
    const record = this.records.get(textOf(params?.checkin_id));
    if (record && operation === 'checkin.rejectResume') record.isUnsure = true;
    if (!record || operation !== 'checkin.progress') return;
    this.#look(record, step.startedAt);
    this.#move(record, step);
  }

  #move(record: HookedRecord, step: Step): void {
    const { params, outcome, startedAt, endedAt } = step;
    const { status } = params ?? {};
    const before = record.status;
    const last = record.moves.at(-1);
    record.writtenAt = endedAt;
    if (outcome === 'refused') return;
    if (outcome !== 'done' || typeof status !== 'string') {
      Object.assign(record, { status: null, shown: null, isUnsure: true });
      return;
    }
    if (last) last.isClosed = this.outbox.isEmptySince(last.mark);
    const told = record.moves.map((move) => move.status);
    record.moves.push({
      ...{ status, given: params ?? {}, before: record.shown, knownAt: before?.at ?? startedAt },
      ...{ startedAt, endedAt, clock: this.#clock, movedMs: this.#movedMs, after: null, isClosed: false },
      ...{ mark: this.outbox.mark(endedAt), isOwed: before !== null && before.value !== status },
      traits: [...traitsOf(record, told, status), ...this.#timeTraits(record, endedAt)],
    });
    Object.assign(record, { status: { value: status, at: endedAt }, shown: null });
  }

  /** Whether attempts moved by the state handler alone from one time to another. */
  isManual(from: number, to: number): boolean {
    return this.#manual.some((one) => one.from <= from && to < one.to);
  }

  #look(record: HookedRecord, at: number): void {
    if (this.outbox.isEmptySince(record.mark)) record.quietAt ??= at;
  }

  #timeTraits({ departsAt, enterprise, by }: HookedRecord, at: number): readonly Trait[] {
    const key = apiKeyIn(by.request) ?? '';
    const isPast = departsAt !== null && at + this.#movedMs >= departsAt;
    return [
      ...(this.#revoked.has(key) ? ['WCI-CB-001 revoked key'] : []),
      ...(isPast ? ['WCI-CB-001 past in UTC'] : []),
      ...(enterprise === '' ? ['WCI-CB-001 no enterprise'] : []),
    ];
  }

  #see(call: Call): void {
    const answer = isObject(call.answer) ? call.answer : {};
    const record = this.records.get(textOf(answer.checkin_id));
    const shown = shownBy(call.exchange);
    if (!record || !shown || call.enterprise !== record.enterprise || call.sentAt < record.writtenAt) return;
    const last = record.moves.at(-1);
    if (last && record.shown === null && shown.status === last.status) last.after ??= shown;
    this.#look(record, call.sentAt);
    if (isOfBefore(record, shown.status)) {
      Object.assign(record, { shown: null, status: null });
      return;
    }
    record.shown = shown;
    if (typeof shown.status === 'string') record.status = { value: shown.status, at: call.sentAt };
  }

  #updated(call: Call): void {
    const { body, status, answer } = call;
    const names = body && [body.checkin_id, body.webcheckin_id].filter((name) => name !== undefined);
    if (status !== null && status >= 400 && status < 500 && status !== 422) return;
    const record = names?.length === 1 ? this.records.get(textOf(names[0])) : undefined;
    const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
    const shown = this.records.get(textOf(data.checkin_id));
    const named = new Set([record, shown].flatMap((one) => one ?? []));
    // Which one is updated may not be known.
    for (const one of named.size > 0 ? named : this.records.values()) {
      if (one.enterprise !== call.enterprise) continue;
      Object.assign(one, { updates: one.updates + 1, writtenAt: call.receivedAt, shown: null });
      // What an update moves is open, but for one that waits.
      if (status !== 200 || one.status?.value !== 'SCHEDULED') one.status = null;
      const type = isObject(answer) && answer.type === 'pnr' ? 'pnr' : 'passengers';
      if (status === 200 && named.has(one)) one.traits.add(`WCI-CB-026 ${type}`);
    }
  }

  #subscribed(call: Call): void {
    const { body, status, enterprise } = call;
    const answer = isObject(call.answer) ? call.answer : {};
    if (enterprise === null || (status !== null && status >= 400 && status < 500)) return;
    const data = body?.callbackData;
    const url = isObject(data) ? textOf(data.callbackUrl) : '';
    this.addresses.note(call);
    const id = textOf(answer.checkin_id);
    const known = this.records.get(id);
    if (known) {
      this.#look(known, call.sentAt);
      if (url !== '') known.urls.add(url);
      known.traits.add(
        data === undefined ? 'WCI-CB-023 absent' : data === null ? 'WCI-CB-023 null' : 'WCI-CB-023 other',
      );
      known.shown = null;
      return;
    }
    const made = shownBy(call.exchange);
    const isFirst = !this.#ids.has(id);
    if (this.#ids.size > mostIds) this.#ids.clear();
    this.#ids.add(id);
    if (!isFirst || url === '' || id === '' || !made || answer.message !== 'SCHEDULED' || status !== 200)
      return;
    this.#add(call, { id, enterprise, url, made });
  }

  #add(
    { exchange, body, carrier, receivedAt }: Call,
    { id, enterprise, url, made }: { id: string; enterprise: string; url: string; made: Shown },
  ): void {
    const flights = Array.isArray(body?.flights) ? (body.flights as readonly Json[]) : [];
    const count = this.#hooked.get(enterprise) ?? 0;
    this.#hooked.set(enterprise, count + 1);
    const traits: readonly Trait[] = [
      ...(carrier === 'multipart' ? ['WCI-CB-001 multipart'] : []),
      ...(flights.length > 1 ? ['WCI-CB-001 several legs'] : []),
      ...(count > 0 ? ['WCI-CB-001 another request'] : []),
    ];
    const [first] = flights;
    this.records.set(id, {
      ...{ id, enterprise, by: exchange, made, urls: new Set([url]), traits: new Set(traits) },
      departsAt: isObject(first) ? utcOf(first) : null,
      status: typeof made.status === 'string' ? { value: made.status, at: exchange.timings.sentAt } : null,
      ...{ mark: this.outbox.mark(receivedAt), quietAt: null },
      ...{ shown: made, writtenAt: receivedAt, updates: 0, moves: [], isUnsure: false },
      deliveries: this.#early.get(id) ?? [],
    });
    this.#early.delete(id);
  }
}

/** Whether a status that was there before a change is shown after it: by a copy that is late, or after a change that nobody knows of. */
function isOfBefore({ made, moves, status }: HookedRecord, shown: unknown): boolean {
  const [last, ...former] = moves.map((move) => move.status).toReversed();
  if (last === undefined || shown === last || status?.value !== last) return false;
  return [made.status, ...former].includes(shown as Json);
}

function widened(range: Range | null, ms: number): Range {
  return { least: Math.min(ms, range?.least ?? ms), most: Math.max(ms, range?.most ?? ms) };
}

/** What sets a change apart from others of which nothing is missing. */
function traitsOf({ traits }: HookedRecord, told: readonly string[], status: string): readonly Trait[] {
  const later = told.length === 0 ? [] : ['WCI-CB-021 later'];
  const ofStatus = status === 'COMPLETED' ? 'WCI-CB-013 completion' : `WCI-CB-021 ${status}`;
  const again = told.includes(status) ? ['WCI-CB-021 again'] : [];
  const afterFailure = status === 'COMPLETED' && told.at(-1) === 'FAILED' ? ['WCI-CB-021 after failure'] : [];
  return ['WCI-CB-001', ...traits, ...later, ofStatus, ...again, ...afterFailure];
}

/** The departure, its clock read as UTC. */
function utcOf({ departure_datetime: clock }: JsonObject): number | null {
  const at = Date.parse(`${textOf(clock).trim().slice(0, 16).replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : at;
}
