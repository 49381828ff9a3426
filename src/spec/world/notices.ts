import { isDeepStrictEqual } from 'node:util';
import type { Delivery } from '../../core/evidence.ts';
import { isObject, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { deliveredObject } from '../../trace/delivered.ts';
import type { Step } from '../../trace/evidence.ts';
import { textOf } from '../grammar/form.ts';
import type { Trait } from '../kernel/blame.ts';
import { Addresses, tokensOf } from './addresses.ts';
import { tells } from './leaves.ts';
import { Outbox } from './hookedRecord.ts';
import {
  noticeOf,
  type FlightNotice,
  type NoticeRules,
  type Subscriber,
  departureOf,
  Upstream,
} from './upstream.ts';
import { flightOf, legNameOf } from './legs.ts';

const mostSubscribers = 2_000;
const mostEarlier = 40;
/** What is gathered for a moment may be pending nowhere: a change counts as untold after this. */
const gatheredMs = 3_000;
/** After so many milliseconds of failed deliveries an address might be given up. */
const longMs = 3_600_000;

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
    if (step.operation === 'flights.put') this.#replace(step.params && flightOf(step.params));
    const change = this.#upstream.note(step);
    if (!change) return;
    const now = step.endedAt + step.movedMs;
    for (const subscriber of subscribers) {
      subscriber.mayTellNothing ||= isDeepStrictEqual(change.before, change.after);
      // Nothing is owed once it may have departed.
      if (now >= departureOf(change)) subscriber.isUnsure = true;
      const isPast = now >= Date.parse(change.name.split(' ')[1] ?? '') + 86_400_000;
      const failingMs = now - (subscriber.failingSince ?? now);
      subscriber.longestMs = Math.max(subscriber.longestMs, failingMs);
      subscriber.owed = [
        ...subscriber.owed,
        {
          ...change,
          isPast,
          failingMs,
          // One that is delivered before its step has ended does not come after itself.
          failed:
            subscriber.goneAt < step.startedAt ? 'gone' : subscriber.longestMs >= longMs ? 'long' : null,
          traits: [...subscriber.traits],
          since: [...subscriber.since],
        },
      ];
      subscriber.owedAt = this.#outbox.mark(step.endedAt + gatheredMs);
    }
  }

  deliver(delivery: Delivery): void {
    this.#addresses.reach(delivery.registration);
    const body = deliveredObject(delivery);
    const notice = noticeOf(delivery);
    const all = this.#byToken.get(delivery.registration) ?? [];
    if (all.length === 0 && typeof body?.fid === 'string')
      this.#strays = [...this.#strays, { delivery, fid: body.fid }].slice(-50);
    const named = all.filter(({ fid }) => fid === body?.fid);
    // It may belong to a subscribe that is not answered yet, or its fid is not echoed.
    if (named.length === 0 || !notice) for (const one of all) one.isUnsure = true;
    for (const subscriber of named) {
      const isTaken = delivery.answer.startsWith('2');
      const now = delivery.receivedAt + this.#movedMs;
      subscriber.longestMs = Math.max(subscriber.longestMs, now - (subscriber.failingSince ?? now));
      subscriber.failingSince = isTaken ? null : (subscriber.failingSince ?? now);
      if (subscriber.wasRedirected && !this.#strays.some(({ fid }) => fid === subscriber.fid))
        this.#rules.stayed(subscriber);
      subscriber.wasRedirected ||= delivery.answer.startsWith('3');
      if (delivery.answer === '410') subscriber.goneAt = Math.min(subscriber.goneAt, delivery.receivedAt);
      subscriber.since.clear();
      if (notice) this.#repeat(subscriber, notice);
      if (notice) subscriber.notices = [...subscriber.notices, notice].slice(-200);
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

  /** What upstream no longer reports may stay untold. */
  #replace(flight: string | null): void {
    for (const subscriber of [...this.#byName.values()].flat()) {
      if (flight !== null && !subscriber.name.startsWith(`${flight} `)) continue;
      this.#settle(subscriber, { isEnd: false, doubtful: [] });
      subscriber.isUnsure ||= subscriber.owed.length > 0;
      subscriber.owed = [];
    }
  }

  /** What comes after one that failed, and tells nothing, is no repetition of it that a partner could use. */
  #repeat(subscriber: Subscriber, notice: FlightNotice): void {
    const isEmpty = Object.keys(notice.changes).length === 0;
    if (isEmpty && subscriber.failed && !subscriber.mayTellNothing)
      this.#rules.emptied(notice, subscriber.failed);
    else if (isEmpty) subscriber.mayTellNothing = true;
    else subscriber.failed = notice.delivery.answer.startsWith('2') ? null : notice;
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
    subscriber.unsaid = subscriber.owed.length === 0 && notices.length === 0 ? owed : [];
    if (subscriber.owed.length > 0) {
      subscriber.notices = notices;
      return;
    }
    const isOld = (one: FlightNotice) =>
      doubtful.includes(one) && owed.some(({ changes }) => tells(one.changes, changes));
    const isEmpty = ({ changes }: FlightNotice) => Object.keys(changes).length === 0;
    const isNew = (one: FlightNotice) =>
      one.delivery.receivedAt > startedAt || isEmpty(one) || tells(one.changes, params?.changes);
    const earlier = [...subscriber.earlier, ...subscriber.notices];
    subscriber.earlier = [...earlier, ...early.filter((one) => isOld(one) || !isNew(one))].slice(
      -mostEarlier,
    );
    subscriber.notices = early.filter(isNew);
  }

  #settle(
    subscriber: Subscriber,
    { isEnd, doubtful }: { readonly isEnd: boolean; readonly doubtful: readonly FlightNotice[] },
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
    const name = legNameOf(body);
    const all = this.#byName.get(name) ?? [];
    const own = all.filter((one) => one.owner === owner);
    if (call.status === 409 && isObject(data))
      for (const one of own) {
        const [isUrl, isFid] = [data.callbackUrl !== one.url, data.fid !== one.fid];
        add([one], `FLA-SUB-011 ${isUrl && isFid ? 'both' : isUrl ? 'url' : 'fid'}`);
      }
    if (owner === null || (isAnswered && call.status !== 200)) return;
    if (!isAnswered) {
      this.#forget(own);
      return;
    }
    if (!isObject(data)) {
      add(own, 'FLA-CB-019');
      if (own.length === 0) this.#polled.add(`${owner} ${name}`);
      return;
    }
    const { callbackUrl: url, fid } = data;
    const answer = isObject(call.answer) ? call.answer : {};
    if (typeof url !== 'string' || typeof fid !== 'string') return;
    const alike = [...new Set(tokensOf(url).flatMap((token) => this.#byToken.get(token) ?? []))].filter(
      (one) => one.fid === fid && (one.name !== name || one.owner !== owner),
    );
    for (const one of alike) one.isUnsure = true;
    // An answer without a key may be about a callback that was there before.
    const isNew = typeof answer.callbackApiKey === 'string' && answer.callbackApiKey !== '';
    const same = own.filter((one) => one.url === url && one.fid === fid);
    if (same.length > 0) {
      add(own, 'FLA-CB-001 retry');
      // A subscription may belong to the key: then this is another one.
      if (isNew) for (const one of same) one.isUnsure = true;
      return;
    }
    if (!isNew || !this.#upstream.has(name)) return;
    const snapshot = answer.latest_status_snapshot;
    this.#add({
      ...{ name, url, fid, owner, by: call.exchange },
      registered: isObject(snapshot) ? snapshot : {},
      since: new Set(),
      traits: new Set(this.#traitsOf(body, { name, owner, others: all.length })),
      ...{
        owed: [],
        owedAt: this.#outbox.mark(0),
        unsaid: [],
        notices: [],
        earlier: [],
        isUnsure: alike.length > 0,
        failingSince: null,
        wasRedirected: false,
        goneAt: Number.POSITIVE_INFINITY,
        failed: null,
        mayTellNothing: false,
        longestMs: 0,
      },
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
    const ofFlight = [...this.#byName].filter(
      ([one]) => one !== name && one.startsWith(`${number} ${date} `),
    );
    const isPolled = this.#polled.delete(`${owner} ${name}`);
    return [
      ...(isPolled ? ['FLA-CB-018'] : []),
      ...(flightNumber === number ? [] : ['FLA-CB-001 number spelled otherwise']),
      ...(departureAirportIata === from && arrivalAirportIata === to
        ? []
        : ['FLA-CB-001 airports spelled otherwise']),
      ...(textOf(departureDate).endsWith('-02-29') ? ['FLA-CB-001 leap day'] : []),
      ...(others > 0 ? ['FLA-CB-001 second subscriber'] : []),
      ...(ofFlight.some(([, all]) => all.some((one) => one.owner === owner))
        ? ['FLA-CB-001 second leg']
        : []),
    ];
  }

  #forget(subscribers: readonly Subscriber[]): void {
    for (const one of subscribers) {
      this.#byName.set(
        one.name,
        (this.#byName.get(one.name) ?? []).filter((other) => other !== one),
      );
      this.forgotten += 1;
    }
  }

  #drop(): void {
    this.#byName = new Map();
    this.#byToken = new Map();
  }
}

function add(subscribers: readonly Subscriber[], trait: Trait): void {
  for (const { traits, since } of subscribers) {
    traits.add(trait);
    since.add(trait);
  }
}

function push<T>(lists: Map<string, T[]>, name: string, value: T): void {
  lists.set(name, [...(lists.get(name) ?? []), value]);
}
