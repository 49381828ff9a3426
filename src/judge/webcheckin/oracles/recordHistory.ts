import { checkinOperations } from '../../../core/operations.ts';
import { CreationTimes } from '../../../spec/rules/creationTimes.ts';
import { identityRows, judgeAsked, judgeIds, judgeKind } from '../../../spec/rules/identity.ts';
import { judgeOwners, ownerRows } from '../../../spec/rules/owners.ts';
import { RecordTimes } from '../../../spec/rules/recordTimes.ts';
import { refusalRows, Refusals } from '../../../spec/rules/refusals.ts';
import { ForeignIds, foreignRows } from '../../../spec/rules/foreignIds.ts';
import { TwinBookings } from '../../../spec/rules/twinBookings.ts';
import { unknownRows, UnknownIds } from '../../../spec/rules/unknownIds.ts';
import type { Said } from '../../../spec/kernel/findings.ts';
import { SameStates, stateRows } from '../../../spec/rules/sameState.ts';
import { Histories } from '../../../spec/world/histories.ts';
import { Owners } from '../../../spec/world/owners.ts';
import { sightsIn } from '../../../spec/world/sights.ts';
import { callOf } from '../../../trace/call.ts';
import { nothingKnown, type Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOfSaid } from '../../kernel/sample.ts';

/** What the answers show of bookings, whoever made them: for those who do not see all requests as well. */
export const recordHistory: Oracle = {
  id: 'record-history',
  replaces: ['record-identity', 'update-times', 'refused-bookings', 'own-records', 'scoping'],
  title:
    'An answer shows the own record that was asked for, which keeps its ids and the time of its creation, and moves last_updated with what it is; none is shown that was refused, or is of another enterprise',
  verifies: [
    ...new Set([
      ...Object.values(identityRows),
      ...['WCI-LST-027', 'WCI-DT-028', 'WCI-DT-029', 'WCI-DT-035', 'WCI-UPD-034', 'WCI-UPD-050'],
      ...stateRows,
      ...refusalRows,
      ...ownerRows,
      ...unknownRows,
      ...foreignRows,
      ...['WCI-UPD-005', 'WCI-UPD-006'],
    ]),
  ],
  operations: checkinOperations,
  createWatch: (known = nothingKnown) => {
    const [histories, creations, refusals] = [new Histories(known), new CreationTimes(), new Refusals()];
    const owners = new Owners();
    const times = new RecordTimes(creations);
    const states = new SameStates();
    const unknown = new UnknownIds(histories);
    const foreign = new ForeignIds(owners, unknown);
    const twins = new TwinBookings(known.isAlone === true);
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (!call?.op.startsWith('wci.')) return noSamples;
        creations.learn(call);
        const kept = refusals.learn(call);
        owners.learn(call);
        const said = [
          ...judgeOwners(call, owners),
          ...unknown.judge(call),
          ...foreign.judge(call),
          ...twins.judge(call),
          ...(kept === null ? [] : [[kept, null] as const]),
        ];
        const samples = said.map(sampleOfSaid);
        const say = (said: Said) => void samples.push(sampleOfSaid(said));
        const sights = sightsIn(exchange);
        for (const sight of sights) {
          judgeAsked(sight, histories, say);
          judgeKind(sight, say);
          refusals.see(sight);
          const history = histories.of(sight);
          if (!history) continue;
          judgeIds(sight, history, say);
          times.judge(sight, history, say);
          states.judge(sight, history, say);
        }
        if (call.op === 'wci.list') refusals.judge(call, say);
        return samples.length === 0 ? noSamples : samples;
      },
      note: (note) => {
        unknown.note(note);
        if (note.type === 'step') owners.step(note);
      },
      end: () => [...creations.end(), ...refusals.end()].map(sampleOfSaid),
      forgotten: () => histories.forgotten + refusals.forgotten + owners.forgotten,
    };
  },
};
