import type { Exchange } from '../../core/evidence.ts';
import type { Api } from '../../core/operations.ts';
import { responseOf } from '../../judge/kernel/body.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { ApiRequest } from '../../send/request.ts';
import { cheapRead, faultyRead } from './probes.ts';

interface KeyProofOptions {
  readonly apis: readonly Api[];
  /** Milliseconds since the epoch, for the date of a flight lookup. */
  readonly now: () => number;
  /** Sends a read that proves a key. */
  readonly send: (request: ApiRequest) => Promise<Exchange>;
  /** Called for a key that the deployment does not know, with what to do about it. */
  readonly onUnknown: (why: string) => void;
}

/**
 * Distinguishes a key that the deployment does not know from a deployment that refuses a key wrongly: if the first answer to a
 * given key is 401, the key counts as unknown only if reads of every API are refused as well.
 */
export class KeyProof {
  readonly #options: KeyProofOptions;
  readonly #taken = new Set<string>();
  readonly #proofs = new Map<string, Promise<void>>();

  constructor(options: KeyProofOptions) {
    this.#options = options;
  }

  /** Looks at the answer to a request with this key; a check must await the result before it judges the answer. */
  see(key: ApiKey, exchange: Exchange): Promise<void> | null {
    if (this.#taken.has(key.label) || !isGiven(key)) return null;
    const status = responseOf(exchange)?.status;
    if (status === 401) return this.prove(key);
    // A limiter may refuse before it knows the key, and a failing gateway knows none.
    if (status !== undefined && status !== 429 && status < 500) this.#taken.add(key.label);
    return null;
  }

  /** Sends the reads, once for each key. Rejects with `BudgetExhausted` if no budget is left for them. */
  prove(key: ApiKey): Promise<void> {
    const known = this.#proofs.get(key.label);
    if (known !== undefined) return known;
    const proof = this.#prove(key);
    this.#proofs.set(key.label, proof);
    return proof;
  }

  async #prove(key: ApiKey): Promise<void> {
    if (await this.#isRefusedEverywhere(key)) this.#options.onUnknown(unknownKey(key));
    else this.#taken.add(key.label);
  }

  async #isRefusedEverywhere(key: ApiKey): Promise<boolean> {
    const { apis, now, send } = this.#options;
    const choice = { key: { kind: 'key', key } } as const;
    for (const api of apis)
      for (const request of [cheapRead(api, now(), choice), faultyRead(api, choice)])
        if (responseOf(await send(request))?.status !== 401) return false;
    return true;
  }
}

/** Keys with a special condition, and those made during the run, are refused for other reasons. */
function isGiven({ label }: ApiKey): boolean {
  return /^(?:primary|other)#\d+$/.test(label);
}

function unknownKey(key: ApiKey): string {
  const [role = '', number = ''] = key.label.split('#');
  const place = isGiven(key) ? ` (number ${number} of GATECHECK_KEYS_${role.toUpperCase()})` : '';
  return `the target does not know the key ${key.label}${place}: it answers 401 to every request with it. Correct that key, or leave it out`;
}
