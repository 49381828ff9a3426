import { type CheckContext, type Exchange, memberOf, responseOf } from '../checks.ts';

/** What was asked about something that names nothing, and the answer. */
interface AskedUnknown<T, X = Exchange> {
  readonly x: X;
  readonly id: T;
}

/** Most ids that are asked about until one names nothing: where each of them seems to name something, that is the deployment's fault. */
const mostAsked = 4;

/** Asks about a checkin_id that names nothing, of the shape of a real one. */
export function askUnknownCheckin(
  t: CheckContext,
  like: string,
  ask: (id: string) => Promise<Exchange>,
): Promise<AskedUnknown<string>> {
  return askUnknown((salt) => t.unknown.checkinId(like, salt), ask, mayBeGiven);
}

/** Asks about a booking_id that names nothing. */
export function askUnknownBooking(
  t: CheckContext,
  ask: (id: number) => Promise<Exchange>,
): Promise<AskedUnknown<number>> {
  return askUnknown((salt) => t.unknown.bookingId(salt), ask, mayBeGiven);
}

/** Nothing is unknown by its value: what turns out to be given is left for another. */
export async function askUnknown<T, X = Exchange>(
  choose: (salt: number) => T | Promise<T>,
  ask: (id: T) => Promise<X>,
  isGiven: (x: X, id: T) => boolean | Promise<boolean>,
): Promise<AskedUnknown<T, X>> {
  for (let salt = 0; ; salt += 1) {
    const id = await choose(salt);
    const x = await ask(id);
    if (salt + 1 === mostAsked || !(await isGiven(x, id))) return { x, id };
  }
}

/** Whether the answer shows a record of this id, or may refuse to change one. A record of another id is a mistake. */
function mayBeGiven(x: Exchange, id: string | number): boolean {
  if ([409, 422].includes(responseOf(x)?.status ?? 0)) return true;
  const member = typeof id === 'string' ? 'checkin_id' : 'booking_id';
  const shown = [memberOf(x, member), memberOf(x, 'data', member)];
  return shown.some((one) => one === id || one === String(id));
}
