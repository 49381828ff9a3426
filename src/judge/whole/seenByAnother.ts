import type { Exchange } from '../../core/evidence.ts';
import { holds, violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { RecentMap } from '../kernel/recentMap.ts';
import { noSamples, sampleOf, type Sample } from '../kernel/sample.ts';
import { parseTimestamp } from '../kernel/timestamp.ts';
import { clockSlackMs } from '../webcheckin/clockSlack.ts';
import * as is from '../../spec/kernel/value.ts';
import { shownRecords } from '../webcheckin/records.ts';

const requirement = 'WCI-DT-029';

/** How long after one sender saw a change another may be answered from a copy that is not up to date. */
const lagMs = 5000;

/** The latest last_updated of a record, and which sender saw it first. */
interface Latest {
  readonly value: number;
  readonly sender: string;
  readonly exchange: Exchange;
}

/**
 * After one sender of a load has seen a state of a record, another does not see an older one long after. The answers to one
 * sender are judged by that sender.
 */
export const seenByAnother: Oracle = {
  id: 'seen-by-another',
  title: 'A status is never behind what another sender of the load was shown long before',
  verifies: [requirement],
  createWatch: () => {
    const records = new RecentMap<string, Latest>();
    return {
      exchange: (exchange) => (exchange.operation === 'wci.status' ? judge(exchange, records) : noSamples),
      forgotten: () => records.forgotten,
    };
  },
};

function judge(exchange: Exchange, records: Map<string, Latest>): readonly Sample[] {
  const { enterprise, timings } = exchange;
  const sender = senderOf(exchange);
  if (enterprise === null || sender === null) return noSamples;
  return shownRecords(exchange).flatMap(({ record }) => {
    const value = parseTimestamp(record.last_updated);
    if (value === null || typeof record.checkin_id !== 'string') return [];
    const name = `${enterprise}/${record.checkin_id}`;
    const latest = records.get(name);
    if (latest === undefined || value > latest.value) records.set(name, { value, sender, exchange });
    if (latest === undefined || latest.sender === sender) return [];
    if (timings.sent < latest.exchange.timings.received + lagMs) return [];
    if (value >= latest.value - clockSlackMs) return [sampleOf(requirement, holds)];
    const since = Math.round((timings.sent - latest.exchange.timings.received) / 1000);
    const note = `or later, which another sender had been shown ${since} s before`;
    const judgement = violated('behind-another', {
      at: 'last_updated',
      want: is.noted(is.value(iso(latest.value)), note),
      got: is.value(iso(value)),
      because: [latest.exchange, exchange],
    });
    return [{ ...sampleOf(requirement, judgement), evidence: [exchange, latest.exchange] }];
  });
}

/** Exchanges of other senders have the sender's name before the last `/` of their id. */
function senderOf({ id }: Exchange): string | null {
  const end = id.lastIndexOf('/');
  return end < 0 ? null : id.slice(0, end);
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
