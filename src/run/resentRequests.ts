import { operations, type OperationId } from '../core/operations.ts';
import type { StoredStep } from '../engine/findings/finding.ts';
import type { Identities } from '../generate/kit/identity.ts';
import type { KeyRing } from '../send/keyRing.ts';
import { noKey, otherKey, primaryKey, type ApiRequest, type KeyChoice } from '../send/request.ts';

interface ResentOptions {
  readonly keys: KeyRing;
  readonly identities: Pick<Identities, 'pnr' | 'fid'>;
}

/** Why a stored request cannot be sent again; null if it can. */
export function whyNotAgain({ operation, body }: StoredStep): string | null {
  if (operation === null) return 'one of its requests addresses no documented operation';
  return body === null || isJson(body) ? null : 'one of its requests uploads files, which no result stores';
}

/** Stored requests as they are sent again: with the keys of today, new bookings, and no callback to an address of that run. */
export function requestsOf(
  steps: readonly StoredStep[],
  { keys, identities }: ResentOptions,
): readonly ApiRequest[] {
  const pnrs = new Map<string, string>();
  const fresh = (pnr: string) => {
    const known = pnrs.get(pnr) ?? identities.pnr();
    pnrs.set(pnr, known);
    return known;
  };
  return steps.map(({ operation, method, target, key, body }) => {
    const id = operation as OperationId;
    const [path = '', query = ''] = target.split(/\?(.*)/s);
    return {
      ...{ operation: id, api: operations[id].api, method, path, query, key: keyOf(key, keys) },
      headers: body === null ? [] : [['content-type', 'application/json'] as const],
      body: body === null ? null : Buffer.from(againOf(body, id, fresh), 'utf8'),
      ...{ keyHeader: 'X-API-Key', wantsRefusal: false, connection: null },
    };
  });
}

/** A subscribe of a booking that exists would make no record, and nobody listens any more at the address of that run. */
function againOf(body: string, operation: OperationId, fresh: (pnr: string) => string): string {
  if (!operation.endsWith('.subscribe')) return body;
  const { callbackData: _, pnr, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify(typeof pnr === 'string' ? { pnr: fresh(pnr), ...rest } : rest);
}

/** The key of that label; of one that was made for the load, any of the same enterprise. */
function keyOf(label: string | null, keys: KeyRing): KeyChoice {
  if (label === null) return noKey;
  const key = keys.named(label);
  if (key !== null) return { kind: 'key', key };
  return label.startsWith('other') ? otherKey : primaryKey;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
