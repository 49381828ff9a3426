import type { WebCheckinPolicy } from './policy.ts';

/** Fails as a handler does that takes a value for what it is not: an internal error. */
export function breakOn(field: string, value: unknown, policy: WebCheckinPolicy): void {
  if (policy.breaksOn(field, value)) throw new TypeError(`${field} is not what the handler takes it for`);
}
