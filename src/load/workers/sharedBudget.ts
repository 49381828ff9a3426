import type { Redis } from 'ioredis';
import type { Settings } from '../../core/settings.ts';
import { redisKeys } from './messages.ts';

/** A store may count whole seconds: a slot is treated as free this much later than the documents say. */
const slackMs = 1000;

/**
 * One rolling log for each key, in Redis, on the Redis clock. An entry is at the time of the answer, or, while that is unknown
 * (for ever, if its worker is lost), at the latest time that it may come, so that a log never counts less than a server may. A
 * token bucket or BullMQ's own limiter (a counter for a fixed window) would let twice the limit through at an edge.
 */
const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local perMinute, perHour = tonumber(ARGV[1]), tonumber(ARGV[2])
local slack, hold, wanted = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local turn, name = tonumber(ARGV[6]), ARGV[7]
local taken = {}
for place = 0, wanted - 1 do
  local found = -1
  for step = 0, #KEYS - 1 do
    local index = (turn + place + step) % #KEYS
    local key = KEYS[index + 1]
    if step > 0 or place == 0 or place < #KEYS then
      redis.call('ZREMRANGEBYSCORE', key, '-inf', now - 3600000 - slack)
    end
    if redis.call('ZCARD', key) < perHour and
       redis.call('ZCOUNT', key, now - 60000 - slack, '+inf') < perMinute then
      redis.call('ZADD', key, now + hold, name .. ':' .. place)
      redis.call('PEXPIRE', key, 3600000 + hold + slack)
      found = index
      break
    end
  end
  taken[#taken + 1] = found
end
return taken
`;

const doneScript = `
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], 'XX', time[1] * 1000 + math.ceil(time[2] / 1000), ARGV[1])
`;

interface BudgetOptions {
  /** Hashes of the keys. */
  readonly ids: readonly string[];
  readonly limits: Settings['limits'];
  /** Longest time that a slot is taken before the answer has come. */
  readonly holdMs: number;
}

/** The rate budget of each key, shared by all who use it. */
export class SharedBudget {
  readonly #redis: Redis;
  readonly #ids: readonly string[];
  readonly #limits: Settings['limits'];
  readonly #holdMs: number;

  constructor(redis: Redis, { ids, limits, holdMs }: BudgetOptions) {
    this.#redis = redis;
    this.#ids = ids;
    this.#limits = limits;
    this.#holdMs = holdMs;
  }

  /** Slots for some requests, starting with the key of this turn: indices of keys, or -1 if none has room. `name` is unique. */
  async take(wanted: number, turn: number, name: string): Promise<readonly number[]> {
    const { perMinute, perHour } = this.#limits;
    const keys = this.#ids.map(redisKeys.key);
    const args = [perMinute, perHour, slackMs, this.#holdMs, wanted, turn, name] as const;
    return (await this.#redis.eval(takeScript, keys.length, ...keys, ...args)) as number[];
  }

  /** Called when the answer has come: the slot is free a window from now. */
  async done(key: number, name: string): Promise<void> {
    await this.#redis.eval(doneScript, 1, redisKeys.key(this.#ids[key] ?? ''), name);
  }

  /** Adds requests that were sent before, at times of the shared clock. */
  async remember(key: number, times: readonly number[], name: string): Promise<void> {
    if (times.length === 0) return;
    const id = redisKeys.key(this.#ids[key] ?? '');
    await this.#redis.zadd(id, ...times.flatMap((at, index) => [Math.ceil(at), `${name}:${index}`]));
    await this.#redis.pexpire(id, 3_600_000 + slackMs);
  }
}
