import type { ApiKey } from '../../send/keyRing.ts';
import type { Pacer } from '../../send/pacer.ts';
import type { Arrival } from '../plan/arrivals.ts';
import type { Lease } from './drive.ts';

const nothing = () => undefined;

/** Keys in turn, whatever their limits: the target refuses what goes beyond, which is what such a load is to show. */
export function leasesInTurn(keys: readonly ApiKey[]): (arrivals: readonly Arrival[]) => readonly Lease[] {
  return (arrivals) =>
    arrivals.map((arrival) => ({ arrival, key: keys[arrival.index % keys.length] ?? null, done: nothing }));
}

/** Keys that have a slot left in both limits; if none has, the arrival gets no key. */
export function leasesWithinLimits(
  keys: readonly ApiKey[],
  pacer: Pacer,
): (arrivals: readonly Arrival[]) => readonly Lease[] {
  return (arrivals) =>
    arrivals.map((arrival) => {
      // A journey waits for a slot of its own key at each step.
      if (arrival.journey !== undefined)
        return { arrival, key: keys[arrival.index % keys.length] ?? null, done: nothing };
      const ticket = pacer.tryAcquire(keys);
      return ticket === null
        ? { arrival, key: null, done: nothing }
        : { arrival, key: ticket.key, done: ticket.done };
    });
}
