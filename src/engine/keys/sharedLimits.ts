import type { LimitsFound } from './limitsSchema.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';
import type { SharedLimit } from '../../send/keyBudgets.ts';

/** The requirement that a limit of several keys breaks, and whose keys those are. */
const shared = {
  enterprise: { requirement: 'SHR-LIM-011', keys: 'the keys of one enterprise' },
  address: { requirement: 'SHR-LIM-012', keys: 'all keys from one address' },
} as const;

/** The limit of several keys that a timeline shows; null for a limit of each key. */
export function sharedIn({ limiter: { limit, windowMs, model } }: LimitsFound): SharedLimit | null {
  const window = { limit, windowMs };
  if (model === 'per-enterprise') return { scope: 'enterprise', window };
  return model === 'per-address' ? { scope: 'address', window } : null;
}

/** What people are told when a limit of several keys shows. */
export function paceOf(limit: SharedLimit): string {
  return `Fewer requests are sent at a time from now on: ${describeShared(limit)}.`;
}

/** What people are told when keys are refused with fewer requests than they are allowed. */
export function lowerPace({ limit, windowMs }: WindowLimit, wanted: number): string {
  const refused = `Keys are refused again and again after ${limit} requests in ${windowMs / 1000} s, where they may make ${wanted} (SHR-LIM-001)`;
  return `${refused}: no more are sent from now on. gatecheck limits shows what the limiter counts. If this deployment has another limit, name it as limits.perMinute in the config; if others use the keys, say --share.`;
}

/** What a limit of several keys is, and what shows it. */
export function describeShared(limit: SharedLimit): string {
  return `${nameShared(limit)}: a key was refused that had room by itself`;
}

/** What a limit of several keys is. */
export function nameShared({ scope, window }: SharedLimit): string {
  const { requirement, keys } = shared[scope];
  return `${keys} seem to share one limit of ${window.limit} requests in ${window.windowMs / 1000} s, where the documents have one for each key (${requirement})`;
}

/** How long the limits that keys share keep a number of requests waiting, in milliseconds. */
export function sharedMs(limits: readonly SharedLimit[], requests: number): number {
  const waits = limits.map(
    ({ window: { limit, windowMs } }) => Math.max(0, Math.ceil(requests / limit) - 1) * windowMs,
  );
  return Math.max(0, ...waits);
}
