import type { Enterprise } from './accounts.ts';
import type { CheckIn, CheckIns, Shown } from './checkins.ts';
import type { MovableClock } from './clock.ts';
import type { Conventions } from './conventions.ts';
import { Checker, checkPassenger } from './payload.ts';
import { isObject } from './reading.ts';
import { invalid, refuseAll, Refusal } from './refusal.ts';

type Members = Record<string, unknown>;

export interface Asked {
  enterprise: Enterprise;
  query: ReadonlyMap<string, string>;
  body: Members;
  files: Set<string>;
}

/** The four operations of web check-in. */
export class CheckInApi {
  readonly #checkIns: CheckIns;
  readonly #clock: MovableClock;
  readonly #using: Conventions;
  /** Until when copies show nothing of before: a state was set, which has to be visible at once. */
  fresh = 0;

  constructor(checkIns: CheckIns, clock: MovableClock, using: Conventions) {
    this.#checkIns = checkIns;
    this.#clock = clock;
    this.#using = using;
  }

  subscribe({ enterprise, body, files }: Asked): object {
    this.#refuseUnbound(body.passengers, files);
    const { checkIn, created } = this.#checkIns.subscribe(enterprise, body);
    const { included_units, consumed_units } = enterprise.entitlement;
    const units = { included_units, consumed_units };
    const quotas: Record<Conventions['quota'], object> = {
      always: { quota: units },
      created: created ? { quota: units } : {},
      never: {},
      'with remaining': { quota: { ...units, remaining_units: included_units - consumed_units } },
      null: created ? { quota: units } : { quota: null },
    };
    const { checkin_message, status, sub_status, missing_info } = checkIn.shown;
    return {
      success: true,
      message: created ? 'SCHEDULED' : 'ALREADY_SUBSCRIBED',
      ...(this.#using.reason === 'null' && { reason: null }),
      booking_id: checkIn.booking_id,
      checkin_id: checkIn.checkin_id,
      status,
      sub_status,
      missing_info,
      status_message: checkin_message,
      ...quotas[this.#using.quota],
      ...this.#extras(),
    };
  }

  update({ enterprise, body, files }: Asked): object {
    const asked = this.#readUpdate(body, files);
    this.#refuseUnbound(asked.passengers, files);
    const checkIn = this.#checkIns.find(enterprise, asked.by);
    this.#checkIns.update(checkIn, asked);
    return {
      success: true,
      type: asked.type,
      operation: 'update',
      data: this.#state(checkIn, checkIn.shown, checkIn.updated),
    };
  }

  status({ enterprise, query }: Asked): object {
    const checkin_id = query.get('checkin_id') ?? query.get('checkinId') ?? '';
    if (checkin_id === '') throw invalid('checkin_id', 'checkin_id is required.');
    const checkIn = this.#checkIns.find(enterprise, { checkin_id });
    const isNew =
      checkIn.created > this.#clock.now() - this.#using.statusLagMs && checkIn.created > this.fresh;
    if (isNew && this.#using.newInCopy === 'late')
      throw new Refusal(404, 'NOT_FOUND', 'There is no such check-in.');
    const { shown, updated } = this.#copy(checkIn, this.#using.statusLagMs);
    return { success: true, ...this.#state(checkIn, shown, updated), ...this.#extras() };
  }

  requests({ enterprise, query }: Asked): object {
    const page = this.#whole(query, 'page', 0);
    const limit = this.#whole(query, 'limit', 25);
    const statuses = ['SCHEDULED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'];
    const asked = query.get('status');
    if (this.#using.listInvalid === 'refuse' && asked && !statuses.includes(asked))
      throw invalid('status', 'status is unknown.');
    const { listLagMs } = this.#using;
    const created = this.#clock.now() - listLagMs;
    const found = [...this.#checkIns.all.values()]
      .filter(
        (each) =>
          each.enterprise === enterprise &&
          (each.created <= created || this.#clock.now() < this.fresh + listLagMs),
      )
      .map((checkIn) => ({ checkIn, ...this.#copy(checkIn, listLagMs) }))
      .filter(({ shown }) => !asked || !statuses.includes(asked) || shown.status === asked)
      .sort(this.#order());
    const size = Math.min(100, Math.max(1, limit));
    const shownNow = found.slice(page * size, (page + 1) * size);
    const totalPages = Math.max(this.#using.noPages, Math.ceil(found.length / size));
    return {
      success: true,
      data: shownNow.map(({ checkIn, shown, updated }) => this.#item(checkIn, shown, updated)),
      pagination: { page, limit: size, total: found.length, totalPages },
      ...this.#extras(),
    };
  }

  #extras(): object {
    const all: Record<Conventions['extras'], object> = {
      none: {},
      meta: { meta: { request_id: 'req_1', took_ms: 3 } },
      links: { links: { first: null, next: null }, meta: { path: '/' } },
    };
    return all[this.#using.extras];
  }

  #copy(checkIn: CheckIn, lag: number): { shown: Shown; updated: number } {
    const { before } = checkIn;
    const now = this.#clock.now();
    const stale = before && lag > 0 && now < checkIn.updated + lag && checkIn.updated > this.fresh;
    return stale ? before : checkIn;
  }

  #state(checkIn: CheckIn, shown: Shown, updated: number): object {
    const { checkin_id, booking_id } = checkIn;
    return { checkin_id, booking_id, ...shown, last_updated: this.#checkIns.stamp(updated) };
  }

  #order(): (one: Row, other: Row) => number {
    const compare = (value: (row: Row) => number | string) => (one: Row, other: Row) => {
      const [a, b] = [value(one), value(other)];
      return a < b ? -1 : a > b ? 1 : 0;
    };
    const orders: Record<Conventions['listOrder'], (one: Row, other: Row) => number> = {
      newest: compare(({ checkIn }) => -checkIn.created),
      oldest: compare(({ checkIn }) => checkIn.created),
      updated: compare(({ checkIn }) => -checkIn.updated),
      departure: compare(({ checkIn }) => checkIn.departs),
      id: compare(({ checkIn }) => checkIn.checkin_id),
    };
    return orders[this.#using.listOrder];
  }

  #item(checkIn: CheckIn, shown: Shown, updated: number): object {
    const { listDeparture, scheduledTime, windowHours, codesShown } = this.#using;
    const flight = checkIn.flights[0] ?? {};
    const last = checkIn.flights.at(-1) ?? {};
    const clock = this.#shownClock(String(flight.departure_datetime));
    const code = (value: unknown): unknown => (codesShown === 'upper' ? String(value).toUpperCase() : value);
    return {
      checkin_id: checkIn.checkin_id,
      booking_id: checkIn.booking_id,
      pnr: this.#pnr(checkIn.pnr),
      origin: code(flight.origin),
      destination: code(last.destination),
      ...(listDeparture !== 'departure_date' && { departure_datetime: clock }),
      ...(listDeparture !== 'departure_datetime' && { departure_date: clock }),
      airline: code(flight.airline),
      flight_number: flight.flight_number,
      ...shown,
      scheduled_time:
        scheduledTime === 'null' ? null : this.#checkIns.stamp(checkIn.departs - windowHours * 3_600_000),
      created_at: this.#checkIns.stamp(checkIn.created),
      last_updated: this.#checkIns.stamp(updated),
    };
  }

  #pnr(pnr: unknown): unknown {
    if (typeof pnr !== 'string') return null;
    const valid = /^[A-Za-z0-9]{6}$/.test(pnr.trim()) ? pnr : null;
    return { 'as sent': pnr, trimmed: pnr.trim(), upper: pnr.trim().toUpperCase(), 'valid only': valid }[
      this.#using.pnrShown
    ];
  }

  #shownClock(text: string): string {
    if (this.#using.listClock === 'as sent') return text;
    const match = /^\s*(\S{10})[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?/.exec(text);
    const [, day = '', minutes = '', seconds = '00', fraction = ''] = match ?? [];
    const joint = this.#using.listClock === 'space' ? ' ' : 'T';
    const rest = this.#using.listClock === 'milliseconds' ? `.${fraction.padEnd(3, '0')}` : '';
    return `${day}${joint}${minutes}:${seconds}${rest}`;
  }

  #whole(query: ReadonlyMap<string, string>, name: string, otherwise: number): number {
    const text = query.get(name);
    if (text === undefined || text === '') return otherwise;
    const number = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    const wrong = Number.isNaN(number) || (name === 'page' && number < 0);
    if (wrong && this.#using.listInvalid === 'refuse')
      throw invalid(name, `${name} has to be a whole number.`);
    return wrong ? otherwise : number;
  }

  #refuseUnbound(passengers: unknown, files: Set<string>): void {
    if (this.#using.unboundFile === 'ignore' || files.size === 0) return;
    const text = JSON.stringify(passengers ?? []);
    for (const name of files)
      if (!text.includes(JSON.stringify(name))) throw invalid(name, `The file ${name} belongs to nothing.`);
  }

  #readUpdate(
    body: Members,
    files: Set<string>,
  ): { by: { checkin_id?: string; booking_id?: string }; type: string; passengers: Members[]; pnr: string } {
    const by = this.#identifier(body, files);
    const { nulls, untypedPnr, bothLists } = this.#using;
    const absent = (name: string): boolean =>
      body[name] === undefined || (body[name] === null && nulls !== `refuse ${name}`);
    if (!absent('operation') && body.operation !== 'update')
      throw invalid('operation', 'operation has to be update.');
    const payload = body.payload ?? {};
    if (!isObject(payload)) throw invalid('payload', 'payload has to be an object.');
    const hasTop = body.passengers !== undefined && body.passengers !== null;
    const inferred = hasTop
      ? 'passengers'
      : untypedPnr === 'pnr' && payload.pnr !== undefined
        ? 'pnr'
        : undefined;
    const type = absent('type') ? inferred : body.type;
    if (type !== 'passengers' && type !== 'pnr') throw invalid('type', 'type has to be passengers or pnr.');
    const lists =
      bothLists === 'top' ? [body.passengers, payload.passengers] : [payload.passengers, body.passengers];
    const passengers: unknown = lists[0] ?? lists[1];
    const checker = new Checker(this.#using);
    if (type === 'pnr') checker.text(payload, 'pnr', 'payload.');
    else checker.list(passengers, 'passengers', (each, at) => checkPassenger(checker, each, at));
    refuseAll(checker.problems, this.#using);
    return { by, type, passengers: (passengers ?? []) as Members[], pnr: String(payload.pnr) };
  }

  #identifier(body: Members, files: Set<string>): { checkin_id?: string; booking_id?: string } {
    for (const name of ['checkin_id', 'webcheckin_id']) {
      const value = body[name];
      if (value === undefined || value === null) continue;
      if (typeof value !== 'string' || value === '') throw invalid(name, `${name} has to be a text.`);
      return { checkin_id: value };
    }
    const { booking_id } = body;
    const isNumber = Number.isInteger(booking_id) || (typeof booking_id === 'string' && booking_id !== '');
    if (files.size > 0 || !isNumber) throw invalid('checkin_id', 'checkin_id is required.');
    return { booking_id: String(booking_id) };
  }
}

interface Row {
  checkIn: CheckIn;
  shown: Shown;
  updated: number;
}
