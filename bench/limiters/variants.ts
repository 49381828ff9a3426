import { defects } from '../../src/reference/defects.ts';
import type { Policy } from '../../src/reference/policy.ts';
import { rollingLog, type CounterFactory } from '../../src/reference/shared/windowCounters.ts';

/** A limiter of the reference, with the name that it is to be called by. */
export interface Variant {
  readonly name: string;
  readonly policy: Partial<Policy>;
  /** Answers leave one a second, and nobody is refused below sixty that wait. */
  readonly queued?: boolean;
}

/** Counts what it admits only a moment later. */
const countedLate: CounterFactory = (limit, windowMs) => {
  const log = rollingLog(limit, windowMs);
  let pending: number[] = [];
  const settle = (now: number) => {
    for (const at of pending.filter((one) => one + 50 <= now)) log.record(at);
    pending = pending.filter((one) => one + 50 > now);
  };
  return {
    waitMs: (now) => {
      settle(now);
      return log.waitMs(now);
    },
    record: (now) => void pending.push(now),
    remove: (at) => log.remove(at),
  };
};

/** The policy of a seeded mistake. */
export function of(id: string): Partial<Policy> {
  const defect = defects.find((one) => one.id === id);
  if (!defect) throw new Error(`the reference has no defect ${id}`);
  return defect.policy;
}

const limitOf = (perMinute: number): Partial<Policy> => ({ limits: (given) => ({ ...given, perMinute }) });

export const variants: readonly Variant[] = [
  { name: 'rolling log of 60', policy: {} },
  { name: 'rolling log of 59', policy: limitOf(59) },
  { name: 'rolling log of 61', policy: limitOf(61) },
  { name: 'rolling log of 120', policy: limitOf(120) },
  { name: 'rolling log in which refused requests count of 60', policy: { countsRefused: true } },
  { name: 'fixed window aligned to the clock of 60', policy: of('minute-epoch-window') },
  { name: 'fixed window opened by the first request of 60', policy: of('minute-first-request-window') },
  { name: 'token bucket of 60', policy: of('minute-token-bucket') },
  { name: 'sliding-window counter of 60', policy: of('minute-weighted-windows') },
  { name: 'leaky bucket as a queue of 60', policy: of('minute-unlimited'), queued: true },
  { name: 'rolling log, one for each operation of 60', policy: of('limit-per-route') },
  { name: 'rolling log, one for each API of 60', policy: of('limit-per-api') },
  { name: 'rolling log, one for each enterprise of 60', policy: of('limit-per-enterprise') },
  { name: 'rolling log, one for each client address of 60', policy: of('limit-per-address') },
  { name: 'rolling log with a race of 60', policy: { minuteCounter: countedLate } },
];

/** The queue of a variant: how long a request of a key waits in it; null where it is full. */
export function createQueue(): (key: string, now: number) => number | null {
  const freeAt = new Map<string, number>();
  return (key, now) => {
    const turn = Math.max(now, freeAt.get(key) ?? 0);
    if (turn - now > 60_000) return null;
    freeAt.set(key, turn + 1000);
    return turn - now;
  };
}
