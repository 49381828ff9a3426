import type { Exchange } from '../../core/evidence.ts';
import { keyHeader, valuesNamed } from '../grammar/headers.ts';
import { responseOf } from '../../trace/body.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';

export const steadyRow = 'SHR-AUT-014';

interface Refused {
  readonly exchange: Exchange;
  /** The earlier request with the same key that was accepted; null if there is none. */
  readonly before: Exchange | null;
}

/**
 * A key that was accepted before and after a refusal was not revoked in between; a key that existed before the run only
 * needs to be accepted after it. Only keys of the pools: a check may revoke its own, and one node may learn of that
 * later than another.
 */
export class SteadyKeys {
  readonly #letIn = new Map<string, Exchange>();
  readonly #refused = new Map<string, Refused>();

  judge(exchange: Exchange): Said | null {
    const { key, enterprise } = exchange;
    const status = responseOf(exchange)?.status;
    const isOfPool = enterprise === 'primary' || enterprise === 'other';
    if (key === null || !isOfPool || (status !== 200 && status !== 401) || !isPlain(exchange)) return null;
    const before = this.#letIn.get(key) ?? null;
    if (status === 401 && (before || isGiven(key)) && !this.#refused.has(key))
      this.#refused.set(key, { exchange, before });
    if (status !== 200) return null;
    this.#letIn.set(key, exchange);
    const doubt = this.#refused.get(key);
    this.#refused.delete(key);
    if (doubt) return unsteady(doubt, exchange);
    return before && [steadyRow, null];
  }
}

/** A key that was given for the run. One that was issued during it may reach one node later than another. */
function isGiven(key: string): boolean {
  return /^(primary|other)#\d+$/.test(key);
}

/** A key that is sent once, in its header. */
function isPlain({ request }: Exchange): boolean {
  return valuesNamed(request.headers, keyHeader).length === 1;
}

function unsteady({ exchange, before }: Refused, after: Exchange): Said {
  const good = before === null ? `before ${after.id}` : `between ${before.id} and ${after.id}`;
  const want = is.noted(is.accepted, 'since a key stays valid');
  const got = is.answer(401, `${good}, where the same key was accepted`);
  const because = [...(before === null ? [] : [before]), after, exchange];
  return [steadyRow, { code: 'key', at: 'answer', want, got, because }];
}
