import {
  type CheckContext,
  type Exchange,
  type Itinerary,
  type JsonObject,
  hasMember,
  hourMs,
  isAccepted,
  lacksSomething,
  memberOf,
  minuteMs,
  objectOf,
  subscribe,
  withoutPassports,
} from '../checks.ts';
import { bookingAhead, leadTimeMs, marginMs, originOffset } from './departures.ts';

/** Automation may start at once where nothing is missing; what lacks something waits as SCHEDULED, however near it is. */
export async function judgeIncomplete(t: CheckContext, itinerary: Itinerary, leadMs: number): Promise<void> {
  const lacking = await t.send(subscribe(withoutPassports(bookingAhead(t, itinerary, leadMs))));
  const isIncomplete = isAccepted(lacking) && lacksSomething(objectOf(lacking)).status === 'holds';
  if (isIncomplete) t.judge(lacking, { 'WCI-SUB-012': hasMember(objectOf(lacking), 'status', 'SCHEDULED') });
}

/** Near by the clock of an airport east of UTC, far enough where that clock is read as UTC. */
export function leadEastOfUtc(t: CheckContext, itinerary: Itinerary): number {
  const offset = originOffset(t, itinerary, 3 * hourMs);
  const nearest = Math.max(30 * minuteMs, leadTimeMs + marginMs - offset);
  return Math.min((nearest + leadTimeMs - marginMs) / 2, leadTimeMs - marginMs);
}

/** Sends a booking without its pnr, which is allowed and only makes it incomplete; with it, where that is refused or known already. */
export async function withoutPnrFirst(
  t: CheckContext,
  body: JsonObject,
): Promise<{ readonly exchange: Exchange; readonly isKnown: boolean }> {
  const bare = await t.send(subscribe({ ...body, pnr: null }));
  const isKnown = memberOf(bare, 'message') === 'ALREADY_SUBSCRIBED';
  if (isAccepted(bare) && !isKnown) return { exchange: bare, isKnown };
  return { exchange: await t.send(subscribe(body)), isKnown };
}
