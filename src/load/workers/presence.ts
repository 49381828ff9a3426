import type { Redis } from 'ioredis';
import { z } from 'zod';
import { settlesWithin } from '../../core/settlesWithin.ts';
import { redisKeys } from './messages.ts';

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
