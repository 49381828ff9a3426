import type { CallbackQueue } from '../callbacks/queue.ts';
import type { DeploymentClock } from '../shared/deploymentClock.ts';
import type { Mutex } from '../shared/mutex.ts';
import type { Moment } from '../shared/moment.ts';
import type { Enterprise } from '../shared/keys.ts';
import type { SharedPolicy } from '../shared/policy.ts';
import type { AttemptStore } from './attempts.ts';
import type { Automation } from './automation.ts';
import type { WebCheckinPolicy } from './policy.ts';

/** What the operations of the web check-in API work with. */
export interface WebCheckin {
  readonly policy: WebCheckinPolicy & SharedPolicy;
  readonly clock: DeploymentClock;
  readonly queue: CallbackQueue;
  readonly attempts: AttemptStore;
  readonly automation: Automation;
  readonly locks: Mutex;
  readonly random: () => number;
  readonly moment: () => Moment;
  /** The next running number of a booking, and that among the bookings of its enterprise. */
  readonly nextBookingNumbers: (enterprise: Enterprise) => readonly [running: number, own: number];
}
