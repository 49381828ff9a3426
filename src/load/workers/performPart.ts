import type { Redis } from 'ioredis';
import type { Clock } from '../../core/clock.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import type { Arrival } from '../plan/arrivals.ts';
import { drive, type Lease } from '../send/drive.ts';
import { leasesInTurn } from '../send/leases.ts';
import { partRecorder } from '../processes/parts.ts';
import { missAfterMs } from '../plan/plan.ts';
import type { Recorder } from '../send/recorder.ts';
import type { Sender } from '../send/sender.ts';
import { type LoadSetup, type PartJob, shareOf, keptSeconds, redisKeys } from './messages.ts';
import type { Hold } from './serveJobs.ts';
import type { SharedBudget } from './sharedBudget.ts';
import type { SharedClock } from './sharedClock.ts';

interface PartOptions {
  readonly setup: LoadSetup;
  readonly job: PartJob;
  /** How the part is held; the attempt with the highest number wins. */
  readonly hold: Hold;
  /** In the order of the set-up. */
  readonly keys: readonly ApiKey[];
  readonly redis: Redis;
  readonly budget: SharedBudget;
  readonly clock: Clock;
  readonly sharedClock: SharedClock;
  readonly signal: AbortSignal;
  readonly senderFor: (recorder: Recorder) => Sender;
}

/** How long before its time a part is claimed: what a lost worker only held is sent by another. */
const claimLeadMs = 400;
/** If Redis takes longer to answer, it is in trouble: what only this worker may send is sent anyway. */
const patienceMs = 250;

interface PerformedPart {
  readonly recorder: Recorder;
  /** Another worker had started it, and was lost. */
  readonly takenOver: boolean;
}

/** Sends one part of a load at its time, or what a lost worker left of it after the end of the load. */
export async function performPart(options: PartOptions): Promise<PerformedPart> {
  const { setup, job, clock, sharedClock, keys, signal, hold } = options;
  const recorder = partRecorder(setup);
  const takenOver = hold.attempt > 1;
  const shiftMs = takenOver ? await shiftBehindEnd(options) : 0;
  const dueAt = sharedClock.toMonotonic(setup.startAt) + job.slice.fromMs + shiftMs;
  await clock.sleep(Math.max(0, dueAt - claimLeadMs - clock.monotonic()), signal).catch(() => undefined);
  if (signal.aborted) return { recorder, takenOver };
  const before = await claimWhole(options, dueAt + job.slice.toMs - job.slice.fromMs);
  if (before < 0) return { recorder, takenOver };
  // The lost worker may have sent what it had claimed, and the answers are lost with it.
  recorder.lose(before);
  const rest = shareOf(setup.plan, job.slice, job.share, setup.shares).slice(before);
  const sender = options.senderFor(recorder);
  await drive(
    rest.map((arrival) => ({ ...arrival, atMs: arrival.atMs + shiftMs })),
    {
      clock,
      startAt: sharedClock.toMonotonic(setup.startAt),
      maxInFlight: setup.maxInFlight,
      missAfterMs,
      signal,
      lease: (chunk) => (setup.plan.withinLimits ? leaseShared(options, chunk) : leasesInTurn(keys)(chunk)),
      send: (lease, intended) => sender.send(lease, intended),
      miss: (arrival, reason) => recorder.miss(arrival.atMs, reason),
      onLaunched: hold.onLaunched,
    },
  );
  if (options.signal.aborted) await sender.cutOff(clock);
  return { recorder, takenOver };
}

/**
 * Claims all of a part; returns how many arrivals were claimed before, or -1 if another worker has it now. While Redis does not
 * answer, a part that nobody else can get until it is sent is sent without a claim, which is noted once Redis is back.
 */
async function claimWhole({ setup, job, redis, clock, hold }: PartOptions, sentBy: number): Promise<number> {
  const part = partName(job);
  const claim = new Claim(redis, { runId: setup.runId, part, attempt: hold.attempt });
  const answer = claim.take(partSize(job, setup.shares));
  // Whoever awaits it gets the error; until then it must not count as unhandled.
  answer.catch(() => undefined);
  const early = await Promise.race([answer, clock.sleep(patienceMs).then(() => null)]);
  if (early !== null) return early;
  return hold.attempt === 1 && hold.heldUntil() > sentBy ? 0 : answer;
}

export function partName({ slice, share }: PartJob): string {
  return `${slice.index}-${share}`;
}

/** How many arrivals a part has. */
export function partSize({ slice, share }: PartJob, shares: number): number {
  return Math.floor((slice.count - share - 1) / shares) + 1;
}

/** A part whose time has passed gets a place after the end, as many at a time as there are shares, so that the rate stays the same. */
async function shiftBehindEnd({ setup, job, redis, sharedClock }: PartOptions): Promise<number> {
  const sinceStart = sharedClock.now() - setup.startAt;
  if (sinceStart < job.slice.fromMs) return 0;
  const place = await nextMadeUp(redis, setup.runId);
  const lengthMs = job.slice.toMs - job.slice.fromMs;
  const at = setup.endMs + Math.floor(place / setup.shares) * lengthMs;
  return Math.max(at, sinceStart + 200) - job.slice.fromMs;
}

async function leaseShared(
  { budget, keys, setup, job, hold }: PartOptions,
  chunk: readonly Arrival[],
): Promise<readonly Lease[]> {
  const first = chunk[0]?.index ?? 0;
  const name = `${setup.runId}/${partName(job)}/${hold.attempt}/${first}`;
  const places = await budget.take(chunk.length, first, name);
  return chunk.map((arrival, index) => {
    const place = places[index] ?? -1;
    return {
      arrival,
      key: keys[place] ?? null,
      // If this is lost, the slot stays taken for longer, which does no harm.
      done: () =>
        void (place < 0 ? undefined : budget.done(place, `${name}:${index}`).catch(() => undefined)),
    };
  });
}

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
async function nextMadeUp(redis: Redis, runId: string): Promise<number> {
  const place = await redis.incr(redisKeys.madeUp(runId));
  await redis.expire(redisKeys.madeUp(runId), keptSeconds);
  return place - 1;
}
