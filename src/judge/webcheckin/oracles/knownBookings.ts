import { callOf } from '../../../trace/call.ts';
import { Blame } from '../../../spec/kernel/blame.ts';
import type { Violation } from '../../../spec/kernel/violation.ts';
import { judgeSight, keepRefusal, sightsIn } from '../../../spec/rules/records.ts';
import { Bookings } from '../../../spec/world/bookings.ts';
import { checkinOperations } from '../../../core/operations.ts';
import { violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOf, type Sample } from '../../kernel/sample.ts';

export const knownBookings: Oracle = {
  id: 'known-bookings',
  title: 'A booking is as its requests have made it, whatever answer shows it',
  verifies: [],
  operations: checkinOperations,
  createWatch: () => {
    const [world, blame] = [new Bookings(), new Blame()];
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (!call) return noSamples;
        keepRefusal(call, blame);
        const sights = sightsIn(call);
        const before = sights.map(({ shown }) => world.of(call.enterprise, shown.checkin_id));
        world.learn(call);
        const found = sights.flatMap((sight, at) => {
          const booking = world.of(call.enterprise, sight.shown.checkin_id);
          if (!booking) return [];
          const violations = call.op === 'wci.update' && before[at] ? [] : judgeSight(sight, booking, world, blame);
          world.see(sight, booking);
          return violations;
        });
        return found.length === 0 ? noSamples : found.map(toSample);
      },
      step: (step: any) => { world.step(step); return noSamples; },
      end: () => blame.end().map(toSample),
    } as any;
  },
};

function toSample({ rule, code, at, want, got, because }: Violation): Sample {
  return { ...sampleOf(rule, violated(code, `${at} ${want}`, `${at} ${got}`)), evidence: because.slice(-1) as any };
}
