import type { ApiKey } from '../send/keyRing.ts';
import type { Pacer } from '../send/pacer.ts';
import type { Arrival } from './arrivals.ts';
import { isNoisyAt, type NoisyTurns } from './noisyTurns.ts';
import type { Lease } from './drive.ts';

const nothing = () => undefined;

/** Keys in turn, whatever their limits: the target refuses what goes beyond, which is what such a load is to show. */
export function leasesInTurn(keys: readonly ApiKey[]): (arrivals: readonly Arrival[]) => readonly Lease[] {
  return (arrivals) =>
    arrivals.map((arrival) => ({ arrival, key: keys[arrival.index % keys.length] ?? null, done: nothing }));
}

/** Tenants in turn; at times the last of them sends a share of all requests, instead of the others. */
export function leasesForTenants(
  keys: readonly ApiKey[],
  noisy: NoisyTurns | null,
): (arrivals: readonly Arrival[]) => readonly Lease[] {
  const [last, others] = [keys.at(-1), keys.slice(0, -1)];
  if (noisy === null || last === undefined || others.length === 0) return leasesInTurn(keys);
  const inTurn = leasesInTurn(others);
  // The remainder of the draw chooses the payload, so its size is free to choose the tenant.
  const isNoisy = ({ atMs, draw }: Arrival) => isNoisyAt(noisy, atMs) && draw / 2 ** 31 < noisy.share;
  return (arrivals) =>
    arrivals.flatMap((arrival) =>
      isNoisy(arrival) ? [{ arrival, key: last, done: nothing }] : inTurn([arrival]),
    );
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
