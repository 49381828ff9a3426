import type { Redis } from 'ioredis';
import { keptSeconds, redisKeys } from './messages.ts';

/**
 * Notes how far a part was sent, before it is sent. A worker that takes a part over continues after that mark, so that no
 * arrival is sent twice; and a worker that was believed lost and comes back has to stop (-1), by the number of its attempt. One
 * atomic step in Redis, so that two workers never interleave.
 */
const claimScript = `
local mark = redis.call('HGET', KEYS[1], ARGV[1])
local attempt, upTo = 0, 0
if mark then
  local parts = {}
  for part in string.gmatch(mark, '[^:]+') do parts[#parts + 1] = tonumber(part) end
  attempt, upTo = parts[1], parts[2]
end
if tonumber(ARGV[2]) < attempt then return -1 end
local next = math.max(upTo, tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ':' .. next)
redis.call('EXPIRE', KEYS[1], ARGV[4])
return upTo
`;

/** The progress mark of one part. */
export class Claim {
  readonly #redis: Redis;
  readonly #runId: string;
  readonly #part: string;
  readonly #attempt: number;

  constructor(
    redis: Redis,
    { runId, part, attempt }: { readonly runId: string; readonly part: string; readonly attempt: number },
  ) {
    this.#redis = redis;
    this.#runId = runId;
    this.#part = part;
    this.#attempt = attempt;
  }

  /** Claims the first `upTo` arrivals; returns how many were claimed before, or -1 if another worker has the part now. */
  async take(upTo: number): Promise<number> {
    const args = [this.#part, this.#attempt, upTo, keptSeconds] as const;
    return Number(await this.#redis.eval(claimScript, 1, redisKeys.claims(this.#runId), ...args));
  }
}

/** How many arrivals of each part were claimed by any worker. */
export async function claimedCounts(redis: Redis, runId: string): Promise<ReadonlyMap<string, number>> {
  const marks = await redis.hgetall(redisKeys.claims(runId));
  return new Map(Object.entries(marks).map(([part, mark]) => [part, Number(mark.split(':')[1] ?? 0)]));
}

/** The next free place after the end of a load, for a part that has to be sent late. */
export async function nextMadeUp(redis: Redis, runId: string): Promise<number> {
  const place = await redis.incr(redisKeys.madeUp(runId));
  await redis.expire(redisKeys.madeUp(runId), keptSeconds);
  return place - 1;
}
