import { objectOf, responseOf, isObject } from '../../kernel/body.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { breaks, keeps, noSamples, undecided } from '../../kernel/sample.ts';

const requirement = 'WCI-QTA-009';

/** The quota that an accepted subscribe shows. */
export const quotaSnapshot: Oracle = {
  id: 'quota-snapshot',
  title: 'No subscribe is accepted beyond the quota',
  verifies: [requirement],
  createOracle: () => (exchange) => {
    if (exchange.operation !== 'wci.subscribe' || responseOf(exchange)?.status !== 200) return noSamples;
    const { message, quota } = objectOf(exchange) ?? {};
    if (!isObject(quota)) return noSamples;
    const { included_units: included, consumed_units: consumed } = quota;
    if (typeof included !== 'number' || typeof consumed !== 'number' || message === 'REJECTED')
      return noSamples;
    if (consumed <= included) return [keeps(requirement)];
    const actual = `${consumed} of ${included} units consumed after message ${JSON.stringify(message)}`;
    // A negative number is a way to say unlimited; a repeated subscribe is served also after units were taken away.
    if (included < 0 || message !== 'SCHEDULED') return [undecided(requirement, `${exchange.id}: ${actual}`)];
    return [breaks(requirement, 'overrun', 'consumed_units at most included_units', actual)];
  },
};
