import type { Exchange } from '../../../core/evidence.ts';
import { objectOf, responseOf, isObject } from '../../kernel/body.ts';
import { holds, notApplicable, unclear, violated } from '../../kernel/judgement.ts';
import type { Oracle } from '../../kernel/oracle.ts';
import { noSamples, sampleOf, type Sample } from '../../kernel/sample.ts';

const requirement = 'WCI-QTA-009';

/** The quota that an accepted subscribe shows. */
export const quotaSnapshot: Oracle = {
  id: 'quota-snapshot',
  title: 'No subscribe is accepted beyond the quota',
  verifies: [requirement],
  operations: ['wci.subscribe'],
  answers: 'accepted',
  createWatch: () => ({ exchange: judge }),
};

function judge(exchange: Exchange): readonly Sample[] {
  if (exchange.operation !== 'wci.subscribe' || responseOf(exchange)?.status !== 200) return noSamples;
  const body = objectOf(exchange);
  if (!body) return noSamples;
  const { message, quota = null } = body;
  if (quota === null) return [sampleOf(requirement, notApplicable)];
  if (!isObject(quota)) return noSamples;
  const { included_units: included, consumed_units: consumed } = quota;
  if (typeof included !== 'number' || typeof consumed !== 'number' || message === 'REJECTED')
    return noSamples;
  if (consumed <= included) return [sampleOf(requirement, holds)];
  const actual = `${consumed} of ${included} units consumed after message ${JSON.stringify(message)}`;
  // A negative number is a way to say unlimited; a repeated subscribe is served also after units were taken away.
  if (included < 0 || message !== 'SCHEDULED')
    return [sampleOf(requirement, unclear(`${exchange.id}: ${actual}`))];
  return [sampleOf(requirement, violated('overrun', 'consumed_units at most included_units', actual))];
}
