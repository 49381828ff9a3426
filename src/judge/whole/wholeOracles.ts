import type { Oracle } from '../kernel/oracle.ts';
import { oneBooking } from './oneBooking.ts';
import { oneSubscription } from './oneSubscription.ts';
import { ownPasses } from './ownPasses.ts';
import { pushedAndPolled } from './pushedAndPolled.ts';
import { quotaTakenBy } from './quotaTaken.ts';
import { seenByAnother } from './seenByAnother.ts';

/**
 * Oracles for a whole load: what shows only while many requests are under way. `isAlone` says of an enterprise
 * that nobody else subscribes for.
 */
export function wholeOraclesFor(isAlone: (enterprise: string) => boolean): readonly Oracle[] {
  return [quotaTakenBy(isAlone), oneBooking, oneSubscription, pushedAndPolled, seenByAnother, ownPasses];
}
