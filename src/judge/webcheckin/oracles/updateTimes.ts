import type { Exchange } from '../../../core/evidence.ts';
import { checkinOperations } from '../../../core/operations.ts';
import { digestOf } from '../../../trace/digest.ts';
import { violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { RecentMap } from '../../kernel/recentMap.ts';
import { type Sample, sampleOf } from '../../kernel/sample.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { clockSlackMs } from '../clockSlack.ts';
import { plainField } from '../equalField.ts';
import { ofRecords, place, type ShownRecord } from '../records.ts';

const requirement = 'WCI-UPD-034';

/** What a record lacked at one of its times, as the first answer with that time showed it. */
interface State {
  readonly missing: string;
  readonly by: string;
  readonly knownSince: number;
}

/** Times of one record that are remembered: an update that does not move them repeats a recent one. */
const mostStates = 8;

/** An update that changed what is missing shows another last_updated than the record had before. */
export const updateTimes: Oracle = {
  id: 'update-times',
  title:
    'An update that changes what is missing moves last_updated, by whatever name and in whatever form it is sent',
  verifies: [requirement],
  operations: checkinOperations,
  answers: 'accepted',
  createWatch: () => {
    const histories = new RecentMap<string, Map<number, State>>();
    return {
      exchange: (exchange) =>
        ofRecords(exchange, (shown, samples) => {
          const sample = judge(exchange, shown, histories);
          if (sample) samples.push(sample);
        }),
      forgotten: () => histories.forgotten,
    };
  },
};

function judge(
  exchange: Exchange,
  shown: ShownRecord,
  histories: Map<string, Map<number, State>>,
): Sample | null {
  const { checkin_id: id, last_updated, missing_info: missing } = shown.record;
  const at = parseTimestamp(last_updated);
  if (exchange.enterprise === null || typeof id !== 'string' || at === null || !Array.isArray(missing))
    return null;
  const name = `${exchange.enterprise}/${id}`;
  const states = histories.get(name) ?? new Map<number, State>();
  histories.set(name, states);
  const now = digestOf(plainField('missing_info', missing));
  const before = states.get(at);
  if (before === undefined)
    note(states, at, { missing: now, by: exchange.id, knownSince: exchange.timings.received });
  if (shown.by !== 'update' || !before || before.missing === now) return null;
  if (exchange.timings.sent - before.knownSince < settledMs(at)) return null;
  const actual = `${place(shown, 'last_updated')} is ${new Date(at).toISOString()}, as ${before.by} showed it with another missing_info`;
  return sampleOf(requirement, violated('stays', 'a last_updated that moves with the update', actual));
}

/**
 * Two updates of one moment have one time: of a whole second where no smaller part of it is kept. A machine whose clock is
 * behind may keep to the time that another one wrote, since a time must not go back.
 */
function settledMs(at: number): number {
  return at % 1000 === 0 ? 1000 + clockSlackMs : clockSlackMs;
}

function note(states: Map<number, State>, at: number, state: State): void {
  const [oldest] = states.keys();
  if (states.size >= mostStates && oldest !== undefined) states.delete(oldest);
  states.set(at, state);
}
