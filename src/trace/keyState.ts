import type { Exchange } from '../core/evidence.ts';
import { valueNamed } from './body.ts';

/**
 * What the sender knows of the key of a request: `unknown` was made up and belongs to nobody, `near` is nearly a key, `elsewhere`
 * was sent in another place than its header, and of an `unsure` one nobody says whether it is active.
 */
export type KeyState =
  'active' | 'none' | 'empty' | 'unknown' | 'near' | 'revoked' | 'disabled' | 'elsewhere' | 'unsure';

/** By the label of the key. Whether letter case matters is open; the rest are keys that may be active. */
const told: Readonly<Record<string, KeyState>> = {
  unknown: 'unknown',
  revoked: 'revoked',
  disabled: 'disabled',
  'letter case changed': 'unsure',
  noEntitlement: 'unsure',
  suspended: 'unsure',
  exhausted: 'unsure',
};

export function keyStateOf({ enterprise, key, request }: Exchange): KeyState {
  if (enterprise !== null) return 'active';
  const value = valueNamed(request.headers, 'x-api-key');
  if (value?.trim() === '') return 'empty';
  if (value !== null) return labelled(key);
  return isBare(request) ? 'none' : 'elsewhere';
}

/** Keys of a run and of a recording are numbered; other labels say what was made up. */
function labelled(key: string | null): KeyState {
  return key === null || key.includes('#') ? 'unsure' : (told[key] ?? 'near');
}

/** Other places where a deployment might look for a key. */
const otherHeaders = ['authorization', 'cookie', 'api-key', 'apikey', 'x-apikey'];

/** No key anywhere: neither in its header nor in another place. */
export function isBare({ headers, target }: Exchange['request']): boolean {
  return (
    ['x-api-key', ...otherHeaders].every((name) => valueNamed(headers, name) === null) &&
    !/key|token/i.test(target)
  );
}
