import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { digestOf } from '../../trace/digest.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { jsonWords } from '../wording/words.ts';
import { codeOf } from './suspect.ts';

/** Number of subscribes that are remembered: simultaneous ones are answered close together. */
const mostRecent = 4000;

/** Simultaneous identical subscribes count as one, in any order. */
export class Simultaneous {
  readonly #recent = new RecentMap<string, readonly Call[]>(mostRecent);

  judge(call: Call): readonly Said[] {
    const name = nameOf(call);
    if (name === null) return [];
    const others = this.#recent.get(name) ?? [];
    this.#recent.set(name, [...others, call].slice(-8));
    const rivals = others.filter((other) => overlaps(other, call));
    if (rivals.length === 0) return [];
    return call.op === 'wci.subscribe' ? judgeBooking(call, rivals) : judgeFlight(call, rivals);
  }
}

/** The same body by the same enterprise, or key; of a booking with a record locator, without which two may differ. */
function nameOf({ op, body, status, answer, enterprise, carrier, exchange: { key } }: Call): string | null {
  if (body === null || carrier === 'multipart') return null;
  if (op === 'fla.subscribe') return key === null ? null : `${key} ${digestOf(body)}`;
  const isMade =
    op === 'wci.subscribe' && status === 200 && isObject(answer) && answer.message !== 'REJECTED';
  const { pnr } = body;
  const hasLocator = typeof pnr === 'string' && /^[A-Z0-9]{6}$/.test(pnr);
  return isMade && hasLocator && enterprise !== null ? `${enterprise} ${digestOf(body)}` : null;
}

function overlaps({ exchange: { timings: one } }: Call, { exchange: { timings: other } }: Call): boolean {
  return one.sent < other.received && other.sent < one.received;
}

/** One record. */
function judgeBooking(call: Call, rivals: readonly Call[]): readonly Said[] {
  const rival = rivals.find((other) => membersOf(other).id !== membersOf(call).id);
  if (!rival) return [['WCI-SUB-021', null]];
  const words = [rival, call].map((one) => `${membersOf(one).message} ${membersOf(one).id}`).join(' and ');
  const because = [rival.exchange, call.exchange];
  const got = is.counted(
    words,
    because.map(({ id }) => id),
  );
  const want = is.text('the same checkin_id for both');
  return [['WCI-SUB-021', { code: 'two-records', at: 'checkin_id', want, got, because }]];
}

function membersOf({ answer }: Call) {
  const { message, checkin_id: id } = isObject(answer) ? answer : {};
  return { message: jsonWords(message), id: jsonWords(id) };
}

const conflicts: readonly unknown[] = ['CALLBACK_ALREADY_REGISTERED', 'EXTERNAL_FID_ALREADY_REGISTERED'];

/** None is told that the other has registered something else. */
function judgeFlight(call: Call, rivals: readonly Call[]): readonly Said[] {
  const accepted = [...rivals, call].find(({ status }) => status === 200);
  // Where another address was registered before, all of them are refused.
  if (accepted === undefined) return [];
  const refused = [call, ...rivals].find((one) => one.status === 409 && conflicts.includes(codeOf(one)));
  if (refused === undefined) return [['FLA-SUB-029', null]];
  const code = codeOf(refused) ?? '';
  const want: is.Value = { kind: 'answer', status: 200, note: 'for simultaneous identical subscribes' };
  const got: is.Value = { kind: 'answer', status: 409, code, note: 'and 200 for another' };
  const because = [accepted.exchange, refused.exchange];
  return [['FLA-SUB-029', { code: 'conflict', at: 'answer', want, got, because }]];
}
