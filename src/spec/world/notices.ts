import type { Delivery } from '../../core/evidence.ts';
import { isObject, type Json, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import type { Step } from '../../trace/evidence.ts';
import type { Trait } from '../kernel/contrast.ts';
import { Addresses, tokensOf } from './addresses.ts';
import { Outbox, type Mark } from './outbox.ts';
import { legNameOf, Upstream, type LegChange } from './upstream.ts';

export interface Notice {
  readonly delivery: Delivery;
  readonly changes: JsonObject;
}

/** A callback of a leg, with what was delivered to it. */
export interface Subscriber {
  readonly name: string;
  readonly flight: string;
  readonly url: string;
  readonly fid: string;
  readonly owner: string;
  readonly by: Call['exchange'];
  /** The leg as it was shown when it was registered. */
  readonly registered: JsonObject;
  /** What sets it apart from other callbacks. */
  readonly traits: Set<Trait>;
  /** Changes whose notices are not judged yet, with what came since the first of them. */
  owed: readonly Owed[];
  /** When the last of them was made. */
  owedAt: Mark;
  notices: readonly Notice[];
  /** What came before, which may come again. */
  earlier: readonly Notice[];
  /** Values of changes that were notified. */
  changed: readonly JsonObject[];
  /** Another leg has the same address and fid, or its notices name another one. */
  isUnsure: boolean;
  /** Since when no delivery was answered 2xx, by the deployment's clock; null where the latest one was. */
  failingSince: number | null;
  wasRedirected: boolean;
}

/** What is known about the notices of some changes. */
export interface Due {
  readonly subscriber: Subscriber;
  readonly changes: readonly Owed[];
  /** No more can come. */
  readonly isOver: boolean;
  /** What came at the moment of the next change may be about either. */
  readonly doubtful: readonly Notice[];
}

/** What has to be so, as the world comes to know of it. */
export interface NoticeRules {
  /** Whether all that changed is told. */
  readonly isTold: (due: Due) => boolean;
  readonly judge: (due: Due) => void;
  /** A notice came to an address that nobody registered, after a redirect answer. */
  readonly followed: (notice: Delivery, subscriber: Subscriber) => void;
  /** A notice of a leg that its partner only polls. */
  readonly polled: (notice: Delivery, subscriber: Subscriber) => void;
}

/** A change that a subscriber has to be notified of. */
export interface Owed extends LegChange {
  /** For how many milliseconds all deliveries had not been answered 2xx by then. */
  readonly failingMs: number;
  /** The date of the leg is past in UTC. */
  readonly isPast: boolean;
}

const mostSubscribers = 2_000;
const mostEarlier = 40;

/** Callbacks of legs and the changes that they have to be notified of, as far as a state handler made them. */
export class OwedNotices {
  readonly #upstream = new Upstream();
  readonly #outbox = new Outbox();
  readonly #addresses = new Addresses();
  readonly #rules: NoticeRules;
  #byName = new Map<string, Subscriber[]>();
  #byToken = new Map<string, Subscriber[]>();
  /** Notices at addresses that no subscribe has named yet. */
  #strays: readonly { readonly delivery: Delivery; readonly fid: string }[] = [];
  /** Legs that somebody only polls, by the enterprise. */
  readonly #polled = new Set<string>();
  #movedMs = 0;
  forgotten = 0;

  constructor(rules: NoticeRules) {
    this.#rules = rules;
  }

  learn(call: Call): void {
    this.#upstream.see(call);
    if (call.op === 'wci.subscribe') this.#addresses.note(call);
    if (call.op === 'fla.subscribe' && call.body !== null) this.#subscribed(call, call.body);
  }

  note(step: Step): void {
    this.#outbox.note(step);
    this.#movedMs = step.movedMs;
    if (step.operation === 'reset') this.#drop();
    const subscribers =
      step.operation === 'flights.change' ? (this.#byName.get(legNameOf(step.params ?? {})) ?? []) : [];
    for (const subscriber of subscribers) this.#turn(subscriber, step);
    const change = this.#upstream.note(step);
    if (!change) return;
    this.#pollOnly(change);
    const now = step.endedAt + step.movedMs;
    for (const subscriber of subscribers) {
      // Nothing is owed once it may have departed.
      if (now >= departureOf(change)) subscriber.isUnsure = true;
      const isPast = now >= Date.parse(change.leg.flight.split(' ')[1] ?? '') + 86_400_000;
      const failingMs = now - (subscriber.failingSince ?? now);
      subscriber.owed = [...subscriber.owed, { ...change, isPast, failingMs }];
      subscriber.owedAt = this.#outbox.mark(step.endedAt);
    }
  }

  deliver(delivery: Delivery): void {
    this.#addresses.reach(delivery.registration);
    const body = deliveredObject(delivery);
    const changes = isObject(body?.changes) ? body.changes : null;
    const all = this.#byToken.get(delivery.registration) ?? [];
    if (all.length === 0 && typeof body?.fid === 'string')
      this.#strays = [...this.#strays, { delivery, fid: body.fid }].slice(-50);
    const named = all.filter(({ fid }) => fid === body?.fid);
    // It may belong to a subscribe that is not answered yet, or its fid is not echoed.
    if (named.length === 0) for (const one of all) one.isUnsure = true;
    for (const subscriber of named) {
      const isTaken = delivery.answer.startsWith('2');
      subscriber.failingSince = isTaken ? null : (subscriber.failingSince ?? delivery.receivedAt + this.#movedMs);
      subscriber.wasRedirected ||= delivery.answer.startsWith('3');
      if (changes) subscriber.notices = [...subscriber.notices, { delivery, changes }].slice(-200);
    }
  }

  end(): void {
    const all = [...this.#byName.values()].flat();
    for (const { delivery, fid } of this.#strays) {
      const redirected = all.find((one) => one.fid === fid && one.wasRedirected);
      if (redirected && !this.#addresses.isRegistered(delivery.registration))
        this.#rules.followed(delivery, redirected);
    }
    for (const subscribers of this.#byName.values())
      for (const subscriber of subscribers) this.#settle(subscriber, { isEnd: true, doubtful: [] });
  }

  /** What is told of a leg that its partner only polls: values that no other leg of that callback has. */
  #pollOnly({ leg, changes, startedAt }: LegChange): void {
    const made = leavesOf(changes);
    for (const subscribers of this.#byName.values())
      for (const subscriber of subscribers) {
        if (subscriber.name === leg.name || !this.#polled.has(`${subscriber.owner} ${leg.name}`)) continue;
        const own = leavesOf(this.#upstream.leg(subscriber.name)?.upstream);
        const foreign = subscriber.notices.find(({ delivery, changes: told }) => {
          const leaves = leavesOf(told);
          const isMade = delivery.receivedAt >= startedAt && leaves.every((leaf) => made.includes(leaf));
          return isMade && !leaves.some((leaf) => own.includes(leaf));
        });
        if (foreign) this.#rules.polled(foreign.delivery, subscriber);
      }
  }

  /** Before another change: what is owed so far is judged, unless the rest of it may still come. */
  #turn(subscriber: Subscriber, { startedAt, params }: Step): void {
    const { owed, notices } = subscriber;
    // One may come before the step is known to be done.
    const early = notices.filter(({ delivery }) => delivery.receivedAt >= startedAt);
    subscriber.notices = notices.filter((notice) => !early.includes(notice));
    const isWhole =
      owed.length === 0 || this.#rules.isTold({ subscriber, changes: owed, isOver: true, doubtful: [] });
    const doubtful = early.filter(({ delivery }) => !isWhole && delivery.receivedAt === startedAt);
    this.#settle(subscriber, { isEnd: false, doubtful });
    if (subscriber.owed.length > 0) {
      subscriber.notices = notices;
      return;
    }
    const isOld = (one: Notice) => doubtful.includes(one) && owed.some(({ changes }) => tells(one, changes));
    const isNew = (one: Notice) => one.delivery.receivedAt > startedAt || tells(one, params?.changes);
    const earlier = [...subscriber.earlier, ...subscriber.notices];
    subscriber.earlier = [...earlier, ...early.filter((one) => isOld(one) || !isNew(one))].slice(-mostEarlier);
    subscriber.notices = early.filter(isNew);
  }

  #settle(
    subscriber: Subscriber,
    { isEnd, doubtful }: { readonly isEnd: boolean; readonly doubtful: readonly Notice[] },
  ): void {
    const { owed: changes, owedAt, url } = subscriber;
    if (changes.length === 0) return;
    const isOver = this.#addresses.isReached(url) && this.#outbox.isEmptySince(owedAt);
    const due = { subscriber, changes, isOver, doubtful };
    const isSettled = isOver || this.#rules.isTold(due);
    if (isSettled && !subscriber.isUnsure) this.#rules.judge(due);
    if (isSettled || isEnd) subscriber.owed = [];
  }

  #subscribed(call: Call, body: JsonObject): void {
    const { callbackData: data } = body;
    const owner = call.enterprise;
    const isAnswered = call.status !== null && call.status < 500;
    if (owner === null || (isAnswered && call.status !== 200)) return;
    const name = legNameOf(body);
    const all = this.#byName.get(name) ?? [];
    const own = all.filter((one) => one.owner === owner);
    if (!isAnswered) return this.#forget(own);
    if (!isObject(data)) {
      for (const { traits } of own) traits.add('FLA-CB-019');
      if (own.length === 0) this.#polled.add(`${owner} ${name}`);
      return;
    }
    const { callbackUrl: url, fid } = data;
    const answer = isObject(call.answer) ? call.answer : {};
    if (typeof url !== 'string' || typeof fid !== 'string') return;
    const alike = [...new Set(tokensOf(url).flatMap((token) => this.#byToken.get(token) ?? []))].filter(
      (one) => one.fid === fid && one.name !== name,
    );
    for (const one of alike) one.isUnsure = true;
    if (own.some((one) => one.url === url && one.fid === fid)) {
      for (const { traits } of own) traits.add('FLA-CB-001 retry');
      return;
    }
    // An answer without a key may be about a callback that was there before.
    const isNew = typeof answer.callbackApiKey === 'string' && answer.callbackApiKey !== '';
    if (!isNew || !this.#upstream.leg(name)) return;
    const snapshot = answer.latest_status_snapshot;
    this.#add({
      ...{ name, flight: name.split(' ').slice(0, 2).join(' '), url, fid, owner, by: call.exchange },
      registered: isObject(snapshot) ? snapshot : {},
      traits: new Set(this.#traitsOf(body, { name, owner, others: all.length })),
      ...{ owed: [], owedAt: this.#outbox.mark(0), notices: [], earlier: [], changed: [], isUnsure: alike.length > 0, failingSince: null, wasRedirected: false },
    });
  }

  #add(subscriber: Subscriber): void {
    this.#addresses.register(subscriber.url);
    push(this.#byName, subscriber.name, subscriber);
    for (const token of tokensOf(subscriber.url)) push(this.#byToken, token, subscriber);
    if (this.#byName.size > mostSubscribers) this.#drop();
  }

  #traitsOf(
    { flightNumber, departureDate, departureAirportIata, arrivalAirportIata }: JsonObject,
    { name, owner, others }: { readonly name: string; readonly owner: string; readonly others: number },
  ): readonly Trait[] {
    const [number, date, from, to] = name.split(' ');
    const ofFlight = [...this.#byName].filter(([one]) => one !== name && one.startsWith(`${number} ${date} `));
    const isPolled = this.#polled.delete(`${owner} ${name}`);
    return [
      ...(isPolled ? ['FLA-CB-018'] : []),
      ...(flightNumber === number ? [] : ['FLA-CB-001 number spelled otherwise']),
      ...(departureAirportIata === from && arrivalAirportIata === to
        ? []
        : ['FLA-CB-001 airports spelled otherwise']),
      ...(String(departureDate).endsWith('-02-29') ? ['FLA-CB-001 leap day'] : []),
      ...(others > 0 ? ['FLA-CB-001 second subscriber'] : []),
      ...(ofFlight.some(([, all]) => all.some((one) => one.owner === owner)) ? ['FLA-CB-001 second leg'] : []),
    ];
  }

  #forget(subscribers: readonly Subscriber[]): void {
    for (const one of subscribers) {
      this.#byName.set(one.name, (this.#byName.get(one.name) ?? []).filter((other) => other !== one));
      this.forgotten += 1;
    }
  }

  #drop(): void {
    this.#byName = new Map();
    this.#byToken = new Map();
  }
}

function push<T>(lists: Map<string, T[]>, name: string, value: T): void {
  lists.set(name, [...(lists.get(name) ?? []), value]);
}

/** Whether it tells something that was changed, whatever it says of it. */
function tells({ changes }: Notice, made: Json | undefined): boolean {
  const told = pathsIn(changes);
  return pathsIn(made).some((path) => told.some((one) => overlap(one, path)));
}

/** A container may be told as a whole. */
function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

function pathsIn(value: Json | undefined): readonly string[] {
  return leavesOf(value).map((leaf) => leaf.split(' ', 1)[0] ?? leaf);
}

/** The values in an object with where they stand. */
function leavesOf(value: Json | undefined, at = ''): readonly string[] {
  if (!isObject(value)) return [`${at} ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${at}.${name}`));
}

/** When a leg departs at the earliest, in epoch milliseconds. */
function departureOf({ leg: { flight }, before }: LegChange): number {
  const { departure } = before;
  const { scheduledTime: clock, utcOffsetSeconds: offset } = isObject(departure) ? departure : {};
  const local = typeof clock === 'string' ? Date.parse(`${clock.replace(' ', 'T')}Z`) : Number.NaN;
  const at = local - Number(offset ?? Number.NaN) * 1000;
  // Somewhere it is that day fourteen hours earlier.
  return Number.isNaN(at) ? Date.parse(flight.split(' ')[1] ?? '') - 14 * 3_600_000 : at;
}
