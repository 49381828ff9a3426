import type { Exchange } from '../../core/evidence.ts';
import { keyHeader, valuesNamed } from '../grammar/headers.ts';
import { responseOf } from '../../trace/body.ts';
import type { Said } from '../kernel/findings.ts';
import * as is from '../kernel/value.ts';

export const steadyRow = 'SHR-AUT-014';
/** The name of the header may be written in any case. */
export const spellingRow = 'SHR-AUT-012';

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
  /** The spellings of the header with which a key was accepted. */
  readonly #spellings = new Set<string>();

  judge(exchange: Exchange): readonly Said[] {
    const { key, enterprise } = exchange;
    const status = responseOf(exchange)?.status;
    const isOfPool = enterprise === 'primary' || enterprise === 'other';
    if (key === null || !isOfPool || (status !== 200 && status !== 401) || !isPlain(exchange)) return nothing;
    const before = this.#letIn.get(key) ?? null;
    if (status === 401 && (before || isGiven(key)) && !this.#refused.has(key))
      this.#refused.set(key, { exchange, before });
    if (status !== 200) return nothing;
    this.#letIn.set(key, exchange);
    this.#spellings.add(spellingOf(exchange));
    const doubt = this.#refused.get(key);
    this.#refused.delete(key);
    if (doubt) return [this.#unsteady(doubt, exchange)];
    return [
      ...(before ? [[steadyRow, null] as const] : nothing),
      ...(this.#spellings.size > 1 ? [[spellingRow, null] as const] : nothing),
    ];
  }

  #unsteady({ exchange, before }: Refused, after: Exchange): Said {
    const because = [...(before === null ? [] : [before]), after, exchange];
    const spelling = spellingOf(exchange);
    if (!this.#spellings.has(spelling)) {
      const want = is.noted(is.accepted, `in ${spelling} as in ${spellingOf(after)}`);
      return [spellingRow, { code: 'key', at: 'answer', want, got: is.answer(401), because }];
    }
    const good = before === null ? `before ${after.id}` : `between ${before.id} and ${after.id}`;
    const want = is.noted(is.accepted, 'since a key stays valid');
    const got = is.answer(401, `${good}, where the same key was accepted`);
    return [steadyRow, { code: 'key', at: 'answer', want, got, because }];
  }
}

const nothing: readonly Said[] = Object.freeze([]);

/** A key that was given for the run. One that was issued during it may reach one node later than another. */
export function isGiven(key: string): boolean {
  return /^(primary|other)#\d+$/.test(key);
}

/** A key that is sent once, in its header. */
export function isPlain({ request }: Exchange): boolean {
  return valuesNamed(request.headers, keyHeader).length === 1;
}

/** How the name of its header is written. */
function spellingOf({ request: { headers } }: Exchange): string {
  return headers.find(([name]) => name.toLowerCase() === keyHeader.toLowerCase())?.[0] ?? '';
}
