import {
  type CheckContext,
  type Exchange,
  type Itinerary,
  type JsonObject,
  accepted,
  holds,
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
import { hasDaylightSaving } from './zonedItineraries.ts';

/** Automation may start at once where nothing is missing; what lacks something waits as SCHEDULED, however near it is. */
export async function judgeIncomplete(t: CheckContext, itinerary: Itinerary, leadMs: number): Promise<void> {
  const lacking = await t.send(subscribe(withoutPassports(bookingAhead(t, itinerary, leadMs))));
  const isIncomplete = isAccepted(lacking) && lacksSomething(objectOf(lacking)).status === 'holds';
  if (isIncomplete) t.judge(lacking, { 'WCI-SUB-012': hasMember(objectOf(lacking), 'status', 'SCHEDULED') });
}

/** What is accepted so near for another reason than daylight saving says nothing of it. */
export async function assumeLeadTimeKept(
  t: CheckContext,
  itinerary: Itinerary,
  leadMs: number,
): Promise<void> {
  const nearer = await t.send(subscribe(bookingAhead(t, itinerary, leadMs - 2.5 * hourMs)));
  t.assume(!isAccepted(nearer), 'it is accepted far nearer as well, so that is not for daylight saving');
  const steady = await t.fixtures.itinerary('international');
  if (hasDaylightSaving(t, steady, leadMs)) return;
  const plain = await t.send(subscribe(bookingAhead(t, steady, leadMs)));
  t.assume(!isAccepted(plain), 'it is accepted without daylight saving as well');
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
  if (isAccepted(bare)) t.judge(bare, { 'WCI-SUB-044': holds });
  if (isAccepted(bare) && !isKnown) {
    t.judge(bare, { 'WCI-RDY-014': lacksSomething(objectOf(bare)) });
    return { exchange: bare, isKnown };
  }
  const whole = await t.send(subscribe(body));
  if (isAccepted(whole)) t.judge([whole, bare], { 'WCI-SUB-044': accepted(bare) });
  return { exchange: whole, isKnown };
}
