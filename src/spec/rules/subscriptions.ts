import { isObject } from '../../trace/body.ts';
import { callOf, type Call } from '../../trace/call.ts';
import { readForms } from '../grammar/readForms.ts';
import { only, type Accusation, type Blame, type Suspects, type Unblamed } from '../kernel/blame.ts';
import * as is from '../kernel/value.ts';
import type { Flight, Flights } from '../world/flights.ts';
import { flightName, requestedLeg, type LegRequest } from '../world/legs.ts';
import {
  type Asked,
  type Bystander,
  type Callback,
  callbackOf,
  keyIn,
  type Subscription,
  subscriptionOf,
  type Subscriptions,
} from '../world/subscriptions.ts';
import { spelledIn } from './spellings.ts';
import { answerOf, codeOf } from './suspect.ts';

const conflicts: readonly (string | null)[] = [
  'CALLBACK_ALREADY_REGISTERED',
  'EXTERNAL_FID_ALREADY_REGISTERED',
];

interface Scene {
  readonly call: Call;
  readonly leg: LegRequest;
  readonly wanted: Callback | null;
  readonly mine: Subscription;
  readonly all: Asked;
  readonly world: Subscriptions;
  readonly blame: Blame;
  /** What the state handler has made of the flight; null where it may be any. */
  readonly flight: Flight | null;
}

/** A subscribe agrees with those before it. */
export function judgeSubscription(call: Call, world: Subscriptions, flights: Flights, blame: Blame): void {
  const leg = call.op === 'fla.subscribe' && call.keyState === 'active' ? requestedLeg(call.exchange) : null;
  const wanted = leg && callbackOf(leg);
  if (!leg) return;
  const { enterprise } = call;
  const all = world.asked(enterprise, leg.name);
  const isKeyless = call.status === 200 && keyIn(call) === null;
  if (wanted && call.status !== 409 && !isKeyless) allay(call, all);
  if (wanted === null && call.status === 200 && isPolledAgain(call, all)) blame.keep(only('FLA-SUB-037'));
  const mine = subscriptionOf(call, all);
  const flight = flights.of(call.body && flightName(call.body));
  if (wanted !== undefined && !mine.isLost) {
    const scene = { call, leg, wanted: wanted ?? null, mine, all, world, blame, flight };
    if (mine.callback && mine.by && isAfter(call, mine)) judgeKnown(scene, mine.callback);
    else if (wanted) judgeFirst(scene, wanted);
    else judgePolling(scene);
    if (flights.failure === null) judgeFailure(scene);
  }
  learn({ call, leg, wanted: wanted ?? null, mine, all, world });
}

/** A subscribe that was under way may have been given what another one seems to lack. */
function allay({ exchange }: Call, { doubts }: Asked): void {
  for (const { accusation, at } of doubts) if (exchange.timings.sent < at) accusation.isVoid = true;
}

/** Whether a subscribe was sent after the callback was registered. */
function isAfter({ exchange }: Call, { by }: Subscription): boolean {
  return by !== null && exchange.timings.sent >= by.timings.received;
}

function learn({ call, leg, wanted, mine, all, world }: Omit<Scene, 'blame' | 'flight'>): void {
  const { status, exchange, enterprise } = call;
  const isRefused = status !== null && status >= 400 && status < 500;
  all.lastAt = Math.max(all.lastAt, exchange.timings.received);
  if (leg.callback !== null && !isRefused) {
    all.mayHaveCallback = true;
    if (wanted) world.noteFid(enterprise, wanted, leg.name, exchange.timings.receivedAt);
  }
  if (status === 200 && leg.callback === null) all.polling ??= exchange;
  const stored = storedRule(call);
  if (isRefused && stored !== null) all.refused = [...all.refused, { rule: stored, by: exchange }].slice(-4);
  for (const one of all.subscriptions.values()) {
    const rule = one.callback && bystanderRule(call, wanted, one.callback);
    const by = one === mine ? '' : ' of another key';
    if (rule !== null && (one === mine || rule === 'FLA-SUB-012'))
      one.bystanders = [...one.bystanders, { rule: `${rule}${by}`, by: exchange, isThere: false }].slice(-8);
  }
  if (mine.callback) return;
  if (status === 200 && wanted) Object.assign(mine, { callback: wanted, by: exchange, bystanders: [] });
}

