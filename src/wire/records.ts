import type { WireRequest, WireResult } from '../send/transport.ts';
import type { Asked } from './asked.ts';
import { isMembers, readJson, textOf, type Json } from './json.ts';
import { identifierOf } from './subject.ts';

/** A check-in request that was made, by both its ids, with the key that made it. */
interface KnownRecord {
  readonly checkinId: string;
  readonly bookingId: Json;
  readonly key: string;
  /** The requests that were accepted about it, the last one first. */
  readonly writes: readonly WireRequest[];
}

/** Knows which records were made, and by whom. */
export class RecordBook {
  /** By each of its ids, in the order of their making. */
  readonly #records = new Map<string, KnownRecord>();

  note(request: WireRequest, { operation, key }: Asked, { outcome }: WireResult): void {
    if (outcome.kind === 'failure' || outcome.response.status !== 200 || key === null) return;
    if (operation !== 'wci.subscribe' && operation !== 'wci.update') return;
    const answer = readJson(outcome.response.body);
    const data = isMembers(answer) && isMembers(answer.data) ? answer.data : answer;
    if (!isMembers(data) || typeof data.checkin_id !== 'string') return;
    const { checkin_id: checkinId, booking_id: bookingId = null } = data;
    const known = this.#records.get(checkinId) ?? { checkinId, bookingId, key, writes: [] };
    const record = { ...known, writes: [request, ...known.writes].slice(0, 3) };
    this.#records.set(checkinId, record).set(textOf(bookingId), record);
  }

  /** The record that a request names. */
  of(asked: Pick<Asked, 'query' | 'body'>): KnownRecord | undefined {
    const identifier = identifierOf(asked);
    return identifier ? this.#records.get(identifier.value) : undefined;
  }

  /** Another record that one of these keys made. */
  besides({ checkinId }: KnownRecord, keys: readonly string[]): KnownRecord | undefined {
    return [...this.#records.values()].findLast(
      (one) => keys.includes(one.key) && one.checkinId !== checkinId,
    );
  }
}
