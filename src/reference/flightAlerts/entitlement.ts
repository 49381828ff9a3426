import type { Caller } from '../shared/call.ts';
import { Refusal } from '../shared/refusal.ts';
import type { FlightAlerts } from './context.ts';

/** Flight alerts know no entitlement; a deployment that asks for one breaks Errors. */
export function refuseWithoutEntitlement({ enterprise }: Caller, { policy }: FlightAlerts): void {
  if (policy.flightsNeedEntitlement && enterprise.entitlement.status !== 'active')
    throw new Refusal(402, 'QUOTA_EXHAUSTED', 'An active entitlement is required.');
}
