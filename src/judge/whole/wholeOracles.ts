import type { Oracle } from '../kernel/oracle.ts';
import { oneBooking } from './oneBooking.ts';
import { oneSubscription } from './oneSubscription.ts';
import { ownPasses } from './ownPasses.ts';
import { pushedAndPolled } from './pushedAndPolled.ts';
import { quotaTaken } from './quotaTaken.ts';
import { seenByAnother } from './seenByAnother.ts';

/** Oracles over the whole of a load: what only shows where many requests are under way at once. */
export const wholeOracles: readonly Oracle[] = [
  quotaTaken,
  oneBooking,
  oneSubscription,
  pushedAndPolled,
  seenByAnother,
  ownPasses,
];
