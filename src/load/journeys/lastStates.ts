import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../../judge/kernel/recentMap.ts';
import type { WebhookEvent } from '../../spec/world/webhookEvent.ts';

interface Last {
  readonly status: string;
  readonly delivery: Delivery;
}

/**
 * The last state of each record that a journey changes. A journey causes a change once the webhook of the previous one has come,
 * so their order is known without any clock; a later webhook that is not a repetition makes it uncertain.
 */
export class LastStates {
  readonly #records = new RecentMap<string, { last: Last | null; readonly seen: Set<string> }>();

  /** `isOfChange`: whether it is the first webhook of a change that a journey waits for. */
  note({ checkinId, changes, occurredAt, delivery }: WebhookEvent, isOfChange: boolean): void {
    const { status } = changes;
    if (checkinId === null || typeof status !== 'string') return;
    const record = this.#records.get(checkinId) ?? { last: null, seen: new Set() };
    const name = `${status} ${occurredAt ?? ''}`;
    if (isOfChange) record.last = { status, delivery };
    else if (!record.seen.has(name)) record.last = null;
    record.seen.add(name);
    this.#records.set(checkinId, record);
  }

  /** Null if unknown. */
  of(checkinId: string): Last | null {
    return this.#records.get(checkinId)?.last ?? null;
  }
}
