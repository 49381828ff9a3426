import type { Exchange } from '../../core/evidence.ts';
import { apiKeyIn, isMultipartType } from '../../spec/grammar/headers.ts';
import { operations, type OperationId } from '../../core/operations.ts';
import { keyStateOf, type KeyState } from '../../trace/call.ts';
import { answered, unauthorized } from '../kernel/answer.ts';
import { responseOf, valueNamed } from '../kernel/body.ts';
import { holds, type Violated } from '../kernel/judgement.ts';
import type { Oracle, Watch } from '../kernel/oracle.ts';
import { steadyRow, SteadyKeys } from '../../spec/rules/steadyKeys.ts';
import { noSamples, type Sample, sampleOf, sampleOfSaid } from '../kernel/sample.ts';

/** The row that each kind of unusable key breaks where it is let in. */
const rows = {
  empty: 'SHR-AUT-003',
  unknown: 'SHR-AUT-004',
  near: 'SHR-AUT-005',
  revoked: 'SHR-AUT-006',
  disabled: 'SHR-AUT-007',
  elsewhere: 'SHR-AUT-011',
} as const;
const missing = { webcheckin: 'SHR-AUT-001', 'flight-alerts': 'SHR-AUT-002' } as const;
const ofUploads = 'WCI-MP-017';
const validatedFirst = 'SHR-AUT-010';

/**
 * A request without a usable key is answered 401. A 400 shows an order of processing only where the key is needed at all, and a
 * key in another place opens only what is closed without a key: both wait for a 401 that shows so.
 */
export const keyRefusals: Oracle = {
  id: 'key-refusals',
  replaces: ['steady-keys'],
  title:
    'A request without a usable key is answered 401, and none with a key that is accepted before and after',
  verifies: [...Object.values(missing), ...Object.values(rows), validatedFirst, ofUploads, steadyRow],
  createWatch: () => new KeyWatch(),
};

/** How soon a revocation takes effect is open: a deployment has a minute to learn of it, less a second for the clocks. */
const graceMs = 59_000;

interface Asked {
  readonly operation: OperationId;
  readonly state: Exclude<KeyState, 'active' | 'unsure'>;
  readonly isUpload: boolean;
}

class KeyWatch implements Watch {
  /** When the first exchange was sent: keys that were given as revoked or disabled were so by then. */
  #start: number | null = null;
  /** What a 401 has shown to be closed. */
  readonly #closed = new Set<string>();
  /** What is wrong once it is shown to be closed. */
  readonly #waiting = new Map<string, Sample>();
  /** The first value of each kind of near miss that was let in. */
  readonly #near = new Map<string, string>();
  readonly #steady = new SteadyKeys();

  exchange(exchange: Exchange): readonly Sample[] {
    this.#start ??= exchange.timings.sent;
    const { operation } = exchange;
    const state = keyStateOf(exchange);
    const said = this.#steady.judge(exchange);
    if (said !== null) return [sampleOfSaid(said)];
    if (operation === null || state === 'active' || state === 'unsure') return noSamples;
    const asked = { operation, state, isUpload: isUpload(exchange) };
    const judgement = answered(exchange, unauthorized);
    if (judgement.status === 'holds') return [sampleOf(rowOf(asked), holds), ...this.#close(doorOf(asked))];
    return judgement.status === 'violated' ? this.#letIn(exchange, asked, judgement) : noSamples;
  }

  #close(door: string): readonly Sample[] {
    this.#closed.add(door);
    const sample = this.#waiting.get(door);
    this.#waiting.delete(door);
    return sample ? [sample] : noSamples;
  }

  #letIn(exchange: Exchange, asked: Asked, judgement: Violated): readonly Sample[] {
    const { state } = asked;
    const status = responseOf(exchange)?.status;
    // 500 also stands for an upload that could not be parsed; elsewhere it is a fault that says nothing of keys.
    if (status === 500 && !asked.isUpload) return noSamples;
    const isForm = status === 400 || status === 500;
    const sampleFor = (requirement: string) => ({ requirement, judgement, evidence: [exchange] });
    if (state === 'elsewhere')
      return isForm ? noSamples : this.#onceClosed({ ...asked, state: 'none' }, sampleFor(rows.elsewhere));
    if (state === 'revoked' || state === 'disabled') {
      const isSettled = exchange.timings.sent - (this.#start ?? 0) >= graceMs;
      return isForm || !isSettled ? noSamples : [sampleFor(rows[state])];
    }
    if (isForm) return this.#onceClosed(asked, sampleFor(validatedFirst));
    return state === 'near' && this.#mayBeKey(exchange) ? noSamples : [sampleFor(rowOf(asked))];
  }

  #onceClosed(asked: Asked, sample: Sample): readonly Sample[] {
    const door = doorOf(asked);
    if (this.#closed.has(door)) return [sample];
    if (!this.#waiting.has(door)) this.#waiting.set(door, sample);
    return noSamples;
  }

  /** One value near a key may be a key as well, where keys are numbered, but hardly two, nor one in quotation marks. */
  #mayBeKey({ key, request }: Exchange): boolean {
    const value = apiKeyIn(request) ?? '';
    if (/["%\s]/.test(value)) return false;
    const first = this.#near.get(key ?? '');
    this.#near.set(key ?? '', first ?? value);
    return first === undefined || first === value;
  }
}

function rowOf({ operation, state, isUpload }: Asked): string {
  if (isUpload && (state === 'none' || state === 'unknown')) return ofUploads;
  return state === 'none' ? missing[operations[operation].api] : rows[state];
}

/** Each way into an operation may have a lock of its own. */
function doorOf({ operation, state, isUpload }: Asked): string {
  return `${operation} ${state}${isUpload ? ' upload' : ''}`;
}

function isUpload({ request }: Exchange): boolean {
  return isMultipartType(valueNamed(request.headers, 'content-type'));
}
