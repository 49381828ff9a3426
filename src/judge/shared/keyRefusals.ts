import type { Exchange } from '../../core/evidence.ts';
import { apiKeyIn, isMultipartType } from '../../spec/grammar/headers.ts';
import { operationIds, operations, type OperationId } from '../../core/operations.ts';
import { readForms } from '../../spec/grammar/readForms.ts';
import { graceMs, KeyLives, lifeRows } from '../../spec/rules/keyLives.ts';
import { spellingRow, steadyRow, SteadyKeys } from '../../spec/rules/steadyKeys.ts';
import { callOf, keyStateOf, type KeyState } from '../../trace/call.ts';
import type { Note } from '../../trace/evidence.ts';
import { answered, errorCode, unauthorized } from '../kernel/answer.ts';
import { memberOf, responseOf, valueNamed } from '../kernel/body.ts';
import { holds, type Judgement, type Violated } from '../kernel/judgement.ts';
import type { Oracle, Watch } from '../kernel/oracle.ts';
import { noSamples, type Sample, sampleOf, sampleOfSaid } from '../kernel/sample.ts';
import { pathRow, Paths } from './paths.ts';

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
  verifies: [
    ...[...Object.values(missing), ...Object.values(rows), validatedFirst, ofUploads],
    ...[steadyRow, spellingRow, pathRow, ...lifeRows],
  ],
  createWatch: () => new KeyWatch(),
};

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
  readonly #lives = new KeyLives();
  readonly #paths = new Paths();

  exchange(exchange: Exchange): readonly Sample[] {
    this.#start ??= exchange.timings.sent;
    const { operation } = exchange;
    const state = keyStateOf(exchange);
    if (state === 'unsure') return noSamples;
    if (state === 'active') {
      const said = [...this.#steady.judge(exchange), ...this.#lives.judge(exchange)];
      return [...said.map(sampleOfSaid), ...this.#paths.judge(exchange)];
    }
    const judgement = answered(exchange, unauthorized);
    if (operation === null) return state === 'none' ? this.#judgeSpelled(exchange, judgement) : noSamples;
    const asked = { operation, state, isUpload: isUpload(exchange) };
    if (judgement.status === 'violated') return this.#letIn(exchange, asked, judgement);
    if (judgement.status !== 'holds') return noSamples;
    const kept = [rowOf(asked), ...(isFaulty(exchange) ? [validatedFirst] : [])];
    return [...kept.map((row) => sampleOf(row, holds)), ...this.#close(doorOf(asked))];
  }

  note(note: Note): void {
    if (note.type === 'step') this.#lives.step(note);
  }

  end(): readonly Sample[] {
    return [...this.#lives.end().map(sampleOfSaid), ...this.#paths.end()];
  }

  /** A path that routers take for a documented one, and guards of paths do not, opens nothing either. */
  #judgeSpelled(exchange: Exchange, judgement: Judgement): readonly Sample[] {
    const operation = spelledIn(exchange);
    if (operation === null) return noSamples;
    const row = missing[operations[operation].api];
    if (!isServed(exchange)) return responseOf(exchange) ? [sampleOf(row, holds)] : noSamples;
    const asked = { operation, state: 'none', isUpload: false } as const;
    return this.#onceClosed(asked, { requirement: row, judgement, evidence: [exchange] });
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
    if (isForm && !isFlawless(exchange)) return this.#onceClosed(asked, sampleFor(validatedFirst));
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

/** Whether there is something else to refuse a request for. */
function isFaulty(exchange: Exchange): boolean {
  const call = callOf(exchange);
  return call?.carrier === 'unread' || formsIn(exchange).some(({ kind }) => kind === 'fault');
}

/** A read that nothing is wrong with; what a status asks for may have a form that no id has. */
function isFlawless(exchange: Exchange): boolean {
  const forms = formsIn(exchange);
  const isRead = exchange.operation === 'wci.list' || exchange.operation === 'fla.lookup';
  return isRead && forms.every(({ kind }) => kind === 'free');
}

function formsIn(exchange: Exchange) {
  const call = callOf(exchange);
  if (!call || call.carrier === 'unread') return [];
  const { op, carrier, body, query } = call;
  return readForms(carrier === 'query' ? query : (body ?? {}), { operation: op, carrier });
}

/** The read whose path a request spells in another way; null for one that does not. */
function spelledIn({ request: { method, target } }: Exchange): OperationId | null {
  const [path = ''] = target.split('?', 1);
  const plain = decoded(path)
    .replace(/(?:;.*|\.json|\/)$/, '')
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase();
  const isIt = (id: OperationId) =>
    operations[id].method === method && operations[id].path.toLowerCase() === plain;
  return method === 'GET' ? (operationIds.find(isIt) ?? null) : null;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether an operation was carried out: whatever else is answered for a path that is none is the server's to say. */
function isServed(exchange: Exchange): boolean {
  if (errorCode(exchange) === 'FLIGHT_NOT_FOUND') return true;
  const answer = memberOf(exchange);
  return (
    responseOf(exchange)?.status === 200 && (memberOf(exchange, 'success') === true || Array.isArray(answer))
  );
}
