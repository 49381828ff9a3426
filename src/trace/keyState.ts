import type { Exchange } from '../core/evidence.ts';
import { valueNamed } from './body.ts';

/**
 * What the sender knows of the key of a request: `unknown` was made up and belongs to nobody, `elsewhere` was sent in another
 * place than its header, and of an `unsure` one nobody says whether it is active.
 */
export type KeyState =
  'active' | 'none' | 'empty' | 'unknown' | 'revoked' | 'disabled' | 'elsewhere' | 'unsure';

const told: Readonly<Record<string, KeyState>> = {
  unknown: 'unknown',
  revoked: 'revoked',
  disabled: 'disabled',
};

export function keyStateOf({ enterprise, key, request }: Exchange): KeyState {
  const value = valueNamed(request.headers, 'x-api-key');
  if (value?.trim() === '') return 'empty';
  if (enterprise !== null) return 'active';
  if (value !== null) return told[key ?? ''] ?? 'unsure';
  return isBare(request) ? 'none' : 'elsewhere';
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
