import { onceForEach } from '../../core/latest.ts';
import { bareObjectOf, isObject, type Json, type JsonObject } from '../../trace/body.ts';
import { callOf } from '../../trace/call.ts';
import { textOf } from '../grammar/form.ts';
import * as is from '../kernel/value.ts';
import type { Said } from '../kernel/findings.ts';
import { plainId, type Histories, type History } from '../world/histories.ts';
import type { By, Sight } from '../world/sights.ts';
import { nameOf } from '../world/writes.ts';
import { broken } from './recordForms.ts';

/** Which sentence says that an answer shows the booking that was asked for, under the ids that it has. */
export const identityRows: Readonly<Record<By, string>> = {
  subscribe: 'WCI-SUB-016',
  update: 'WCI-UPD-035',
  status: 'WCI-STS-006',
  alias: 'WCI-STS-006',
  list: 'WCI-STS-008',
};

/** An answer is about the booking that was asked for. */
export function judgeAsked(sight: Sight, histories: Histories, say: (said: Said) => void): void {
  const asked = askedIn(sight);
  const value = asked && sight.untyped[asked.member];
  if (!asked || asked.ids.length === 0 || typeof value !== asked.type) return;
  const isOne = asked.ids.some((id) => plainId(id) === plainId(`${value as string | number}`));
  const rule = rowOf(sight, histories);
  if (rule === null) return;
  const want = is.noted(is.oneOf(...asked.ids), 'as requested');
  if (isOne) say([rule, null]);
  else for (const one of [rule, ...namedOtherwise(sight, asked)]) say(broken(sight, one, asked.member, want));
}

/** The sentences about what a status was found by in place of its id: its number, or a part of the id. */
function namedOtherwise({ by, record }: Sight, { ids }: Asked): readonly string[] {
  const [id, ...more] = ids.map((one) => one.trim());
  if ((by !== 'status' && by !== 'alias') || id === undefined || id === '' || more.length > 0) return [];
  if (id === textOf(record.booking_id) || id === JSON.stringify(record.booking_id)) return ['WCI-STS-010'];
  return textOf(record.checkin_id).startsWith(id) ? ['WCI-STS-004'] : [];
}

/** Of two ids, that of the check-in counts; a booking_id with letters is not that of its digits. */
function rowOf(sight: Sight, histories: Histories): string | null {
  const { checkin_id: id, webcheckin_id: alias, booking_id: booking } = callOf(sight.exchange)?.body ?? {};
  if (sight.by !== 'update' || booking === undefined) return identityRows[sight.by];
  if (id === undefined && alias === undefined) return isDigits(booking) ? identityRows.update : 'WCI-UPD-009';
  if (nameOf(booking) === nameOf(sight.record.booking_id) && sight.record.checkin_id === (id ?? alias))
    return identityRows.update;
  const { enterprise } = sight.exchange;
  const named = id ?? alias;
  // What becomes of an id that is foreign or unknown has sentences of its own.
  if (typeof named !== 'string' || !histories.has(enterprise, named)) return null;
  return histories.hasBooking(enterprise, booking) ? 'WCI-UPD-005' : 'WCI-UPD-006';
}

const isDigits = (booking: Json) => /^\d+$/.test(nameOf(booking) ?? '');

/** An update names the kind that it was. */
export function judgeKind({ by, exchange }: Sight, say: (said: Said) => void): void {
  const made = by === 'update' ? kindOf(callOf(exchange)?.body ?? {}) : null;
  const { type } = (made && bareObjectOf(exchange)) ?? {};
  if (made === null || type === undefined) return;
  const want = is.value(made, 'as the update was');
  const fault = { code: 'type', at: 'type', want, got: is.value(type) };
  say(['WCI-UPD-050', type === made ? null : fault]);
}

/** The kind of update that a request asks for; null if type and data allow two readings. */
function kindOf({ type, passengers, pnr, payload }: JsonObject): 'passengers' | 'pnr' | null {
  const inner = isObject(payload) ? payload : {};
  const hasPassengers = passengers !== undefined || inner.passengers !== undefined;
  const hasPnr = pnr !== undefined || inner.pnr !== undefined;
  if (hasPassengers && !hasPnr) return type === undefined || type === 'passengers' ? 'passengers' : null;
  return hasPnr && !hasPassengers && type === 'pnr' ? 'pnr' : null;
}

/** A booking keeps its two ids. One that does not echo a request is always written the same. */
export function judgeIds(sight: Sight, { id, bookingId }: History, say: (said: Said) => void): void {
  const { checkin_id: shownId, booking_id: shown } = sight.record;
  const rule = identityRows[sight.by];
  if (typeof shown !== 'number' || typeof bookingId !== 'number') return;
  if (shown !== bookingId) say(broken(sight, rule, 'booking_id', is.noted(is.value(bookingId), 'as before')));
  else if (shownId !== id && !isEcho(sight, shownId))
    say(broken(sight, rule, 'checkin_id', is.noted(is.value(id), 'as before')));
  // If the ids agree, list and status may still disagree on the state.
  else if (sight.by !== 'list') say([rule, null]);
}

interface Asked {
  readonly member: 'checkin_id' | 'booking_id';
  readonly type: 'string' | 'number';
  readonly ids: readonly string[];
}

const isText = (id: Json | undefined): id is string => typeof id === 'string';

/** Which of several different ids of one kind counts is open. */
function askedIn({ by, exchange }: Sight): Asked | null {
  if (by === 'list' || by === 'subscribe') return null;
  const { query = {}, body = null } = callOf(exchange) ?? {};
  if (by !== 'update') return { member: 'checkin_id', type: 'string', ids: idsIn(query) };
  if (body === null) return null;
  const { checkin_id: id, webcheckin_id: alias, booking_id: booking } = body;
  if (id === undefined && alias === undefined)
    return { member: 'booking_id', type: 'number', ids: bookingsIn(booking) };
  return {
    member: 'checkin_id',
    type: 'string',
    // Which of the two names of a check-in goes first is open (WCI-OPN-037).
    ids: booking === undefined || id === undefined || alias === undefined ? [id, alias].filter(isText) : [],
  };
}

/** The bookings that a booking_id may mean. One with letters behind its digits is not that of the digits. */
function bookingsIn(booking: Json | undefined): readonly string[] {
  if (Number.isSafeInteger(booking)) return [String(Number(booking))];
  if (!isText(booking)) return [];
  return /^\d{1,15}$/.test(booking)
    ? [String(Number(booking))]
    : /^\d+[a-z]+$/i.test(booking)
      ? [booking]
      : [];
}

function isEcho({ by, exchange }: Sight, id: Json | undefined): boolean {
  const { query = {}, body = null } = callOf(exchange) ?? {};
  if (by === 'update') return body === null || body.checkin_id === id || body.webcheckin_id === id;
  return (by === 'status' || by === 'alias') && isText(id) && idsIn(query).includes(id);
}

/** The ids that a status asks for. */
const idsIn = onceForEach(({ checkin_id: main, checkinId: alias }: JsonObject) =>
  [main ?? [], alias ?? []].flat().filter(isText),
);
