import { Findings } from '../../../spec/kernel/findings.ts';
import { CallbackKeys } from '../../../spec/rules/callbackKeys.ts';
import { judgeShownLeg, LegOrders } from '../../../spec/rules/legOrders.ts';
import { shownLegs } from '../../../spec/world/legs.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { samplesOfFindings } from '../../kernel/sample.ts';

/** What an answer about a flight says by what was asked and answered before. A judgement never contains key values. */
export const callbackKeys: Oracle = {
  id: 'callback-keys',
  replaces: ['lookup-privacy'],
  title:
    'callbackApiKey is returned once, to the subscribe that first registers a callback, and no lookup shows it',
  verifies: [
    ...['FLA-GET-007', 'FLA-GET-030', 'FLA-SUB-002', 'FLA-SUB-004', 'FLA-SUB-005', 'FLA-SUB-006'],
    ...['FLA-SUB-029', 'FLA-CB-028', 'FLA-CBR-019'],
  ],
  operations: ['fla.lookup', 'fla.subscribe'],
  answers: 'accepted',
  createWatch: () => {
    const [keys, orders] = [new CallbackKeys(), new LegOrders()];
    return {
      exchange: (exchange) => {
        const findings = new Findings();
        if (exchange.operation === 'fla.subscribe') {
          keys.subscribe(exchange, findings);
          judgeShownLeg(exchange, findings);
        } else if (exchange.operation === 'fla.lookup') {
          orders.judge(exchange, findings);
          for (const { at, leg } of shownLegs(exchange)) keys.lookup(leg, at, findings);
        }
        return samplesOfFindings(findings);
      },
      forgotten: () => keys.forgotten,
    };
  },
};
