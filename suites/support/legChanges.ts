import {
  type AnswerObject,
  type ChangedLeg,
  type CheckContext,
  type Exchange,
  type FlightNotice,
  type JsonObject,
  type JsonValue,
  type Judgement,
  type LegChanges,
  type Route,
  changedForms,
  changedPaths,
  found,
  isTold,
  judgeChange,
  legAt,
  mayBeUnavailable,
  noticesOf,
  reliablePaths,
  shownLegs,
  toldPaths,
  unclear,
  differs,
  is,
} from '../checks.ts';
import { legOn, lookUp, put, rendered } from './flights.ts';
import {
  type Subscriber,
  awaitNotices,
  changeLeg,
  countOf,
  deliveriesSince,
  noticesSince,
  quiet,
  subscriber,
} from './notices.ts';

const route: Route = ['DOH', 'SIN'];

/** A leg that is watched while the upstream source changes it: how it was, and what was notified so far. */
export interface WatchedLeg {
  readonly subscriber: Subscriber;
  /** As the upstream source has it. */
  upstream: JsonObject;
  /** As it is now: as last shown, or as it should be if lookups are late, with the answer that showed it. */
  shown: AnswerObject;
  seen: Exchange;
  /** As it was shown last. */
  displayed: AnswerObject;
  /** As it was shown when the callback was registered. */
  readonly registered: AnswerObject;
  /** Deliveries before the first change: none, or an initial notification (FLA-OPN-014). */
  readonly initial: number;
}

/** A new leg with a callback, as the upstream source has it and as it is shown; costs one request. */
export async function watchLeg(
  t: CheckContext,
  changes: LegChanges = {},
  departureDate?: string,
): Promise<WatchedLeg> {
  const leg = { route, changes };
  const flight = await put(t, [leg], departureDate === undefined ? {} : { departureDate });
  const made = await subscriber(t, legOn(flight, route));
  const [first] = shownLegs(made.subscribed);
  t.assume(first !== undefined, `${made.subscribed.id}: it shows no leg`);
  return {
    subscriber: made,
    upstream: rendered(flight, leg),
    shown: first?.leg ?? {},
    displayed: first?.leg ?? {},
    registered: first?.leg ?? {},
    seen: made.subscribed,
    initial: countOf(made),
  };
}

/** A change of a watched leg, and its notifications. */
export interface ToldChange {
  readonly change: ChangedLeg;
  /** Paths at which it was changed, as far as they can be relied on. */
  readonly changed: readonly string[];
  readonly notices: readonly FlightNotice[];
  readonly evidence: Parameters<CheckContext['judge']>[0];
  readonly judgements: Readonly<Record<string, Judgement>>;
}

/** Changes a watched leg, looks it up, and waits until all of the change is notified; costs one request. */
export async function tellChange(t: CheckContext, leg: WatchedLeg, changes: LegChanges): Promise<ToldChange> {
  const { subscriber: to, upstream, shown, seen } = leg;
  const count = countOf(to);
  const earlier = noticesSince(to, 0);
  await changeLeg(t, to.leg, changes);
  const changedUpstream = merged(upstream, changes as JsonObject);
  const lookup = await lookUp(t, to.leg);
  const after = legAt(lookup, [to.leg.departure, to.leg.arrival]);
  const isGone = after === null && mayBeUnavailable(changedUpstream.status);
  t.assume(after !== null || isGone, `${lookup.id}: it does not show the leg`);
  const reliable = reliablePaths(shown, upstream);
  const due = merged(shown as JsonObject, changes as JsonObject);
  const isSame =
    isStill(leg, after) && changedPaths({ before: shown, after: due, paths: reliable }).length > 0;
  const isLate = isGone || isSame;
  const now = isLate ? due : (after ?? {});
  const forms = changedForms({ before: shown, after: now }, { before: upstream, after: changedUpstream });
  const paths = reliablePaths(now, changedUpstream).filter(
    (path) => reliable.includes(path) && !forms.includes(path),
  );
  const legs = { before: shown, after: now, paths, earlier, registered: leg.registered };
  const changed = changedPaths(legs);
  if (changed.length > 0)
    await awaitNotices(t, to, (all) => isTold({ ...legs, notices: noticesOf(all.slice(count)) }));
  await quiet(t);
  const deliveries = deliveriesSince(to, count);
  const change = { ...legs, notices: noticesOf(deliveries) };
  Object.assign(leg, {
    upstream: changedUpstream,
    shown: now,
    displayed: after ?? leg.displayed,
    seen: lookup,
  });
  const judgements = judgementsOf(change, deliveries.length > 0, changed);
  return {
    change,
    changed,
    notices: change.notices,
    evidence: [seen, lookup, ...deliveries],
    judgements: isLate ? asFarAsTold(judgements) : judgements,
  };
}

/** Whether a lookup shows a leg as the previous one did: how long upstream data may be cached is not stated. */
function isStill({ displayed }: WatchedLeg, after: AnswerObject | null): boolean {
  return after !== null && reliablePaths(after, displayed).length === toldPaths.length;
}

/** For a change that no lookup shows yet, what is notified as the upstream source has it is right, and the rest may be late as well. */
function asFarAsTold(judgements: Readonly<Record<string, Judgement>>): Readonly<Record<string, Judgement>> {
  return Object.fromEntries(
    Object.entries(judgements).map(([rule, judgement]) => [
      rule,
      judgement.status === 'violated'
        ? unclear('the lookup after the change still shows the leg as it was before it')
        : judgement,
    ]),
  );
}

/** If nothing came at all, only one rule is broken; unreadable deliveries are judged by their form. */
function judgementsOf(
  change: ChangedLeg,
  isAnyThere: boolean,
  changed: readonly string[],
): Readonly<Record<string, Judgement>> {
  const judged = () => found((findings) => judgeChange(change, findings));
  if (changed.length === 0) return judged();
  if (!isAnyThere)
    return {
      'FLA-CB-001': differs('silence', 'callback', is.text(`a callback of ${changed.join(', ')}`), is.absent),
    };
  return change.notices.length === 0 ? {} : judged();
}

/** The judgements that a check is about, since each has its own rules; always FLA-CB-001. */
export function about(
  { judgements }: ToldChange,
  rules: readonly string[],
): Readonly<Record<string, Judgement>> {
  return Object.fromEntries(Object.entries(judgements).filter(([rule]) => rules.includes(rule)));
}

function merged(leg: JsonObject, changes: JsonObject): JsonObject {
  const isObject = (value: JsonValue | undefined): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = Object.entries(changes).map(([name, value]): [string, JsonValue] => {
    const before = leg[name];
    return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value];
  });
  return { ...leg, ...Object.fromEntries(members) };
}
