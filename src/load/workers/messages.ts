import { createHash } from 'node:crypto';
import type { Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import type { LoadPart, PartSetup } from '../processes/parts.ts';
import type { Stretch } from './stretch.ts';

/** Changes whenever the messages of this file do. */
const protocol = 5;

/** The version that a worker and a load must share. */
export function workerVersion(version: string): string {
  return `${version} (protocol ${protocol})`;
}

/** The BullMQ queue from which workers take their parts. */
export const queueName = 'gatecheck';

/** The queue of the shards of runs. */
export const shardQueueName = 'gatecheck-shards';

/** Most seconds of a load that a worker holds: it can send for that long while Redis is lost. */
export const heldParts = 12;

/**
 * A part whose lock was not renewed for this long goes to another worker; renewed in time, a lock outlasts a loss of Redis of
 * ten seconds, and a loss of the worker of five.
 */
export const partLockMs = 20_000;
/**
 * A worker that renewed its hold on a shard this long ago is lost. A machine that loads a run's modules may be busy for some seconds,
 * and a shard that two workers run is paid for twice.
 */
export const shardLockMs = 20_000;

/** One shard of a run: what to check, and with which keys. Everything else is the worker's own setting. */
export interface ShardJob {
  readonly runId: string;
  readonly shard: { readonly index: number; readonly total: number };
  readonly target: Readonly<Record<Api, string>>;
  readonly selection: Pick<
    Settings,
    'apis' | 'profile' | 'seed' | 'only' | 'readOnly' | 'fresh' | 'share' | 'openPoints' | 'budgets'
  >;
  /** Hashes of keys that no other shard uses. */
  readonly keys: { readonly primary: readonly string[]; readonly other: readonly string[] };
}

/** The result of a shard. */
export interface ShardResult {
  readonly worker: string;
  readonly exitCode: number;
  /** The shard's result.json. */
  readonly result: string;
}

/** What workers get beyond other senders: keys by their hash, the limits, and the Redis clock. */
export interface LoadSetup extends PartSetup {
  readonly version: 1;
  /** Hashes of the keys, in the order of the load, with the labels that reports show. */
  readonly keys: readonly { readonly id: string; readonly label: string }[];
  /** What the load may take of the limits of each key. */
  readonly limits: Settings['limits'];
  /** Start of the load, in milliseconds of the Redis clock. */
  readonly startAt: number;
  /** When parts of lost workers are sent, in milliseconds from the start. */
  readonly endMs: number;
}

/** One part: every `shares`-th arrival of a section. */
export interface PartJob {
  readonly runId: string;
  readonly slice: Stretch;
  readonly share: number;
}

/** The result of a part. */
export interface PartResult extends LoadPart {
  /** Name of the worker that did it. */
  readonly worker: string;
  readonly takenOver: boolean;
}

/** Identifies a key where it must not be known: a truncated hash, which does not reveal it. */
export function keyId(key: string): string {
  return createHash('sha256').update(`gatecheck/key/${key}`).digest('hex').slice(0, 32);
}

/** Names of keys in Redis. */
export const redisKeys = {
  setup: (runId: string) => `gatecheck:load:${runId}:setup`,
  claims: (runId: string) => `gatecheck:load:${runId}:claims`,
  madeUp: (runId: string) => `gatecheck:load:${runId}:madeUp`,
  judged: (runId: string) => `gatecheck:load:${runId}:judged`,
  over: (runId: string) => `gatecheck:load:${runId}:over`,
  stop: (runId: string) => `gatecheck:load:${runId}:stop`,
  key: (id: string) => `gatecheck:key:${id}`,
  presence: 'gatecheck:workers',
} as const;

/** Nothing of a load is stored for longer, whatever its result. */
export const keptSeconds = 7200;
