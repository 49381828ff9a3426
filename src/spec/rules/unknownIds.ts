import { RecentMap } from '../../core/recentMap.ts';
import type { Json, JsonObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import type { Note } from '../../trace/evidence.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import type { Histories } from '../world/histories.ts';
import { sightsIn } from '../world/sights.ts';
import { nameOf } from '../world/writes.ts';

export const unknownRows = ['WCI-UPD-008', 'WCI-UPD-009', 'WCI-UPD-054'];

/** As many made-up ids in a row are not records that others made. */
const leastGiven = 4;

/** What names no record finds none. */
export class UnknownIds {
  readonly #madeUp = new RecentMap<string, true>();
  /** The made-up ids since the last refused one that show a record of their own. */
  #given = new Set<string>();
  readonly #histories: Histories;

  constructor(histories: Histories) {
    this.#histories = histories;
  }

  note(note: Note): void {
    if (note.type === 'claim' && note.claim === 'made-up')
      for (const id of note.ids) this.#madeUp.set(String(id), true);
  }

  judge(call: Call): readonly Said[] {
    if (call.op === 'wci.status') return this.#judgeStatus(call);
    const { op, body, enterprise, exchange, status } = call;
    const rule = op === 'wci.update' && body && enterprise !== null ? this.#rowOf(call, body) : null;
    if (rule === null) return nothing;
    const [sight] = sightsIn(exchange);
    // What is no name finds none; how it is refused says nothing of names that are not known.
    if ([body?.checkin_id, body?.webcheckin_id, body?.booking_id].some(isNoName))
      return sight && status === 200 ? [malformed(rule)] : nothing;
    // A number in the place of an id, or with letters behind it, may be malformed.
    const isOdd = rule === 'WCI-UPD-054' || (rule === 'WCI-UPD-009' && !this.isMadeUp(body?.booking_id));
    if (status === 404) this.#given = new Set();
    if (status === 404 || (isOdd && status === 400)) return [[rule, null]];
    if (!sight || status !== 200) return nothing;
    return isAsked(sight.record, body ?? {}) && !this.#isGivenAgain(body ?? {}) ? nothing : [found(rule)];
  }

  #judgeStatus({ query, exchange, status, enterprise }: Call): readonly Said[] {
    const asked = { checkin_id: query.checkin_id ?? query.checkinId };
    if (enterprise === null || Object.keys(query).length !== 1 || !this.isMadeUp(asked.checkin_id))
      return nothing;
    if (status === 404) this.#given = new Set();
    const [sight] = status === 200 ? sightsIn(exchange) : [];
    // A record of another id is judged as such.
    const isAgain = sight && isAsked(sight.record, asked) && this.#isGivenAgain(asked);
    return isAgain ? [found('WCI-STS-004')] : nothing;
  }

  /** A made-up id may be one that another record has, but not each of them. */
  #isGivenAgain({ checkin_id: main, webcheckin_id: alias, booking_id: booking }: Asked): boolean {
    const id = main ?? alias ?? booking;
    if (this.isMadeUp(id) && this.#given.size < leastGiven) this.#given.add(nameOf(id) ?? '');
    return this.#given.size === leastGiven;
  }

  /** The sentence about the id by which an update is meant, if it names nothing; null where it may name something. */
  #rowOf(
    { carrier, enterprise }: Call,
    { checkin_id: main, webcheckin_id: alias, booking_id: booking }: JsonObject,
  ): string | null {
    const [id, ...more] = [main, alias, booking].filter((one) => one !== undefined);
    // A booking of one's own beside it does not help.
    const isBeside = more.length === 1 && booking !== undefined && carrier === 'json' && this.isMadeUp(id);
    if (isBeside) return 'WCI-UPD-008';
    if (id === undefined || more.length > 0) return null;
    if (isNoName(id))
      return carrier === 'multipart' ? null : booking === undefined ? 'WCI-UPD-008' : 'WCI-UPD-009';
    if (booking !== undefined) {
      const [, digits] = /^(\d+)[a-z]+$/i.exec(nameOf(booking) ?? '') ?? [];
      const isLonger = digits !== undefined && this.#histories.hasBooking(enterprise, digits);
      return this.isMadeUp(booking) || isLonger ? 'WCI-UPD-009' : null;
    }
    if (this.isMadeUp(id)) return carrier === 'multipart' ? 'WCI-MP-019' : 'WCI-UPD-008';
    const isBooking =
      typeof id === 'string' && /^\d+$/.test(id) && this.#histories.hasBooking(enterprise, id);
    return isBooking && !this.#histories.has(enterprise, id) ? 'WCI-UPD-054' : null;
  }

  /** Whether an id was made up. */
  isMadeUp(id: Json | undefined): boolean {
    return this.#madeUp.has(nameOf(id) ?? '');
  }
}

const nothing: readonly Said[] = Object.freeze([]);

/** What a request names a record by. */
type Asked = Partial<Readonly<Record<'checkin_id' | 'webcheckin_id' | 'booking_id', Json | undefined>>>;

function found(rule: string): Said {
  const want = is.refusal(404, 'NOT_FOUND', 'for an id that names nothing');
  return [rule, { code: 'found', at: 'answer', want, got: is.answer(200) }];
}

function malformed(rule: string): Said {
  const want = is.refusal(400, 'VALIDATION_ERROR', 'for an id that is a list or an object');
  return [rule, { code: 'found', at: 'answer', want, got: is.answer(200) }];
}

/** A list or an object: an id is a text or a number. */
function isNoName(id: Json | undefined): boolean {
  return typeof id === 'object' && id !== null;
}

function isAsked({ checkin_id: id, booking_id: number }: JsonObject, asked: Asked): boolean {
  const { checkin_id: main, webcheckin_id: alias, booking_id: booking } = asked;
  const named = main ?? alias;
  return named === undefined ? nameOf(number) === nameOf(booking) : id === named;
}
