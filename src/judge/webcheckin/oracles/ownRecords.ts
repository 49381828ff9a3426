import { checkinOperations } from '../../../core/operations.ts';
import { judgeOwners } from '../../../spec/rules/owners.ts';
import { Owners } from '../../../spec/world/owners.ts';
import { callOf } from '../../../trace/call.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOfSaid } from '../../kernel/sample.ts';

/** A record belongs to the enterprise that made it: that one finds it, and no other is shown it. */
export const ownRecords: Oracle = {
  id: 'own-records',
  replaces: ['scoping'],
  title: 'An enterprise finds each record that it was shown, and is shown none of another enterprise',
  verifies: [
    ...[
      'WCI-STS-001',
      'WCI-STS-002',
      'WCI-UPD-044',
      'WCI-LST-023',
      'WCI-SCP-001',
      'WCI-SCP-002',
      'WCI-MP-019',
    ],
    ...['WCI-SCP-003', 'WCI-SCP-007', 'WCI-SCP-008', 'WCI-SCP-011', 'WCI-SCP-013'],
  ],
  operations: checkinOperations,
  createWatch: () => {
    const owners = new Owners();
    return {
      exchange: (exchange) => {
        const call = callOf(exchange);
        if (!call?.op.startsWith('wci.')) return noSamples;
        owners.learn(call);
        const said = judgeOwners(call, owners);
        return said.length === 0 ? noSamples : said.map(sampleOfSaid);
      },
      forgotten: () => owners.forgotten,
    };
  },
};
