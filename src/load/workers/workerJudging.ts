import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { findingSchema } from '../../engine/findings/finding.ts';
import type { JudgedPart } from '../judge/judgeShare.ts';
import type { LoadJudge } from '../judge/loadJudge.ts';
import { judgedEveryMs } from '../processes/parts.ts';
import { keptSeconds, redisKeys } from './messages.ts';

/** How long to wait for the last report. */
const patienceMs = 5000;
const lookMs = 100;
/** A longer text does not come from a worker. */
const longestText = 8_000_000;

const count = z.int().nonnegative();
const counts = z.object({ samples: count, violations: count });
const reportSchema = z.object({
  isLast: z.boolean(),
  part: z.object({
    counts: z.object({ seen: count, judged: count, leastShare: z.number().min(0).max(1) }),
    rules: z.array(
      z.object({ requirement: z.string(), rest: counts, load: counts, fault: z.string().nullable() }),
    ),
    findings: z.array(findingSchema),
    broken: z.record(z.string(), z.number()),
    forgotten: count,
    made: z.array(z.tuple([z.string(), z.array(z.string())])),
  }),
});

interface HandInOptions {
  readonly redis: Redis;
  readonly runId: string;
  /** Name of the worker. */
  readonly name: string;
  readonly judge: LoadJudge;
  /** The command line of the load, which reproduces its findings. */
  readonly command: string;
  readonly clock: Clock;
}

/** Reports what a worker judged, completely each time, so that nothing is added twice. */
export class JudgedHandIn {
  readonly #options: HandInOptions;
  #handedAt: number;
  #isOver = false;

  constructor(options: HandInOptions) {
    this.#options = options;
    this.#handedAt = options.clock.monotonic();
  }

  /** Called after each part: reports the judgements so far, at intervals. */
  async afterPart(): Promise<void> {
    const { clock } = this.#options;
    if (this.#isOver || clock.monotonic() - this.#handedAt < judgedEveryMs) return;
    this.#handedAt = clock.monotonic();
    await this.#handIn(false);
  }

  /** Called when the load is over: judges what was waiting, and sends the last report. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.judge.end();
    await this.#handIn(true);
  }

  async #handIn(isLast: boolean): Promise<void> {
    const { redis, runId, name, judge, command } = this.#options;
    const key = redisKeys.judged(runId);
    await redis.hset(key, name, JSON.stringify({ isLast, part: judge.part(command) }));
    await redis.expire(key, keptSeconds);
  }
}

/** Adds the workers' judgements to the judge of the load; returns the workers whose last judgements did not arrive. */
export async function collectJudged(
  redis: Redis,
  runId: string,
  {
    judge,
    clock,
    workers,
  }: { readonly judge: LoadJudge; readonly clock: Clock; readonly workers: readonly string[] },
): Promise<readonly string[]> {
  await redis.publish(redisKeys.over(runId), '1');
  const until = clock.monotonic() + patienceMs;
  let reports = await readReports(redis, runId);
  const missing = () => workers.filter((name) => reports.get(name)?.isLast !== true);
  while (missing().length > 0 && clock.monotonic() < until) {
    await clock.sleep(lookMs);
    reports = await readReports(redis, runId);
  }
  for (const { part } of reports.values()) judge.absorb(part);
  await redis.del(redisKeys.judged(runId));
  return missing();
}

interface Report {
  readonly isLast: boolean;
  readonly part: JudgedPart;
}

async function readReports(redis: Redis, runId: string): Promise<ReadonlyMap<string, Report>> {
  const reports = new Map<string, Report>();
  for (const [name, text] of Object.entries(await redis.hgetall(redisKeys.judged(runId)))) {
    const read = text.length > longestText ? null : reportSchema.safeParse(parse(text)).data;
    if (read) reports.set(name, read);
  }
  return reports;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
