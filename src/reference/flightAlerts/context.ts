import type { CallbackQueue } from '../callbacks/queue.ts';
import type { DeploymentClock } from '../shared/deploymentClock.ts';
import type { Mutex } from '../shared/mutex.ts';
import type { SharedPolicy } from '../shared/policy.ts';
import type { FlightAlertsPolicy } from './policy.ts';
import type { SubscriptionStore } from './subscriptions.ts';
import type { Upstream } from './upstream.ts';

/** What the operations of the flight alerts API work with. */
export interface FlightAlerts {
  readonly policy: FlightAlertsPolicy & SharedPolicy;
  readonly clock: DeploymentClock;
  readonly queue: CallbackQueue;
  readonly upstream: Upstream;
  readonly subscriptions: SubscriptionStore;
  readonly locks: Mutex;
  readonly random: () => number;
}