/** The sentence by which a refused subscribe stores nothing; null for one that never came so far. */
function storedRule(call: Call): string | null {
  if (call.status === 400) return 'FLA-SUB-030';
  const code = codeOf(call);
  return code === 'FLIGHT_NOT_FOUND' || code === 'AMBIGUOUS_FLIGHT' ? `FLA-SUB-043 ${code}` : null;
}

function bystanderRule({ status }: Call, wanted: Callback | null, known: Callback): string | null {
  if (status === 200 && wanted === null) return 'FLA-SUB-012';
  if (status === 400) return 'FLA-SUB-030';
  return wanted && !isSame(wanted, known) ? 'FLA-SUB-011' : null;
}

function isSame(one: Callback, other: Callback): boolean {
  return one.fid === other.fid && one.url === other.url;
}

/** A subscribe of a leg whose callback is known. */
function judgeKnown(scene: Scene, known: Callback): void {
  const { call, wanted, mine, blame } = scene;
  if (wanted === null) {
    if (call.status === 409) accuse(scene, only('FLA-SUB-012'), is.answer(200, 'without callbackData'));
    return;
  }
  if (isSame(wanted, known)) judgeRetry(scene);
  else judgeOther(scene, known, wanted);
  const isKept = isSame(wanted, known) && call.status === 200 && keyIn(call) === null;
  const isThere = isKept || call.status === 409;
  for (const one of mine.bystanders) {
    if (isKept) blame.keep(only(`${one.rule} as it was`));
    if (isThere) blame.keep(only(`${one.rule} there`));
    one.isThere ||= isThere;
  }
  if (isKept) mine.bystanders = [];
}

/** The sentence that an answer breaks, or those by which something before it should have changed nothing. */
function suspectsOf(rule: string, bystanders: readonly Bystander[], aspect: 'there' | 'as it was'): Suspects {
  const rules = bystanders.map((one) => `${one.rule} ${aspect}`);
  return { rules: [rule], write: [...new Set(rules)], isCertain: true };
}

/** One internal error may be an accident: the next of its kind, with others answered in between, is none. */
function judgeFailure(scene: Scene): void {
  const { call, world } = scene;
  const rule = dueRule(scene);
  if (call.status !== null && call.status < 500) world.answered += 1;
  if (call.status !== 500) {
    if (call.status !== null && call.status < 500) world.failed.delete(rule);
    return;
  }
  const before = world.failed.get(rule);
  if (before === undefined) world.failed.set(rule, world.answered);
  else if (before < world.answered) accuse(scene, only(rule), 'another answer than an internal error');
}

/** What says how a subscribe is answered. */
function dueRule({ wanted, mine: { callback }, all }: Scene): string {
  if (wanted === null)
    return all.mayHaveCallback ? 'FLA-SUB-012' : all.polling ? 'FLA-SUB-037' : 'FLA-SUB-003';
  if (callback === null) return all.polling ? 'FLA-SUB-013' : 'FLA-SUB-005';
  return isSame(wanted, callback) ? 'FLA-SUB-006' : conflictRule(callback, wanted);
}

function conflictRule(known: Callback, wanted: Callback): string {
  if (known.fid === wanted.fid) return 'FLA-SUB-008';
  return known.url === wanted.url ? 'FLA-SUB-009' : 'FLA-SUB-010';
}

function isPolledAgain({ exchange }: Call, { polling }: Asked): boolean {
  return polling !== null && exchange.timings.sent >= polling.timings.received;
}

