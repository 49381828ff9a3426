import { checkinOperations } from '../../../core/operations.ts';
import type { Exchange } from '../../../core/evidence.ts';
import { describeResponse } from '../../kernel/answer.ts';
import { dateOf, responseOf, type JsonObject } from '../../kernel/body.ts';
import { violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { callOf } from '../../../trace/call.ts';
import { noSamples, type Sample, sampleOf } from '../../kernel/sample.ts';
import { shownRecords } from '../records.ts';
import { RecentMap } from '../../kernel/recentMap.ts';

/** A record of an enterprise, as one of its answers named it. */
interface Known {
  readonly enterprise: string;
  readonly by: string;
  readonly at: number;
  /** The deployment's own time, which may be moved; null where it shows none. */
  readonly date: number | null;
}

/** An enterprise finds each record that it was shown. */
export const ownRecords: Oracle = {
  id: 'own-records',
  title: 'An enterprise finds each record that it was shown, and its id does not count as malformed',
  verifies: ['WCI-STS-001', 'WCI-STS-002', 'WCI-UPD-044'],
  operations: checkinOperations,
  createWatch: () => {
    const known = new RecentMap<string, Known>();
    return {
      exchange: (exchange) => {
        note(exchange, known);
        return judge(exchange, known);
      },
      forgotten: () => known.forgotten,
    };
  },
};

function note(exchange: Exchange, known: Map<string, Known>): void {
  const { enterprise, id: by, timings } = exchange;
  if (enterprise === null) return;
  for (const { record } of shownRecords(exchange)) {
    const { checkin_id: id } = record;
    if (typeof id === 'string' && !known.has(id))
      known.set(id, { enterprise, by, at: timings.received, date: answeredAt(exchange) });
  }
}

/** A record may be deleted long after it was made. */
const keptMs = 12 * 3_600_000;

function judge(exchange: Exchange, known: ReadonlyMap<string, Known>): readonly Sample[] {
  const status = responseOf(exchange)?.status;
  const asked = status === 404 || status === 400 ? askedFor(exchange) : null;
  const record = asked && known.get(asked.id);
  if (!asked || record?.enterprise !== exchange.enterprise) return noSamples;
  // Whoever was given the id is neither unknown nor foreign from then on.
  if (exchange.timings.sent < record.at || !isKept(record, exchange)) return noSamples;
  // An update that is malformed otherwise is not judged.
  if (status === 400 && asked.requirement === 'WCI-UPD-044') return noSamples;
  const actual = `${describeResponse(exchange)}, though ${record.by} showed it to the same enterprise`;
  return [sampleOf(asked.requirement, violated('lost', 'the record to be found', actual))];
}

function isKept({ date }: Known, exchange: Exchange): boolean {
  const now = answeredAt(exchange);
  return date !== null && now !== null && Math.abs(now - date) < keptMs;
}

function answeredAt(exchange: Exchange): number | null {
  const response = responseOf(exchange);
  return response && dateOf(response);
}

/** The one record that a request names, by an id alone. */
function askedFor(exchange: Exchange): { readonly id: string; readonly requirement: string } | null {
  const call = callOf(exchange);
  if (call?.op === 'wci.status') return namedIn(call.query);
  // What is read of the parts of an update is open, but for passengers and payload.
  const body = call?.op === 'wci.update' && call.carrier !== 'multipart' ? call.body : null;
  if (!body || body.booking_id !== undefined) return null;
  const ids = [body.checkin_id, body.webcheckin_id].filter((id) => typeof id === 'string');
  const [id] = ids;
  return id !== undefined && ids.length === 1 ? { id, requirement: 'WCI-UPD-044' } : null;
}

function namedIn({ checkin_id: main, checkinId: alias, ...more }: JsonObject) {
  const id = main ?? alias;
  if (typeof id !== 'string' || (main !== undefined && alias !== undefined) || Object.keys(more).length > 0)
    return null;
  return { id, requirement: main === undefined ? 'WCI-STS-002' : 'WCI-STS-001' };
}
