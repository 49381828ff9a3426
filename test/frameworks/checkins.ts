import type { Enterprise } from './accounts.ts';
import type { MovableClock } from './clock.ts';
import type { Conventions } from './conventions.ts';
import { bookingIds, ids } from './ids.ts';
import { Journeys } from './journeys.ts';
import type { Deliveries } from './deliveries.ts';
import {
  Checker,
  checkFlight,
  checkPassenger,
  readClock,
  readRegistration,
  type Registration,
} from './payload.ts';
import { missingOf } from './readiness.ts';
import { isObject } from './reading.ts';
import { refuseAll, Refusal } from './refusal.ts';

type Members = Record<string, unknown>;

export interface Shown {
  status: string;
  sub_status: string;
  checkin_message: string;
  missing_info: unknown[];
  boarding_passes: string[];
}

export interface CheckIn {
  readonly enterprise: Enterprise;
  readonly checkin_id: string;
  readonly booking_id: number;
  readonly identity: string | undefined;
  readonly departs: number;
  readonly created: number;
  readonly flights: Members[];
  pnr: unknown;
  passengers: Members[];
  updated: number;
  shown: Shown;
  webhook: Registration | undefined;
  rejectResume: boolean;
  /** What a copy that lags still shows, and until when. */
  before: { until: number; shown: Shown; updated: number } | undefined;
}

/** The bookings of all enterprises: subscribe and update, and what automation does. */
export class CheckIns {
  readonly all = new Map<string, CheckIn>();
  automatic = true;
  readonly #clock: MovableClock;
  readonly #using: Conventions;
  readonly #deliveries: Deliveries;
  readonly #journeys: Journeys;

  constructor(clock: MovableClock, using: Conventions, deliveries: Deliveries) {
    this.#clock = clock;
    this.#using = using;
    this.#deliveries = deliveries;
    this.#journeys = new Journeys(clock, using);
  }

