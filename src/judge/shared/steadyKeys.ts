import type { Exchange } from '../../core/evidence.ts';
import { describeResponse } from '../kernel/answer.ts';
import { responseOf } from '../kernel/body.ts';
import { holds, violated } from '../kernel/judgement.ts';
import type { Oracle } from '../kernel/oracle.ts';
import { noSamples, sampleOf } from '../kernel/sample.ts';

const requirement = 'SHR-AUT-014';
const keyHeader = 'x-api-key';

interface Refused {
  readonly exchange: Exchange;
  /** The request with the same key that was let in before; null where none was. */
  readonly before: string | null;
}

/**
 * A key that was let in before a refusal and is let in after it was not revoked in between; one that was there before the
 * run need only be let in after. Keys of the pools alone: those of a check may be revoked by it, which a node may hear of
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

/** A key that was given for the run, rather than issued in it, which a node may hear of later than another. */
function isGiven(key: string): boolean {
  return /^(primary|other)#\d+$/.test(key);
}

/** A key that is sent as it should be, once. */
function isPlain({ request }: Exchange): boolean {
  let count = 0;
  for (const header of request.headers)
    if (header[0].length === keyHeader.length && header[0].toLowerCase() === keyHeader) count += 1;
  return count === 1;
}

function unsteady({ exchange, before }: Refused, after: Exchange) {
  const good = before === null ? `before ${after.id}` : `between ${before} and ${after.id}`;
  const actual = `${describeResponse(exchange)} ${good}, where the same key was accepted`;
  const judgement = violated('key', 'a key that stays valid', actual);
  return { ...sampleOf(requirement, judgement), evidence: [exchange, after] };
}