/** A subscribe without a callback differs from nothing that is registered. */
function judgePolling(scene: Scene): void {
  const { call, all } = scene;
  if (call.status !== 409 || !conflicts.includes(codeOf(call))) return;
  const rule = all.mayHaveCallback ? 'FLA-SUB-012' : isPolledAgain(call, all) ? 'FLA-SUB-037' : 'FLA-SUB-003';
  accuse(scene, only(rule), is.answer(200, 'without callbackData'));
}

/** The same callback again is answered with 200, and without a key. */
function judgeRetry(scene: Scene): void {
  const { call, blame, mine } = scene;
  const isKeyless = call.status === 200 && keyIn(call) === null;
  const lost = mine.bystanders.filter(({ isThere }) => !isThere);
  const spelled = spelledIn(call, scene.leg);
  if (isKeyless) blame.keep(only('FLA-SUB-006', ...spelled));
  else if (call.status === 200 && lost.length > 0)
    accuse(scene, suspectsOf('FLA-SUB-006', lost, 'there'), 'no key again');
  else if (call.status === 200 && spelled.length > 0)
    accuse(scene, only('FLA-SUB-006', ...spelled), 'no key again');
  else if (call.status === 409 && conflicts.includes(codeOf(call))) {
    const want = is.answer(200, 'for the callback that is registered');
    accuse(scene, suspectsOf('FLA-SUB-006', mine.bystanders, 'as it was'), want);
    mine.isLost = mine.bystanders.length > 0;
  }
}

function judgeOther(scene: Scene, known: Callback, wanted: Callback): void {
  const { call, blame, mine } = scene;
  const [isOtherFid, isOtherUrl] = [known.fid !== wanted.fid, known.url !== wanted.url];
  // Whether addresses are compared as text is open (FLA-OPN-011).
  if (isOtherUrl && isAlike(known.url, wanted.url)) return;
  const row = conflictRule(known, wanted);
  const rule = `${row} ${differenceOf(known, wanted)}`;
  const codes = conflicts.filter((_, at) => (at === 0 ? isOtherUrl : isOtherFid));
  const code = codeOf(call);
  if (call.status === 409 && codes.includes(code)) blame.keep(only(rule));
  else if (call.status === 200) {
    // Where a callback was lost, the next is the first again, and is given a key; a refused one may have taken its place.
    const isSure = isSettled(scene);
    const isKeyless = isSure && keyIn(call) === null;
    const lost = mine.bystanders.filter(
      (one) => !one.isThere && !(isKeyless && !mayBring(one, known, wanted)),
    );
    accuse(scene, suspectsOf(rule, lost, 'there'), conflictOf(codes), isSure);
  } else if (call.status === 409 && conflicts.includes(code))
    accuse(scene, suspectsOf(rule, mine.bystanders, 'as it was'), conflictOf(codes));
  else if (isConflict(call, codes)) accuse(scene, only(row), conflictOf(codes));
}

function conflictOf(codes: readonly (string | null)[]): is.Value {
  const values = codes.flatMap((code) =>
    code === null ? [] : [{ kind: 'answer', status: 409, code } as const],
  );
  return { kind: 'one-of', values };
}

/** Whether a conflict is meant, with another status or code. */
function isConflict(call: Call, codes: readonly (string | null)[]): boolean {
  const { status } = call;
  const isMeant = status === 409 || status === 422 || codes.includes(codeOf(call));
  return status !== null && status >= 400 && isMeant && codeOf(call) !== 'AMBIGUOUS_FLIGHT';
}

/** Whether a refused callback may, by mistake, have brought what differs in the one that was accepted. */
function mayBring({ by }: Bystander, known: Callback, wanted: Callback): boolean {
  const sent = callOf(by)?.body?.callbackData;
  if (!isObject(sent)) return false;
  const isUrl = known.url !== wanted.url && sent.callbackUrl === wanted.url;
  return isUrl || (known.fid !== wanted.fid && sent.fid === wanted.fid);
}

/** Whether one key registered a callback for certain: no request ends or changes a subscription, whoever sends it. */
function isSettled({ mine, call }: Scene): boolean {
  const first = mine.by && callOf(mine.by);
  return first !== null && keyIn(first) !== null && (call.exchange.key ?? '') !== '';
}

