import { checkinOperations } from '../../../core/operations.ts';
import { Blame } from '../../../spec/kernel/blame.ts';
import type { Violation } from '../../../spec/kernel/violation.ts';
import { judgeSight, keepRefusal, sightsIn } from '../../../spec/rules/records.ts';
import { Bookings } from '../../../spec/world/bookings.ts';
import { asValue } from '../../../spec/wording/spoken.ts';
import { callOf } from '../../../trace/call.ts';
import { isNote } from '../../../trace/evidence.ts';
import { violated } from '../../kernel/judgement.ts';
import { nothingKnown, type Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOf, type Sample } from '../../kernel/sample.ts';

/** A booking is as the requests of its enterprise have made it; which sentence is broken is known at the end. */
export const knownBookings: Oracle = {
  id: 'known-bookings',
  title: 'A booking is as its requests have made it, whatever answer shows it',
  // WCI-STS-002, WCI-STS-008, WCI-SUB-005, WCI-SUB-014 and WCI-LST-020 are judged by other oracles as well.
  verifies: [
    ...['WCI-MP-002', 'WCI-MP-011'],
    ...Array.from({ length: 14 }, (_, index) => `WCI-RDY-${String(index + 1).padStart(3, '0')}`),
    ...['WCI-RDY-016', 'WCI-RDY-020', 'WCI-RDY-021', 'WCI-RDY-022', 'WCI-RDY-023'],
    ...['WCI-STS-007', 'WCI-STS-009', 'WCI-STS-011', 'WCI-STS-013'],
    ...[
      'WCI-SUB-003',
      'WCI-SUB-012',
      'WCI-SUB-017',
      'WCI-SUB-018',
      'WCI-SUB-037',
      'WCI-SUB-038',
      'WCI-SUB-065',
      'WCI-SUB-074',
    ],
    ...['WCI-UPD-014', 'WCI-UPD-018', 'WCI-UPD-019', 'WCI-UPD-026', 'WCI-UPD-027', 'WCI-UPD-029'],
    ...[
      'WCI-UPD-030',
      'WCI-UPD-033',
      'WCI-UPD-036',
      'WCI-UPD-037',
      'WCI-UPD-045',
      'WCI-UPD-047',
      'WCI-SCP-006',
    ],
  ],
  operations: checkinOperations,
  needs: 'writes',
  createWatch: (known = nothingKnown) => {
    const [world, blame] = [new Bookings(known), new Blame()];
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (!call) return noSamples;
        keepRefusal(call, blame);
        world.learn(call);
        for (const sight of sightsIn(call)) {
          const booking = world.of(call.enterprise, sight.shown.checkin_id);
          if (!booking) continue;
          // An update is judged by what is read later: what its own answer shows is open.
          if (sight.by !== 'update') judgeSight(sight, booking, world, blame);
          world.see(sight, booking);
        }
        return noSamples;
      },
      note: (note) => {
        if (note.type === 'step') world.step(note);
      },
      end: () => blame.end().map(toSample),
      forgotten: () => world.forgotten,
    };
  },
};

function toSample({ rule, code, at, want, got, because }: Violation): Sample {
  const by = because.flatMap((one) => (isNote(one) ? [] : [one]));
  return {
    ...sampleOf(rule, violated(code, { at, want: asValue(want), got: asValue(got), because: by })),
    evidence: by.toReversed(),
  };
}
