import { createHash } from 'node:crypto';
import type { Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import type { LoadMaterial } from '../payloads.ts';
import type { LoadPlan } from '../plan.ts';
import type { RecorderSnapshot } from '../recorder.ts';
import type { SeenExchange } from './seenExchanges.ts';
import type { Stretch } from './stretch.ts';

/** Changes whenever the messages of this file do. */
const protocol = 4;

/** What a worker and a load have to have in common. */
export function workerVersion(version: string): string {
  return `${version} (protocol ${protocol})`;
}

/** The queue of BullMQ that workers take their parts from. */
export const queueName = 'gatecheck';

/** The queue of the shards of runs. */
export const shardQueueName = 'gatecheck-shards';

/** Seconds of a load that a worker holds at most: as many are sent while Redis is lost. */
export const heldParts = 12;

/** A part whose lock was not renewed for so long goes to another worker; renewed in time, it outlasts a loss of Redis of ten seconds and a part of five. */
export const partLockMs = 20_000;

/** One shard of a run: what is to be checked, and with which keys. Everything else is the worker's own setting. */
export interface ShardJob {
  readonly runId: string;
  readonly shard: { readonly index: number; readonly total: number };
  readonly target: Readonly<Record<Api, string>>;
  readonly selection: Pick<
    Settings,
    'apis' | 'profile' | 'seed' | 'only' | 'readOnly' | 'openPoints' | 'budgets'
  >;
  /** Names of keys that no other shard uses. */
  readonly keys: { readonly primary: readonly string[]; readonly other: readonly string[] };
}

/** What became of a shard. */
export interface ShardResult {
  readonly worker: string;
  readonly exitCode: number;
  /** The shard's result.json. */
  readonly result: string;
}

/** What all parts of a load have in common. It holds no key, only what identifies one. */
export interface LoadSetup {
  readonly version: 1;
  readonly runId: string;
  readonly plan: LoadPlan;
  readonly target: Readonly<Record<Api, string>>;
  /** Names of the keys, in the order of the load, with the labels that reports show. */
  readonly keys: readonly { readonly id: string; readonly label: string }[];
  readonly limits: Settings['limits'];
  readonly material: LoadMaterial;
  readonly maxInFlight: number;
  /** Parts that each slice is cut into. */
  readonly shares: number;
  /** Start of the load, milliseconds of the clock of Redis. */
  readonly startAt: number;
  /** Share of the answers to reads that is judged; null for all as long as there is time. */
  readonly judgeShare: number | null;
  /** The command line, which has findings again. */
  readonly command: string;
  /** Where parts of lost workers are made up for, milliseconds from the start. */
  readonly endMs: number;
}

/** One part: every `shares`-th arrival of a stretch. */
export interface PartJob {
  readonly runId: string;
  readonly slice: Stretch;
  readonly share: number;
}

/** What became of a part. */
export interface PartResult {
  /** Name of the worker that did it. */
  readonly worker: string;
  readonly snapshot: RecorderSnapshot;
  readonly takenOver: boolean;
  /** Answers that matter to the whole of the load. */
  readonly seen: readonly SeenExchange[];
  readonly sideEffects: readonly Readonly<Record<string, string | null>>[];
}

/** Tells keys apart where they must not be known: a hash, cut short, which no key follows from. */
export function keyId(key: string): string {
  return createHash('sha256').update(`gatecheck/key/${key}`).digest('hex').slice(0, 32);
}

/** Names of what is kept in Redis. */
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

/** Nothing of a load is kept for longer, whatever became of it. */
export const keptSeconds = 7200;
