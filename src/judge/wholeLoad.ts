import { Behind } from '../spec/rules/behind.ts';
import { judgePasses } from '../spec/rules/passes.ts';
import { Simultaneous } from '../spec/rules/simultaneous.ts';
import { UnitsTaken } from '../spec/rules/unitsTaken.ts';
import { sightsIn } from '../spec/world/sights.ts';
import { eventOf } from '../spec/world/webhookEvent.ts';
import { callOf } from '../trace/call.ts';
import type { Oracle } from './kernel/oracle.ts';
import { noSamples, sampleOfSaid } from './kernel/sample.ts';

/**
 * What shows only while many requests are under way, over all processes that send them. `isAlone` says of an enterprise that
 * nobody else subscribes for it.
 */
export function wholeLoad(isAlone: (enterprise: string) => boolean = () => false): Oracle {
  return {
    id: 'whole-load',
    title: 'Requests of a load that overlap do not get in the way of each other',
    verifies: [
      ...['WCI-SUB-021', 'FLA-SUB-029', 'WCI-QTA-001', 'WCI-QTA-002', 'WCI-QTA-010'],
      ...['WCI-CB-020', 'WCI-CB-011', 'WCI-DT-029', 'WCI-STS-011'],
    ],
    createWatch: () => {
      const [simultaneous, behind] = [new Simultaneous(), new Behind()];
      const units = new Map<string, UnitsTaken>();
      const unitsOf = (enterprise: string) => {
        const known = units.get(enterprise) ?? new UnitsTaken(isAlone(enterprise));
        units.set(enterprise, known);
        return known;
      };
      return {
        exchange: (exchange) => {
          const call = callOf(exchange);
          if (!call) return noSamples;
          const { op, enterprise } = call;
          const passes = sightsIn(exchange).flatMap(({ untyped: shown }) =>
            judgePasses('WCI-STS-011', shown.checkin_id, shown.boarding_passes),
          );
          const taken = op === 'wci.subscribe' && enterprise !== null ? unitsOf(enterprise).judge(call) : [];
          return [...simultaneous.judge(call), ...behind.judge(call), ...passes, ...taken].map(sampleOfSaid);
        },
        delivery: (delivery) => {
          behind.note(delivery);
          const event = eventOf(delivery);
          return judgePasses('WCI-CB-011', event?.checkinId, event?.changes.boarding_passes).map(
            sampleOfSaid,
          );
        },
        end: () => [...units.values()].flatMap((one) => one.end()).map(sampleOfSaid),
        forgotten: () => [behind, ...units.values()].reduce((sum, { forgotten }) => sum + forgotten, 0),
      };
    },
  };
}
