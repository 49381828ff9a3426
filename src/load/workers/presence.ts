import type { Redis } from 'ioredis';
import { z } from 'zod';
import { redisKeys } from './messages.ts';

// A worker of another version may say more, or less: it is refused by its name, and not overlooked.
const presenceSchema = z.object({
  name: z.string(),
  target: z.strictObject({ webcheckin: z.string(), 'flight-alerts': z.string() }),
  keys: z.array(z.string()),
  /** Whether it may go beyond the documented limits of its target. */
  beyondLimits: z.boolean(),
  /** Version of Gatecheck, and of what workers and loads say to each other. */
  version: z.string().default('an older version'),
  seenAt: z.number(),
});

/** A worker as it says that it is there. */
export type Presence = z.infer<typeof presenceSchema>;

const refreshMs = 2000;
/** A worker that has not been heard of for so long is taken as gone. */
const goneMs = 7000;

/** Says again and again that a worker is there; returns the end of that. */
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
    await redis.hdel(redisKeys.presence, presence.name).catch(() => 0);
  };
}

/** The workers that are there now; those long gone are forgotten. */
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
