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

/** An update by what names no record finds none. */
export class UnknownIds {
  readonly #madeUp = new RecentMap<string, true>();
  readonly #histories: Histories;

  constructor(histories: Histories) {
    this.#histories = histories;
  }

  note(note: Note): void {
    if (note.type === 'claim' && note.claim === 'made-up')
      for (const id of note.ids) this.#madeUp.set(String(id), true);
  }

  judge(call: Call): readonly Said[] {
    const { op, body, enterprise, exchange, status } = call;
    const rule = op === 'wci.update' && body && enterprise !== null ? this.#rowOf(call, body) : null;
    if (rule === null) return nothing;
    // A number in the place of an id, or with letters behind it, may be malformed.
    const isOdd = rule === 'WCI-UPD-054' || (rule === 'WCI-UPD-009' && !this.#isMadeUp(body?.booking_id));
    if (status === 404 || (isOdd && status === 400)) return [[rule, null]];
    const [sight] = sightsIn(exchange);
    if (!sight || status !== 200 || isAsked(sight.record, body ?? {})) return nothing;
    const want = is.refusal(404, 'NOT_FOUND', 'for an id that names nothing');
    return [[rule, { code: 'found', at: 'answer', want, got: is.answer(200) }]];
  }

  /** The sentence about the only id of an update, if it names nothing; null where it may name something. */
  #rowOf(
    { carrier, enterprise }: Call,
    { checkin_id: main, webcheckin_id: alias, booking_id: booking }: JsonObject,
  ): string | null {
    const [id, ...more] = [main, alias, booking].filter((one) => one !== undefined);
    if (id === undefined || more.length > 0) return null;
    if (booking !== undefined) {
      const [, digits] = /^(\d+)[a-z]+$/i.exec(nameOf(booking) ?? '') ?? [];
      const isLonger = digits !== undefined && this.#histories.hasBooking(enterprise, digits);
      return this.#isMadeUp(booking) || isLonger ? 'WCI-UPD-009' : null;
    }
    if (this.#isMadeUp(id)) return carrier === 'multipart' ? 'WCI-MP-019' : 'WCI-UPD-008';
    const isBooking =
      typeof id === 'string' && /^\d+$/.test(id) && this.#histories.hasBooking(enterprise, id);
    return isBooking && !this.#histories.has(enterprise, id) ? 'WCI-UPD-054' : null;
  }

  #isMadeUp(id: Json | undefined): boolean {
    return this.#madeUp.has(nameOf(id) ?? '');
  }
}

const nothing: readonly Said[] = Object.freeze([]);

/** A made-up id may be one that another record has. */
function isAsked({ checkin_id: id, booking_id: number }: JsonObject, body: JsonObject): boolean {
  const { checkin_id: main, webcheckin_id: alias, booking_id: booking } = body;
  return id === (main ?? alias) || (booking !== undefined && nameOf(number) === nameOf(booking));
}
