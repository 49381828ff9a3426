import type { Exchange } from '../../core/evidence.ts';
import { responseValue } from '../kernel/answer.ts';
import { responseOf } from '../kernel/body.ts';
import { holds, differs } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import * as is from '../../spec/kernel/value.ts';
import { noSamples, sampleOf } from '../kernel/sample.ts';

const requirement = 'SHR-AUT-014';
const keyHeader = 'x-api-key';

interface Refused {
  readonly exchange: Exchange;
  /** The earlier request with the same key that was accepted; null if there is none. */
  readonly before: string | null;
}

/**
 * A key that was accepted before and after a refusal was not revoked in between; a key that existed before the run only
 * needs to be accepted after it. Only keys of the pools: a check may revoke its own, and one node may learn of that
 * later than another.
 */
export const steadyKeys: Oracle = {
  id: 'steady-keys',
  title: 'A key that is accepted before and after is accepted all the time',
  verifies: [requirement],
  createWatch: () => {
    const letIn = new Map<string, string>();
    const refused = new Map<string, Refused>();
    return {
      exchange: (exchange) => {
        const { key, enterprise, id } = exchange;
        const status = responseOf(exchange)?.status;
        const isOfPool = enterprise === 'primary' || enterprise === 'other';
        if (key === null || !isOfPool || !isPlain(exchange)) return noSamples;
        const before = letIn.get(key);
        if (status === 401 && (before !== undefined || isGiven(key)) && !refused.has(key))
          refused.set(key, { exchange, before: before ?? null });
        if (status !== 200) return noSamples;
        letIn.set(key, id);
        const doubt = refused.get(key);
        refused.delete(key);
        if (doubt) return [unsteady(doubt, exchange)];
        return before === undefined ? noSamples : [sampleOf(requirement, holds)];
      },
    };
  },
};

/** A key that was given for the run. One that was issued during it may reach one node later than another. */
function isGiven(key: string): boolean {
  return /^(primary|other)#\d+$/.test(key);
}

/** A key that is sent once, in its header. */
function isPlain({ request }: Exchange): boolean {
  let count = 0;
  for (const header of request.headers)
    if (header[0].length === keyHeader.length && header[0].toLowerCase() === keyHeader) count += 1;
  return count === 1;
}

function unsteady({ exchange, before }: Refused, after: Exchange) {
  const good = before === null ? `before ${after.id}` : `between ${before} and ${after.id}`;
  const judgement = differs(
    'key',
    'answer',
    is.noted(is.accepted, 'since a key stays valid'),
    is.noted(responseValue(exchange), `${good}, where the same key was accepted`),
    [...(before === null ? [] : [{ id: before }]), after, exchange],
  );
  return { ...sampleOf(requirement, judgement), evidence: [exchange, after] };
}
