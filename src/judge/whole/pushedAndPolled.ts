import type { Delivery, Exchange } from '../../core/evidence.ts';
import { holds, violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { describeValue } from '../kernel/rule.ts';
import { sampleOf, type Sample } from '../kernel/sample.ts';
import { shownRecords } from '../webcheckin/records.ts';
import { eventOf } from '../webcheckin/webhookEvent.ts';
import { RecentMap } from '../kernel/recentMap.ts';

const requirement = 'WCI-CB-020';

/** How long after a webhook a status may still come from a copy that is not up to date. */
const lagMs = 5000;

/** What was pushed of a record last. */
interface Pushed {
  readonly status: string;
  readonly occurredAt: number;
  readonly delivery: Delivery;
}

/** A status that is asked for well after a webhook shows the state that the webhook told of, or a later one. */
export const pushedAndPolled: Oracle = {
  id: 'pushed-and-polled',
  title: 'A status is never behind what a webhook said long before',
  verifies: [requirement],
  createWatch: () => {
    const pushed = new RecentMap<string, Pushed>();
    return {
      delivery: (delivery) => {
        note(delivery, pushed);
        return [];
      },
      exchange: (exchange) => (exchange.operation === 'wci.status' ? judge(exchange, pushed) : []),
      forgotten: () => pushed.forgotten,
    };
  },
};

function note(delivery: Delivery, pushed: Map<string, Pushed>): void {
  const event = eventOf(delivery);
  const status = event?.changes.status;
  if (event?.checkinId == null || event.occurredAt === null || typeof status !== 'string') return;
  const known = pushed.get(event.checkinId);
  // A repeated or late delivery of an earlier change says nothing new.
  if (known && known.occurredAt >= event.occurredAt) return;
  pushed.set(event.checkinId, { status, occurredAt: event.occurredAt, delivery });
}

function judge(exchange: Exchange, pushed: ReadonlyMap<string, Pushed>): readonly Sample[] {
  return shownRecords(exchange).flatMap(({ record }) => {
    const known = typeof record.checkin_id === 'string' ? pushed.get(record.checkin_id) : undefined;
    if (!known || exchange.timings.sentAt < known.delivery.receivedAt + lagMs) return [];
    const updated = typeof record.last_updated === 'string' ? Date.parse(record.last_updated) : Number.NaN;
    // Something may have moved it on without a webhook having come yet.
    if (record.status === known.status) return [sampleOf(requirement, holds)];
    if (!(updated < known.occurredAt)) return [];
    const expected = `status ${known.status}, which a webhook had told of ${Math.round((exchange.timings.sentAt - known.delivery.receivedAt) / 1000)} s before`;
    return [
      {
        ...sampleOf(
          requirement,
          violated(
            'behind',
            expected,
            `${describeValue(record.status)}, last updated ${describeValue(record.last_updated)}`,
          ),
        ),
        evidence: [exchange, known.delivery],
      },
    ];
  });
}
