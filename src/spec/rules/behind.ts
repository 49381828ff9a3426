import type { Delivery, Exchange } from '../../core/evidence.ts';
import { RecentMap } from '../../core/recentMap.ts';
import { isObject } from '../../trace/body.ts';
import type { Call } from '../../trace/call.ts';
import { parseTimestamp } from '../kit/timestamp.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';
import { clockSlackMs } from '../world/toldChanges.ts';
import { eventOf } from '../world/webhookEvent.ts';

/** How long a status may still come from a copy that is not up to date. */
const lagMs = 5000;

/** What webhooks last reported of a record: the clocks that write their times may differ, so any of several may be the last. */
interface Pushed {
  /** The latest time at which each status was reported. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly occurredAt: number;
  /** The one with the latest time. */
  readonly delivery: Delivery;
}

/** The latest last_updated of a record, and which sender saw it first. */
interface Latest {
  readonly updatedAt: number;
  readonly sender: string;
  readonly exchange: Exchange;
}

/** A status is not behind what a webhook or another sender of a load was told of the record long before. */
export class Behind {
  readonly #pushed = new RecentMap<string, Pushed>();
  readonly #latest = new RecentMap<string, Latest>();

  note(delivery: Delivery): void {
    const event = eventOf(delivery);
    const status = event?.changes.status;
    if (event?.checkinId == null || event.occurredAt === null || typeof status !== 'string') return;
    const known = this.#pushed.get(event.checkinId);
    const isLatest = known === undefined || event.occurredAt > known.occurredAt;
    const occurredAt = isLatest ? event.occurredAt : known.occurredAt;
    const all = new Map(known?.statuses);
    all.set(status, Math.max(event.occurredAt, all.get(status) ?? event.occurredAt));
    const statuses = new Map([...all].filter(([, at]) => at >= occurredAt - clockSlackMs));
    this.#pushed.set(event.checkinId, {
      statuses,
      occurredAt,
      delivery: isLatest ? delivery : known.delivery,
    });
  }

  judge({ op, status, answer, exchange, enterprise, sentAt }: Call): readonly Said[] {
    if (op !== 'wci.status' || status !== 200 || !isObject(answer)) return [];
    const { checkin_id: id, last_updated: updated, status: shown } = answer;
    if (typeof id !== 'string') return [];
    const pushed = this.#pushed.get(id);
    const isDue = pushed !== undefined && sentAt >= pushed.delivery.receivedAt + lagMs;
    const one = { exchange, updated, status: shown };
    const ofOthers = enterprise === null ? [] : this.#judgeOthers(`${enterprise}/${id}`, one);
    return isDue ? [...judgePushed(pushed, one), ...ofOthers] : ofOthers;
  }

  get forgotten(): number {
    return this.#pushed.forgotten + this.#latest.forgotten;
  }

  /** The answers to one sender are judged by that sender. */
  #judgeOthers(name: string, { exchange, updated }: Shown): readonly Said[] {
    const [sender, updatedAt] = [senderOf(exchange), parseTimestamp(updated)];
    if (sender === null || updatedAt === null) return [];
    const latest = this.#latest.get(name);
    if (latest === undefined || updatedAt > latest.updatedAt)
      this.#latest.set(name, { updatedAt, sender, exchange });
    if (latest === undefined || latest.sender === sender) return [];
    const sinceMs = exchange.timings.sent - latest.exchange.timings.received;
    if (sinceMs < lagMs) return [];
    if (updatedAt >= latest.updatedAt - clockSlackMs) return [['WCI-DT-029', null]];
    const note = `or later, which another sender had been shown ${Math.round(sinceMs / 1000)} s before`;
    const want = is.noted(is.value(new Date(latest.updatedAt).toISOString()), note);
    const because = [latest.exchange, exchange];
    const at = 'last_updated';
    return [['WCI-DT-029', { code: 'behind-another', at, want, got: is.value(updated), because }]];
  }
}

interface Shown {
  readonly exchange: Exchange;
  readonly updated: unknown;
  readonly status: unknown;
}

function judgePushed(
  { statuses, occurredAt, delivery }: Pushed,
  { exchange, updated, status }: Shown,
): readonly Said[] {
  if (typeof status === 'string' && statuses.has(status)) return [['WCI-CB-020', null]];
  // It may have moved on, with the webhook still to come.
  const updatedAt = typeof updated === 'string' ? Date.parse(updated) : Number.NaN;
  if (!(updatedAt < occurredAt - clockSlackMs)) return [];
  const seconds = Math.round((exchange.timings.sentAt - delivery.receivedAt) / 1000);
  const want = is.noted(is.oneOf(...statuses.keys()), `which a webhook had reported ${seconds} s earlier`);
  const got = is.noted(is.value(status), `last updated ${String(updated)}`);
  return [['WCI-CB-020', { code: 'behind', at: 'status', want, got, because: [delivery, exchange] }]];
}

/** Exchanges of other senders have the sender's name before the last `/` of their id. */
function senderOf({ id }: Exchange): string | null {
  const end = id.lastIndexOf('/');
  return end < 0 ? null : id.slice(0, end);
}
