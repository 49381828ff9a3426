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
  changedPaths,
  isTold,
  judgeChange,
  legAt,
  noticesOf,
  reliablePaths,
  shownLegs,
  violated,
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

/** A leg that is watched while upstream changes it: what it was, and what was notified so far. */
export interface WatchedLeg {
  readonly subscriber: Subscriber;
  /** As upstream has it. */
  upstream: JsonObject;
  /** As it was shown last, with the answer that showed it. */
  shown: AnswerObject;
  seen: Exchange;
  /** As it was shown when the callback was registered. */
  readonly registered: AnswerObject;
  /** Deliveries before the first change: none, or an initial notification (FLA-OPN-014). */
  readonly initial: number;
}

/** A new leg with a callback, as upstream has it and as it is shown; costs one request. */
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
  t.assume(after !== null, `${lookup.id}: it does not show the leg`);
  const reliable = new Set(reliablePaths(shown, upstream));
  const paths = reliablePaths(after ?? {}, changedUpstream).filter((path) => reliable.has(path));
  const legs = { before: shown, after: after ?? {}, paths, earlier, registered: leg.registered };
  const changed = changedPaths(legs);
  if (changed.length > 0)
    await awaitNotices(t, to, (all) => isTold({ ...legs, notices: noticesOf(all.slice(count)) }));
  await quiet(t);
  const deliveries = deliveriesSince(to, count);
  const change = { ...legs, notices: noticesOf(deliveries) };
  Object.assign(leg, { upstream: changedUpstream, shown: after, seen: lookup });
  return {
    change,
    changed,
    notices: change.notices,
    evidence: [seen, lookup, ...deliveries],
    judgements: judgementsOf(change, deliveries.length > 0, changed),
  };
}

/** Where nothing came at all, one rule is broken and no other; what cannot be read is judged by its form. */
function judgementsOf(
  change: ChangedLeg,
  isAnyThere: boolean,
  changed: readonly string[],
): Readonly<Record<string, Judgement>> {
  if (changed.length === 0) return judgeChange(change);
  if (!isAnyThere)
    return { 'FLA-CB-001': violated('silence', `a notification of ${changed.join(', ')}`, 'none') };
  return change.notices.length === 0 ? {} : judgeChange(change);
}

/** Those of the judgements that a check is about, since each has rules of its own; FLA-CB-001 always. */
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
