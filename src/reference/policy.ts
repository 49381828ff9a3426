import type { SharedPolicy } from './shared/policy.ts';
import { documentedSharedPolicy } from './shared/documented.ts';
import type { WebCheckinPolicy } from './webcheckin/policy.ts';
import { documentedWebCheckinPolicy } from './webcheckin/documented.ts';
import type { FlightAlertsPolicy } from './flightAlerts/policy.ts';
import { documentedFlightAlertsPolicy } from './flightAlerts/documented.ts';

/** Every point at which deployments may differ: by choice (a dialect) or by mistake (a defect). */
export interface Policy extends SharedPolicy, WebCheckinPolicy, FlightAlertsPolicy {}

/** What the two documents say; where they are silent, the first variant of each dialect point. */
export const documentedPolicy: Policy = {
  ...documentedSharedPolicy,
  ...documentedWebCheckinPolicy,
  ...documentedFlightAlertsPolicy,
};
