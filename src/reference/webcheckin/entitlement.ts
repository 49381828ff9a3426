import type { Entitlement } from '../shared/keys.ts';
import { Refusal } from '../shared/refusal.ts';
import type { WebCheckinPolicy } from './policy.ts';
import type { Asking } from './policyTerms.ts';

/** Refuses an operation that asks for an entitlement, if there is none or its quota is used up (Errors 402). */
export function refuseWithout(entitlement: Entitlement, asking: Asking, policy: WebCheckinPolicy): void {
  if (!policy.needsEntitlement(asking, entitlement) || policy.quotaAllows(entitlement, asking)) return;
  const { status, code } = policy.quotaRefusal;
  throw new Refusal(status, code, 'The web check-in entitlement is missing, suspended or used up.');
}