/** In what a callback differs from another one: some differences may be overlooked where others are not. */
function differenceOf(known: Callback, wanted: Callback): string {
  const alike: Readonly<Record<string, (text: string) => string>> = {
    case: (text) => text.toLowerCase(),
    blanks: (text) => text.trim(),
    zeros: (text) => text.replace(/^0+/, ''),
    accents: (text) => text.normalize(),
    query: (text) => text.replace(/\?.*$/, ''),
  };
  const [one, other] = known.fid === wanted.fid ? [known.url, wanted.url] : [known.fid, wanted.fid];
  if (known.url !== wanted.url && known.fid !== wanted.fid) return 'both';
  if (other.trim() === '') return 'blank';
  return Object.keys(alike).find((name) => alike[name]?.(one) === alike[name]?.(other)) ?? 'other';
}

function isAlike(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return true;
  const normal = (text: string) =>
    new URL(text).href.replace(/[/?#]+$/, '').replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
  return normal(one) === normal(other);
}

/** A subscribe with a callback of a leg for which none may be registered returns a key. */
function judgeFirst(scene: Scene, wanted: Callback): void {
  const { call, all, blame, world, leg, flight } = scene;
  const isOld = world.forgotten > 0 || all.mayHaveCallback || call.exchange.timings.sent < all.lastAt;
  if (isOld || !flight || world.isShared(call.enterprise, wanted, leg.name)) return;
  if (!isAllowed(call)) return;
  const rule = all.polling ? 'FLA-SUB-013' : 'FLA-SUB-005';
  const isRefused = call.status === 409 && conflicts.includes(codeOf(call));
  if (call.status !== 200 && !isRefused) return;
  const others = world.others(all);
  const write = [
    ...all.refused.map((one) => one.rule),
    ...others.map((one) => {
      const what = one.mayHaveCallback ? 'with a callback' : 'without one';
      const isMine = one.enterprise === call.enterprise;
      return isMine ? `FLA-SUB-015 ${relationOf(leg, one)} ${what}` : `FLA-SUB-028 ${what}`;
    }),
  ];
  const suspects = { rules: [rule], write: [...new Set(write)], isCertain: true };
  if (call.status === 200 && keyIn(call) !== null) blame.keep(suspects);
  else {
    const accusation = accuse(scene, suspects, is.answer(200, 'with a callbackApiKey'));
    all.doubts = [...all.doubts, { accusation, at: call.exchange.timings.received }].slice(-8);
  }
}

/** What another leg of the flight has in common with a leg. */
function relationOf({ departure, arrival }: LegRequest, { name }: Asked): string {
  const [, , from, to] = name.split(' ');
  if (from === arrival && to === departure) return 'the way back';
  return from === departure ? 'departure' : to === arrival ? 'arrival' : 'flight';
}

/** Whether nothing about a request is open. */
function isAllowed({ body }: Call): boolean {
  const forms = body && readForms(body, { operation: 'fla.subscribe', carrier: 'json' });
  return forms?.every(({ kind }) => kind === 'free') === true;
}

function accuse(scene: Scene, suspects: Suspects, want: is.Value | string, isSure = false): Accusation {
  const { call, mine, all, blame } = scene;
  const key =
    call.status === 200 && isObject(call.answer)
      ? keyIn(call) === null
        ? 'without a key'
        : 'with a key'
      : null;
  const got = key === null ? answerOf(call) : is.noted(answerOf(call), key);
  const before = [
    mine.by,
    ...mine.bystanders.map(({ by }) => by),
    all.polling,
    ...all.refused.map(({ by }) => by),
  ];
  const because = [...before.filter((one) => one !== null).slice(-4), call.exchange];
  const violation: Unblamed = {
    ...{ code: 'known:subscription', at: 'answer', want, got, because },
    ...(isSure && { isSettled: true }),
  };
  return blame.accuse(suspects, 'subscribe', violation);
}
