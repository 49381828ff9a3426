import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import type { LoadPart, PartSetup } from '../processes/parts.ts';
import { arrivalsOf, slicesOf, type Arrival, type Slice } from '../plan/arrivals.ts';
import type { LoadPlan } from '../plan/plan.ts';
import { settlesWithin } from '../../core/settlesWithin.ts';

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

/** Consecutive slices that are handed out together, each worker its share of all of them. */
interface Stretch extends Slice {
  readonly slices: readonly Slice[];
}

/** With more workers than this, the coordinator's cost per part outweighs what is lost with a worker. */
const fewWorkers = 40;
const longParts = 5;

/** The sections of a load: of a second each, or of five if there are many workers. */
export function stretchesOf(plan: LoadPlan, workers: number): readonly Stretch[] {
  const length = workers > fewWorkers ? longParts : 1;
  const groups = Map.groupBy(slicesOf(plan), ({ index }) => Math.floor(index / length));
  return [...groups.values()].flatMap((slices) => {
    const [first, last] = [slices[0], slices.at(-1)];
    if (!first || !last) return [];
    return { ...first, slices, toMs: last.toMs, count: slices.reduce((sum, { count }) => sum + count, 0) };
  });
}

/** The arrivals of a section that one of several workers sends. */
export function shareOf(plan: LoadPlan, { slices }: Stretch, share: number, of: number): readonly Arrival[] {
  const all = slices.flatMap((slice) => [...arrivalsOf(plan, slice)]);
  return all.filter((_arrival, place) => place % of === share);
}

// A worker of another version may report more or less: it is refused by name instead of ignored.
const presenceSchema = z.object({
  name: z.string(),
  target: z.strictObject({ webcheckin: z.string(), 'flight-alerts': z.string() }),
  keys: z.array(z.string()),
  /** Whether it may go beyond the documented limits of its target. */
  beyondLimits: z.boolean(),
  /** Version of Gatecheck, and of the messages between workers and loads. */
  version: z.string().default('an older version'),
  seenAt: z.number(),
});

/** The announcement of a worker. */
export type Presence = z.infer<typeof presenceSchema>;

const refreshMs = 2000;
/** A worker that was silent for this long counts as gone. */
const goneMs = 7000;
/** How long a leave may take. */
const leaveMs = 1000;

/** Announces a worker again and again; returns a function that stops it. */
export async function announce(
  redis: Redis,
  presence: Omit<Presence, 'seenAt'>,
): Promise<() => Promise<void>> {
  const say = async () => {
    const [seconds] = await redis.time();
    const told: Presence = { ...presence, seenAt: Number(seconds) * 1000 };
    await redis.hset(redisKeys.presence, presence.name, JSON.stringify(told));
  };
  await say();
  const timer = setInterval(() => void say().catch(() => undefined), refreshMs);
  return async () => {
    clearInterval(timer);
    // Without a leave it is taken for gone a little later.
    const leave = redis.hdel(redisKeys.presence, presence.name).catch(() => 0);
    await settlesWithin(leave, leaveMs);
  };
}

/** The workers that are there now; forgets those long gone. */
export async function present(redis: Redis): Promise<readonly Presence[]> {
  const [seconds] = await redis.time();
  const now = Number(seconds) * 1000;
  const entries = Object.entries(await redis.hgetall(redisKeys.presence));
  const read = entries.map(([name, text]) => [name, presenceSchema.safeParse(parse(text)).data] as const);
  const gone = read.filter(([, one]) => one === undefined || one.seenAt < now - goneMs).map(([name]) => name);
  if (gone.length > 0) await redis.hdel(redisKeys.presence, ...gone);
  return read.flatMap(([, one]) => (one !== undefined && one.seenAt >= now - goneMs ? [one] : []));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
