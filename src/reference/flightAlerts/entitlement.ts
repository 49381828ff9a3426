import type { Caller } from '../shared/call.ts';
import { Refusal } from '../shared/refusal.ts';
import type { FlightAlerts } from './context.ts';
import type { FlightOperation } from './policy.ts';

/** Flight alerts know no entitlement and no units; a deployment that asks for one, or takes one, breaks Errors and Limits. */
export function chargeFlights(
  { enterprise: { entitlement } }: Caller,
  operation: FlightOperation,
  { policy }: FlightAlerts,
): void {
  if (policy.refusesFlights(entitlement, operation))
    throw new Refusal(402, 'QUOTA_EXHAUSTED', 'An active entitlement is required.');
  entitlement.consumed_units += policy.flightUnits(operation);
}
