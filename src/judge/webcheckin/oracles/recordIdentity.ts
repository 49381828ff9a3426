import { checkinOperations } from '../../../core/operations.ts';
import type { Exchange } from '../../../core/evidence.ts';
import type { Json } from '../../kernel/body.ts';
import { holds, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { ofRecords, place, type ShownRecord } from '../records.ts';
import { callOf } from '../../../trace/call.ts';
import { describeValue } from '../../kernel/rule.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** Which requirement says that this operation shows the record that was asked for, under the ids that it has. */
const requirements: Readonly<Record<ShownRecord['by'], string>> = {
  subscribe: 'WCI-SUB-016',
  update: 'WCI-UPD-035',
  status: 'WCI-STS-006',
  list: 'WCI-STS-008',
};

/** A record keeps its two ids, and an answer is about the record that was asked for. */
export const recordIdentity: Oracle = {
  id: 'record-identity',
  title: 'An answer shows the record that was asked for, and a record keeps its ids',
  verifies: Object.values(requirements),
  operations: checkinOperations,
  answers: 'accepted',
  createWatch: () => {
    const bookings = new RecentMap<string, number>();
    const spellings = new RecentMap<string, string>();
    return {
      exchange: (exchange) =>
        ofRecords(exchange, (shown, samples) => {
          add(samples, judgeRequested(exchange, shown));
          add(samples, judgeBooking(bookings, exchange, shown));
          add(samples, judgeSpelling(spellings, exchange, shown));
        }),
      forgotten: () => bookings.forgotten + spellings.forgotten,
    };
  },
};

function add(samples: Sample[], sample: Sample | null): void {
  if (sample !== null) samples.push(sample);
}

function judgeRequested(exchange: Exchange, shown: ShownRecord): Sample | null {
  if (shown.by !== 'status' && shown.by !== 'update') return null;
  const member = shown.by === 'status' || asksById(exchange) ? 'checkin_id' : 'booking_id';
  const requested = shown.by === 'status' ? statusIds(exchange) : updateIds(exchange, member);
  const value = shown.untyped[member];
  const isId = typeof value === (member === 'checkin_id' ? 'string' : 'number');
  // How a deployment treats letter case and spaces around an id is not stated.
  if (!isId || requested.length === 0) return null;
  const wanted = requested.map(plain);
  if (wanted.includes(plain(`${value as string | number}`))) return sampleOf(requirements[shown.by], holds);
  const where = place(shown, member);
  const expected = `${where} is ${requested.join(' or ')}, as requested`;
  return sampleOf(
    requirements[shown.by],
    violated('requested', expected, `${where} is ${describeValue(value)}`),
  );
}

/** An id that does not echo a request is always written the same: two that differ in case or spaces are different ids. */
function judgeSpelling(
  spellings: Map<string, string>,
  exchange: Exchange,
  shown: ShownRecord,
): Sample | null {
  const { checkin_id: id, booking_id: booking } = shown.record;
  if (exchange.enterprise === null || typeof id !== 'string' || typeof booking !== 'number') return null;
  if (isEcho(exchange, shown, id)) return null;
  const name = `${exchange.enterprise}/${booking}/${plain(id)}`;
  const known = spellings.get(name);
  if (known === undefined) spellings.set(name, id);
  if (known === undefined || known === id) return null;
  const where = place(shown, 'checkin_id');
  const expected = `${where} is ${describeValue(known)}, as it was shown before`;
  return sampleOf(requirements[shown.by], violated('spelling', expected, `${where} is ${describeValue(id)}`));
}

function isEcho(exchange: Exchange, { by }: ShownRecord, id: string): boolean {
  if (by === 'status') return statusIds(exchange).includes(id);
  if (by !== 'update') return false;
  const body = callOf(exchange)?.body;
  return !body || body.checkin_id === id || body.webcheckin_id === id;
}

function plain(id: string): string {
  return id.trim().toLowerCase();
}

/** Main name and alias: which of two different ones counts is open. */
function statusIds(exchange: Exchange): readonly string[] {
  const { checkin_id: main = [], checkinId: alias = [] } = callOf(exchange)?.query ?? {};
  return [main, alias].flat().filter((id) => typeof id === 'string');
}

function asksById(exchange: Exchange): boolean {
  const body = callOf(exchange)?.body;
  return body?.checkin_id !== undefined || body?.webcheckin_id !== undefined;
}

/** Only if a single kind of id was given: several different ones are left to the checks that send them. */
function updateIds(exchange: Exchange, member: 'checkin_id' | 'booking_id'): readonly string[] {
  const body = callOf(exchange)?.body;
  if (!body) return [];
  const { checkin_id, webcheckin_id, booking_id } = body;
  if (member === 'booking_id') return isDigits(booking_id) ? [String(Number(booking_id))] : [];
  return booking_id === undefined ? [checkin_id, webcheckin_id].filter((id) => typeof id === 'string') : [];
}

function isDigits(value: Json | undefined): value is number | string {
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value));
}

function judgeBooking(bookings: Map<string, number>, exchange: Exchange, shown: ShownRecord): Sample | null {
  const { checkin_id: id, booking_id: booking } = shown.record;
  if (exchange.enterprise === null || typeof id !== 'string' || typeof booking !== 'number') return null;
  const name = `${exchange.enterprise}/${id}`;
  const known = bookings.get(name);
  if (known === undefined) {
    bookings.set(name, booking);
    return null;
  }
  const requirement = requirements[shown.by];
  // If the ids agree, list and status may still disagree on the state.
  if (known === booking) return shown.by === 'list' ? null : sampleOf(requirement, holds);
  const where = place(shown, 'booking_id');
  return sampleOf(
    requirement,
    violated('booking', `${where} is ${known}, as before for ${id}`, `${where} is ${booking}`),
  );
}
