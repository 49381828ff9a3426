import type { Exchange } from '../core/evidence.ts';
import type { Allowance } from '../send/allowance.ts';
import type { ApiKey, KeyRing } from '../send/keyRing.ts';
import { primaryKey, type KeyChoice } from '../send/request.ts';

/** Keys of records that checks share: if requests must use the key that made a record, the record is made with a key that has room. */
export interface SharedKeys {
  /** The key for a subscription, which other requests leave alone. */
  forSubscription(): KeyChoice;
  /** Whether the key that made a record has too little room left for this many requests, and another has more. */
  isTired(made: Exchange, requests: number): boolean;
}

/** For runs that use their records only once or twice. */
export function firstKeyOf(keys: KeyRing): SharedKeys {
  return { forSubscription: () => choiceOf(keys.lead), isTired: () => false };
}

interface SharedKeysOptions {
  readonly keys: KeyRing;
  readonly allowance: Allowance;
  readonly roomOf: (key: ApiKey) => number;
  /** Whether there can be further keys. */
  readonly canGrow: () => boolean;
  readonly perMinute: number;
}

/** Requests that other checks may send to a shared record at the same time. */
const few = 6;
/** No unit is spent on another record if at most this share of the budget, or this many units, would be left. */
const spared = { share: 0.25, units: 4 };

export function createSharedKeys({
  keys,
  allowance,
  roomOf,
  canGrow,
  perMinute,
}: SharedKeysOptions): SharedKeys {
  const isPlenty = (spent: number, limit: number) =>
    limit - spent > Math.max(limit * spared.share, spared.units);
  const hasUnits = () => {
    const { spent, limits } = allowance;
    return isPlenty(spent.quota, limits.maxQuota) && isPlenty(spent.subscriptions, limits.maxSubscriptions);
  };
  return {
    forSubscription: () => {
      const key = keys.forCheck(roomOf).leastUsed();
      if (key) keys.setAside(key);
      return choiceOf(key);
    },
    isTired: ({ key }, requests) => {
      const maker = keys.named(key);
      const wanted = Math.min(requests + few, Math.floor(perMinute / 2));
      if (!maker || roomOf(maker) >= wanted || !hasUnits()) return false;
      return canGrow() || keys.pool('primary').some((other) => roomOf(other) > wanted);
    },
  };
}

function choiceOf(key: ApiKey | null): KeyChoice {
  return key === null ? primaryKey : { kind: 'key', key };
}
