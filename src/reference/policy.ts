import { documentedSharedPolicy, type SharedPolicy } from './shared/policy.ts';
import { documentedWebCheckinPolicy, type WebCheckinPolicy } from './webcheckin/policy.ts';
import { documentedFlightAlertsPolicy, type FlightAlertsPolicy } from './flightAlerts/policy.ts';

/** Every point at which deployments may differ: by choice (a dialect) or by mistake (a defect). */
export interface Policy extends SharedPolicy, WebCheckinPolicy, FlightAlertsPolicy {}

/** What the two documents say; where they are silent, the first variant of each dialect point. */
export const documentedPolicy: Policy = {
  ...documentedSharedPolicy,
  ...documentedWebCheckinPolicy,
  ...documentedFlightAlertsPolicy,
};