  subscribe(enterprise: Enterprise, body: Members): { checkIn: CheckIn; created: boolean } {
    const webhook = this.#validated(body);
    const { entitlement } = enterprise;
    if (entitlement.status !== 'active' || entitlement.consumed_units >= entitlement.included_units) {
      throw new Refusal(402, 'QUOTA_EXHAUSTED', 'No web check-in entitlement has units left.');
    }
    const departs = this.#journeys.depart(body.flights as Members[]);
    const identity = this.#identity(body);
    const known = [...this.all.values()].find(
      (each) => each.enterprise === enterprise && identity !== undefined && each.identity === identity,
    );
    if (known) {
      const { laterCallback } = this.#using;
      if (webhook && (laterCallback === 'replaced' || (laterCallback === 'attached' && !known.webhook)))
        known.webhook = webhook;
      return { checkIn: known, created: false };
    }
    entitlement.consumed_units += 1;
    return { checkIn: this.#create(enterprise, body, { departs, identity, webhook }), created: true };
  }

  #validated(body: Members): Registration | undefined {
    const checker = new Checker(this.#using);
    checker.optionalText(body, ['pnr'], '');
    checker.list(body.flights, 'flights', (flight, at) => checkFlight(checker, flight, at));
    checker.list(body.passengers, 'passengers', (passenger, at) => checkPassenger(checker, passenger, at));
    const webhook = readRegistration(body.callbackData, this.#using);
    if (Array.isArray(webhook) && checker.problems.length > 0) checker.problems.push(...webhook);
    refuseAll(checker.problems, this.#using);
    if (Array.isArray(webhook)) throw this.#journeys.rejected(webhook[0]?.text ?? '');
    return webhook;
  }

  #create(
    enterprise: Enterprise,
    body: Members,
    { departs, identity, webhook }: Pick<CheckIn, 'departs' | 'identity' | 'webhook'>,
  ): CheckIn {
    const now = this.#clock.now();
    const checkIn: CheckIn = {
      enterprise,
      identity,
      departs,
      webhook,
      created: now,
      updated: now,
      checkin_id: ids[this.#using.idForm](),
      booking_id: bookingIds[this.#using.bookingId](),
      flights: body.flights as Members[],
      passengers: body.passengers as Members[],
      pnr: body.pnr ?? null,
      shown: {
        status: 'SCHEDULED',
        sub_status: '',
        checkin_message: '',
        missing_info: [],
        boarding_passes: [],
      },
      rejectResume: false,
      before: undefined,
    };
    checkIn.shown = this.#withReadiness(checkIn);
    this.all.set(checkIn.checkin_id, checkIn);
    if (this.#using.firstPush) this.#push(checkIn, { ...checkIn.shown });
    this.#automate(checkIn);
    return checkIn;
  }

  update(
    checkIn: CheckIn,
    { type, passengers, pnr }: { type: string; passengers: Members[]; pnr: string },
  ): void {
    const { status } = checkIn.shown;
    const locked: Record<string, boolean> = {
      COMPLETED: status === 'COMPLETED',
      none: false,
      'not scheduled': status !== 'SCHEDULED',
      IN_PROGRESS: status === 'IN_PROGRESS',
    };
    if (locked[this.#using.locked])
      throw new Refusal(409, this.#using.conflict, `A check-in that is ${status} cannot be changed.`);
    const before = JSON.stringify([checkIn.pnr, checkIn.passengers]);
    if (type === 'pnr') checkIn.pnr = pnr;
    else checkIn.passengers = passengers;
    const isSame =
      before === JSON.stringify([checkIn.pnr, checkIn.passengers]) && this.#using.touch === 'changed';
    const rejects = checkIn.rejectResume;
    checkIn.rejectResume = false;
    if (!isSame) this.#change(checkIn, this.#withReadiness(checkIn), 'update');
    if (rejects)
      throw this.#journeys.rejected('The changes are saved, but the check-in could not be resumed.');
    this.#automate(checkIn);
  }

  progress(checkIn: CheckIn, to: Partial<Shown> & { status: string }): void {
    const subs: Record<string, string> = {
      COMPLETED: 'BOARDING_PASS_AVAILABLE',
      IN_PROGRESS: 'PROCESSING',
      FAILED: 'CHECKIN_FAILED',
      SCHEDULED: checkIn.shown.sub_status,
    };
    const passes = to.status === 'COMPLETED' ? [`https://passes.example.com/${checkIn.checkin_id}.pdf`] : [];
    this.#change(
      checkIn,
      {
        status: to.status,
        sub_status: to.sub_status ?? subs[to.status] ?? '',
        checkin_message:
          to.checkin_message ?? this.#message(to.status, to.sub_status ?? subs[to.status] ?? ''),
        missing_info: checkIn.shown.missing_info,
        boarding_passes: to.boarding_passes ?? passes,
      },
      'automation',
    );
  }

  #withReadiness(checkIn: CheckIn): Shown {
    const missing_info = missingOf(checkIn, this.#using);
    if (checkIn.shown.status !== 'SCHEDULED') return { ...checkIn.shown, missing_info };
    const sub_status = missing_info.length > 0 ? this.#using.missingName : 'COMPLETE_INFO';
    return {
      ...checkIn.shown,
      missing_info,
      sub_status,
      checkin_message: this.#message('SCHEDULED', sub_status),
    };
  }

  #message(status: string, sub: string): string {
    const sentence = `The check-in is ${status.toLowerCase().replace('_', ' ')} (${sub.toLowerCase().replaceAll('_', ' ')}).`;
    return { sentence, code: sub, empty: '' }[this.#using.messages];
  }

  #change(checkIn: CheckIn, next: Shown, cause: 'update' | 'automation'): void {
    const { shown } = checkIn;
    const names = Object.keys(next) as (keyof Shown)[];
    const changed = names.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(shown[name]));
    if (changed.length === 0 && cause === 'automation') return;
    const now = this.#clock.now();
    checkIn.before = {
      until: now + Math.max(this.#using.statusLagMs, this.#using.listLagMs),
      shown,
      updated: checkIn.updated,
    };
    Object.assign(checkIn, { shown: next, updated: Math.max(now, checkIn.updated) });
    const telling: Record<Conventions['updatePush'], string[]> = {
      'status only': ['status'],
      sub_status: ['status', 'sub_status'],
      'any change': names,
    };
    if (
      changed.length === 0 ||
      (cause === 'update' && !changed.some((name) => telling[this.#using.updatePush].includes(name)))
    )
      return;
    const told = this.#using.pushedMembers === 'all' ? names : changed;
    this.#push(checkIn, Object.fromEntries(told.map((name) => [name, next[name]])));
  }

  #push({ webhook, checkin_id }: CheckIn, changes: Partial<Shown>): void {
    if (!webhook) return;
    const told = this.#using.pushedItems === 'same' ? changes : withFewerMembers(changes);
    const body = { occurredAt: this.stamp(this.#clock.now()), checkin_id, changes: told };
    const credential = [webhook.header, webhook.value] as const;
    this.#deliveries.push({
      url: webhook.url,
      credential,
      body,
      subject: checkin_id,
      retries: this.#using.pushRetries,
    });
  }

  stamp(at: number): string {
    return new Date(this.#using.stamps === 'seconds' ? Math.floor(at / 1_000) * 1_000 : at).toISOString();
  }

  #automate(checkIn: CheckIn): void {
    const { automationMs, windowHours } = this.#using;
    if (automationMs === 'off' || checkIn.shown.sub_status !== 'COMPLETE_INFO') return;
    const opens = Math.max(0, checkIn.departs - windowHours * 3_600_000 - this.#clock.now());
    const step = (status: string, from: string): void => {
      if (this.automatic && checkIn.shown.status === from && checkIn.shown.missing_info.length === 0)
        this.progress(checkIn, { status });
    };
    this.#clock.after(opens + automationMs, () => step('IN_PROGRESS', 'SCHEDULED'));
    this.#clock.after(opens + 2 * automationMs, () => step('COMPLETED', 'IN_PROGRESS'));
  }

  #identity(body: Members): string | undefined {
    const { sameBooking } = this.#using;
    const flights = body.flights as Members[];
    const pnr =
      typeof body.pnr === 'string' && body.pnr.trim() !== '' ? body.pnr.trim().toUpperCase() : undefined;
    const legs = flights.map((each) =>
      ['airline', 'flight_number', 'origin', 'destination']
        .map((name) => each[name])
        .concat(readClock(each.departure_datetime)?.wall),
    );
    const names = (body.passengers as Members[]).map(({ first_name, last_name }) => [first_name, last_name]);
    const forms: Record<Conventions['sameBooking'], unknown> = {
      'pnr and first leg': [pnr, legs[0], pnr === undefined ? names : []],
      pnr: pnr ?? [legs, names],
      'flights and names': [legs, names],
      'whole request': [pnr, legs, body.passengers],
      'never without pnr': pnr && [pnr, legs],
    };
    const form = forms[sameBooking];
    return form === undefined ? undefined : JSON.stringify(form).toUpperCase();
  }

  find(enterprise: Enterprise, by: { checkin_id?: string; booking_id?: string }): CheckIn {
    const found =
      by.checkin_id === undefined
        ? [...this.all.values()].find(
            (each) => String(each.booking_id) === by.booking_id && each.enterprise === enterprise,
          )
        : this.all.get(by.checkin_id);
    if (found?.enterprise !== enterprise) throw new Refusal(404, 'NOT_FOUND', 'There is no such check-in.');
    return found;
  }

  forget(enterprise: Enterprise): void {
    for (const [id, each] of this.all) if (each.enterprise === enterprise) this.all.delete(id);
  }
}

/** Items of missing information as a serializer for webhooks writes them, which knows fewer members. */
function withFewerMembers({ missing_info, ...others }: Partial<Shown>): Partial<Shown> {
  if (missing_info === undefined) return others;
  const fewer = (item: unknown): unknown =>
    isObject(item) ? Object.fromEntries(Object.entries(item).slice(0, -1)) : item;
  return { ...others, missing_info: missing_info.map(fewer) };
}
