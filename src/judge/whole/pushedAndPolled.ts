import type { Exchange } from '../../core/evidence.ts';
import { holds, violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { describeValue } from '../kernel/rule.ts';
import { sampleOf, type Sample } from '../kernel/sample.ts';
import { shownRecords } from '../webcheckin/records.ts';
import { clockSlackMs } from '../webcheckin/clockSlack.ts';
import * as is from '../../spec/kernel/value.ts';
import { PushedStates } from './pushedStates.ts';

const requirement = 'WCI-CB-020';

/** How long after a webhook a status may still come from a copy that is not up to date. */
const lagMs = 5000;

/** A status that is read well after a webhook shows the state that the webhook reported, or a later one. */
export const pushedAndPolled: Oracle = {
  id: 'pushed-and-polled',
  title: 'A status is never behind what a webhook said long before',
  verifies: [requirement],
  createWatch: () => {
    const pushed = new PushedStates();
    return {
      delivery: (delivery) => {
        pushed.note(delivery);
        return [];
      },
      exchange: (exchange) => (exchange.operation === 'wci.status' ? judge(exchange, pushed) : []),
      forgotten: () => pushed.forgotten,
    };
  },
};

function judge(exchange: Exchange, pushed: PushedStates): readonly Sample[] {
  return shownRecords(exchange).flatMap(({ record }) => {
    const known = typeof record.checkin_id === 'string' ? pushed.of(record.checkin_id) : null;
    if (!known || exchange.timings.sentAt < known.delivery.receivedAt + lagMs) return [];
    const updated = typeof record.last_updated === 'string' ? Date.parse(record.last_updated) : Number.NaN;
    // It may have moved on, with the webhook still to come.
    if (typeof record.status === 'string' && known.statuses.has(record.status))
      return [sampleOf(requirement, holds)];
    if (!(updated < known.occurredAt - clockSlackMs)) return [];
    const since = Math.round((exchange.timings.sentAt - known.delivery.receivedAt) / 1000);
    const want = is.oneOf(...known.statuses.keys());
    const updatedAt = `last updated ${describeValue(record.last_updated)}`;
    return [
      {
        ...sampleOf(
          requirement,
          violated('behind', {
            at: 'status',
            want: is.noted(want, `which a webhook had reported ${since} s earlier`),
            got: is.noted(is.value(record.status), updatedAt),
            because: [known.delivery, exchange],
          }),
        ),
        evidence: [exchange, known.delivery],
      },
    ];
  });
}
