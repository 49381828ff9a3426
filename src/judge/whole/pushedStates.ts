import type { Delivery } from '../../core/evidence.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { clockSlackMs } from '../webcheckin/clockSlack.ts';
import { eventOf } from '../../spec/world/webhookEvent.ts';

/** What webhooks last reported of a record: the clocks that write their times may differ, so any of several may be the last. */
interface Pushed {
  /** The latest time at which each status was reported. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly occurredAt: number;
  /** The one with the latest time. */
  readonly delivery: Delivery;
}

/** The state of each record, as webhooks last reported it. */
export class PushedStates {
  readonly #latest = new RecentMap<string, Pushed>();

  note(delivery: Delivery): void {
    const event = eventOf(delivery);
    const status = event?.changes.status;
    if (event?.checkinId == null || event.occurredAt === null || typeof status !== 'string') return;
    const known = this.#latest.get(event.checkinId);
    const isLatest = known === undefined || event.occurredAt > known.occurredAt;
    const occurredAt = isLatest ? event.occurredAt : known.occurredAt;
    const all = new Map(known?.statuses);
    all.set(status, Math.max(event.occurredAt, all.get(status) ?? event.occurredAt));
    const statuses = new Map([...all].filter(([, at]) => at >= occurredAt - clockSlackMs));
    this.#latest.set(event.checkinId, {
      ...{ statuses, occurredAt },
      delivery: isLatest ? delivery : known.delivery,
    });
  }

  get forgotten(): number {
    return this.#latest.forgotten;
  }

  of(checkinId: string): Pushed | null {
    return this.#latest.get(checkinId) ?? null;
  }
}
