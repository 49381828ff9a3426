import { isDeepStrictEqual } from 'node:util';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject, type JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { legMembers, type LegMember } from '../grammar/legSnapshot.ts';
import { readForms } from '../grammar/readForms.ts';
import type { Violation } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { dayMs, minuteMs, utcDate } from '../kit/localTime.ts';
import type { Flights } from '../world/flights.ts';
import { flightName, mayBeUnavailable, requestedLeg, routeOf, shownLegs } from '../world/legs.ts';
import { valueAt } from './legMembers.ts';
import { spelledIn } from './spellings.ts';
import { answerOf, codeOf, type Show } from './suspect.ts';

/** A leg as a plain lookup has shown it, with the subscribes to it since then. */
interface Look {
  readonly call: Call;
  readonly leg: JsonObject;
  subscribes: readonly Call[];
}

const mostLegs = 2_000;
const mostSubscribes = 8;
/** What upstream tells may change, and change back: not within so short a time. */
const steadyMs = minuteMs;
/** How far ahead subscribes may be is not stated. */
const farthestMs = 30 * dayMs;

/** Lookups of a leg before and after a subscribe show what the subscribe has to show, that the leg is there, and that it changes nothing in them. */
export class BetweenLooks {
  readonly #looks = new RecentMap<string, Look>(mostLegs);
  /** Something of a leg that the documents do not name changes without a subscribe as well. */
  #isRestless = false;
  #violations: readonly Violation[] = [];

  learn(call: Call, world: Flights, show: Show): void {
    if (call.keyState !== 'active' || world.failure !== null) return;
    if (call.op === 'fla.subscribe') this.#subscribe(call);
    const name =
      call.op === 'fla.lookup' && Object.keys(call.query).length === 2 ? flightName(call.query) : null;
    const legs = call.status === 200 && name !== null ? shownLegs(call.exchange).map(({ leg }) => leg) : [];
    const states = world.of(name)?.states.length ?? null;
    for (const leg of legs) {
      const route = routeOf(leg);
      const id = `${name ?? ''} ${route.replace('-', ' ')}`;
      const isOne = legs.filter((one) => routeOf(one) === route).length === 1;
      const before = this.#looks.get(id);
      // What the state handler has changed may be shown late.
      if (before && isOne && (states ?? 1) === 1) this.#compare(before, { call, leg }, states === 1, show);
      this.#looks.set(id, { call, leg, subscribes: [] });
    }
  }

  end(): readonly Violation[] {
    return this.#violations.filter(({ code }) => code !== 'subscribed' || !this.#isRestless);
  }

  get forgotten(): number {
    return this.#looks.forgotten;
  }

  #subscribe(call: Call): void {
    const look = this.#looks.get(requestedLeg(call.exchange)?.name ?? '');
    if (look && isAfter(call, look.call)) look.subscribes = [...look.subscribes, call].slice(-mostSubscribes);
  }

  #compare(before: Look, after: Omit<Look, 'subscribes'>, isOfHandler: boolean, show: Show): void {
    const { sentAt } = before.call;
    const between = before.subscribes.filter((one) => isAfter(after.call, one));
    for (const call of between) {
      const because = [before.call.exchange, call.exchange, after.call.exchange];
      const shown = shownLegs(call.exchange).find((one) => routeOf(one.leg) === routeOf(before.leg));
      const isSteady = after.call.receivedAt - sentAt <= steadyMs && isAlike(before.leg, after.leg);
      if (call.status === 200 && shown && isSteady) {
        const at = otherMember(shown.leg, before.leg);
        const [want, got] = [before.leg, shown.leg].map((leg) => is.value(valueAt(leg, at ?? '')));
        if (at === undefined) show('FLA-SNP-022');
        else if (want && got)
          this.#break('FLA-SNP-022', 'other', { at: `${shown.at}.${at}`, want, got }, because);
      }
      const rule = isNeedless(call, after.leg) ? rowOf(call) : null;
      if (rule !== null) {
        const want = is.answer(200, 'as lookups show the leg before and after');
        this.#break(rule, 'refused', { at: 'answer', want, got: answerOf(call) }, because);
      }
    }
    if (!isOfHandler) return;
    const changed = changedName(before.leg, after.leg);
    const by = between.find(({ status }) => status === 200);
    if (before.subscribes.length === 0) this.#isRestless ||= changed !== null;
    if (by && changed === null) show('FLA-GET-031');
    if (!by || changed === null) return;
    const want = is.value(before.leg[changed], 'as before the subscribe');
    const what = { at: changed, want, got: is.value(after.leg[changed]) };
    const rule = telling.test(changed) ? 'FLA-GET-030' : 'FLA-GET-031';
    this.#break(rule, 'subscribed', what, [before.call.exchange, by.exchange, after.call.exchange]);
  }

  #break(
    rule: string,
    code: string,
    what: Pick<Violation, 'at' | 'want' | 'got'>,
    because: Violation['because'],
  ): void {
    this.#violations = [...this.#violations, { rule, code, ...what, because }];
  }
}

function isAfter({ exchange }: Call, { exchange: earlier }: Call): boolean {
  return exchange.timings.sent >= earlier.timings.received;
}

/** A subscribe without a callback that is refused though all in it is allowed, and its leg is there. */
function isNeedless(call: Call, leg: JsonObject): boolean {
  const { body, status, sentAt } = call;
  const date = body?.departureDate;
  const isRefused =
    status === 400 || status === 422 || (status === 404 && codeOf(call) === 'FLIGHT_NOT_FOUND');
  if (!isRefused || !body || (body.callbackData ?? null) !== null || mayBeUnavailable(leg.status))
    return false;
  const forms = readForms(body, { operation: 'fla.subscribe', carrier: 'json', now: sentAt });
  const isAhead =
    typeof date === 'string' && date > utcDate(sentAt + dayMs) && date < utcDate(sentAt + farthestMs);
  return isAhead && call.carrier === 'json' && forms.every(({ kind }) => kind === 'free');
}

/** Of one that has several reasons nobody can tell. */
function rowOf(call: Call): string | null {
  const leg = requestedLeg(call.exchange);
  const [rule = 'FLA-SUB-003', ...others] = leg ? spelledIn(call, leg) : [];
  return others.length === 0 ? rule : null;
}

/** Members that are not shown in words, which may differ. */
const exact = legMembers.filter(
  ({ path, shown }: LegMember) => shown !== 'free' || path === 'flightNumber' || path === 'airline.code',
);

function isAlike(one: JsonObject, other: JsonObject): boolean {
  return otherMember(one, other) === undefined;
}

function otherMember(one: JsonObject, other: JsonObject): string | undefined {
  return exact.find(({ path }) => !isDeepStrictEqual(valueAt(one, path), valueAt(other, path)))?.path;
}

/** Names that data of a subscription may have. */
const telling = /subscri|callback|history|watch|track|^fid$/i;

/** A member that only one of two has, or one named like data of a subscription that has changed. */
function changedName(one: JsonObject, other: JsonObject): string | null {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const differs = (name: string) =>
    (one[name] === undefined) !== (other[name] === undefined) ||
    (telling.test(name) && !isDeepStrictEqual(one[name], other[name])) ||
    !isDeepStrictEqual(innerNames(one[name]), innerNames(other[name]));
  return names.find(differs) ?? null;
}

function innerNames(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value).toSorted() : [];
}
