import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/evidence.ts';
import type { Allowance } from '../../send/allowance.ts';
import type { ApiKey, KeyRing } from '../../send/keyRing.ts';
import { primaryKey, type KeyChoice } from '../../send/request.ts';

/** Keys of records that checks share: if requests must use the key that made a record, the record is made with a key that has room. */
export interface SharedKeys {
  /** The key for a subscription, which other requests leave alone. */
  forSubscription(): KeyChoice;
  /** Whether the key that made a record has too little room left for this many requests, and another has more. */
  isTired(made: Exchange, requests: number): boolean;
  /** The same for a check that sends all its requests with that key, beside what other checks have reserved. */
  isFull(made: Exchange, requests: number): boolean;
  /** Notes that a check sends this many requests with the key that made a record, within the next minute. */
  reserve(made: Exchange, requests: number): void;
}

/** For runs that use their records only once or twice. */
export function firstKeyOf(keys: KeyRing): SharedKeys {
  return {
    forSubscription: () => choiceOf(keys.lead),
    isTired: () => false,
    isFull: () => false,
    reserve: () => undefined,
  };
}

interface SharedKeysOptions {
  readonly keys: KeyRing;
  readonly allowance: Allowance;
  readonly roomOf: (key: ApiKey) => number;
  /** Whether there can be further keys. */
  readonly canGrow: () => boolean;
  readonly perMinute: number;
  readonly clock: Pick<Clock, 'monotonic'>;
}

const minuteMs = 60_000;

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
  clock,
}: SharedKeysOptions): SharedKeys {
  const isPlenty = (spent: number, limit: number) =>
    limit - spent > Math.max(limit * spared.share, spared.units);
  const hasUnits = () => {
    const { spent, limits } = allowance;
    return isPlenty(spent.quota, limits.maxQuota) && isPlenty(spent.subscriptions, limits.maxSubscriptions);
  };
  const reserved: { readonly key: string | null; readonly requests: number; readonly at: number }[] = [];
  const reservedOf = (key: string | null) => {
    const since = clock.monotonic() - minuteMs;
    while (reserved[0] && reserved[0].at < since) reserved.shift();
    return reserved.reduce((sum, one) => (one.key === key ? sum + one.requests : sum), 0);
  };
  const lacks = (label: string | null, wanted: number, room: (maker: ApiKey) => number) => {
    const maker = keys.named(label);
    if (!maker || room(maker) >= wanted || !hasUnits()) return false;
    return canGrow() || keys.pool('primary').some((other) => roomOf(other) > wanted);
  };
  return {
    forSubscription: () => {
      const key = keys.forCheck(roomOf).leastUsed();
      if (key) keys.setAside(key);
      return choiceOf(key);
    },
    isTired: ({ key }, requests) => lacks(key, Math.min(requests + few, Math.floor(perMinute / 2)), roomOf),
    isFull: ({ key }, requests) => {
      const left = perMinute - reservedOf(key);
      // More than a key can carry has to wait anyway.
      const wanted = requests + few > perMinute ? Math.floor(perMinute / 2) : requests + few;
      return lacks(key, wanted, (maker) => Math.min(left, roomOf(maker)));
    },
    reserve: ({ key }, requests) => {
      reserved.push({ key, requests, at: clock.monotonic() });
    },
  };
}

function choiceOf(key: ApiKey | null): KeyChoice {
  return key === null ? primaryKey : { kind: 'key', key };
}
