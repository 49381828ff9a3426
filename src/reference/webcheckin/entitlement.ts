import type { Entitlement } from '../shared/keys.ts';
import { Refusal } from '../shared/refusal.ts';
import type { WebCheckinPolicy } from './policy.ts';

/** What asks for an entitlement: an operation, a subscribe by its form. */
export type Asking = 'subscribe' | 'multipart subscribe' | 'update' | 'status' | 'list';

/** Refuses an operation that asks for an entitlement, if there is none or its quota is used up (Errors 402). */
export function refuseWithout(entitlement: Entitlement, asking: Asking, policy: WebCheckinPolicy): void {
  if (!policy.needsEntitlement(asking) || policy.quotaAllows(entitlement, asking)) return;
  const { status, code } = policy.quotaRefusal;
  throw new Refusal(status, code, 'The web check-in entitlement is missing, suspended or used up.');
}
