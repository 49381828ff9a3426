import {
  type AnswerObject,
  type CheckContext,
  type Exchange,
  type FlightNotice,
  type LegChanges,
  type Route,
  changedPaths,
  isTold,
  merged,
  noticesOf,
  reliablePaths,
  shownLegs,
} from '../checks.ts';
import { legOn, lookUp, put, rendered } from './flights.ts';
import {
  type Subscriber,
  awaitNotices,
  changeLeg,
  countOf,
  noticesSince,
  quiet,
  subscriber,
} from './notices.ts';

const route: Route = ['DOH', 'SIN'];

/** Makes one change of a leg and waits until it is notified. */
type Tell = (changes: LegChanges) => Promise<Told>;

/** What came of a change, and the lookup after it. */
interface Told {
  readonly notices: readonly FlightNotice[];
  readonly seen: Exchange;
}

/** A new leg with a callback, to be changed. */
export async function watchLeg(
  t: CheckContext,
  changes: LegChanges = {},
  departureDate?: string,
): Promise<Tell> {
  const leg = { route, changes };
  const flight = await put(t, [leg], departureDate === undefined ? {} : { departureDate });
  const to = await subscriber(t, legOn(flight, route));
  let upstream: AnswerObject = rendered(flight, leg);
  // Elsewhere something else is shown than upstream has, and told as well.
  const paths = reliablePaths(shownLegs(to.subscribed)[0]?.leg ?? {}, upstream);
  return async (made) => {
    const before = upstream;
    upstream = merged(upstream, made);
    return tell(t, to, made, { before, after: upstream, paths });
  };
}

/** The lookup shows the leg as it is from then on. */
async function tell(
  t: CheckContext,
  to: Subscriber,
  changes: LegChanges,
  legs: Parameters<typeof changedPaths>[0],
): Promise<Told> {
  const count = countOf(to);
  await changeLeg(t, to.leg, changes);
  const seen = await lookUp(t, to.leg);
  const unsaid = { earlier: [], registered: {} };
  if (changedPaths(legs).length > 0)
    await awaitNotices(t, to, (all) => isTold({ ...legs, ...unsaid, notices: noticesOf(all.slice(count)) }));
  await quiet(t);
  return { notices: noticesSince(to, count), seen };
}
