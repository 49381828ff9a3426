import { systemClock } from '../../src/core/clock.ts';
import {
  redisKeys,
  heldParts,
  partLockMs,
  queueName,
  type LoadSetup,
  type PartJob,
  type PartResult,
  announce,
} from '../../src/load/workers/messages.ts';
import { performPart } from '../../src/load/workers/performPart.ts';
import { connectRedis } from '../../src/load/workers/redis.ts';
import { serveJobs } from '../../src/load/workers/serveJobs.ts';
import { SharedBudget } from '../../src/load/workers/sharedBudget.ts';
import { SharedClock } from '../../src/load/workers/sharedClock.ts';
import type { Recorder } from '../../src/load/send/recorder.ts';
import type { Sender } from '../../src/load/send/sender.ts';
import { keysOf, target, version } from './setup.ts';

// A worker that does all that a worker does but for sending and judging: `node bench/workers/worker.ts NAME REDIS KEYS SLOW_MS`.
// A slow one holds its event loop up for so long in every half second.

const [name = '', url = '', keyCount = '1', slowMs = '0'] = process.argv.slice(2);
const redis = await connected(10);
const clock = new SharedClock(redis, systemClock);
const signal = new AbortController().signal;
const setups = new Map<string, Promise<LoadSetup>>();
const keys = keysOf(Number(keyCount));
const identities = { target, keys: keys.map(({ id }) => id), beyondLimits: true, version };
await announce(redis, { name, ...identities });
process.stdout.write('there\n');
if (Number(slowMs) > 0) setInterval(hold, 500);

await serveJobs<PartJob, PartResult>({
  ...{ redis, name, signal, queue: queueName, atOnce: heldParts, paceMs: 200, lockMs: partLockMs },
  notice: () => undefined,
  perform: async (job, held) => {
    const setup = await setupFor(job.runId);
    await clock.measure();
    const { recorder, takenOver } = await performPart({
      ...{ setup, job, redis, sharedClock: clock, clock: systemClock, signal, hold: held },
      keys: keys.map(({ label }) => ({ label, enterprise: 'primary', value: label })),
      budget: new SharedBudget(redis, { ids: [], limits: setup.limits, holdMs: 0 }),
      senderFor: (into) => senderOf(into) as unknown as Sender,
    });
    return {
      worker: name,
      snapshot: recorder.snapshot(),
      takenOver,
      sideEffects: [],
      seen: [],
      waits: [],
      failed: 0,
    };
  },
});

/** Answers come after 1 to 20 ms, and are recorded as those of a deployment are. */
function senderOf(recorder: Recorder): Pick<Sender, 'send'> {
  return {
    send: async ({ arrival, key }, intended) => {
      const sent = systemClock.monotonic();
      await systemClock.sleep(1 + (arrival.draw % 20));
      const received = systemClock.monotonic();
      const { offsetMs } = clock.shared;
      recorder.record(
        {
          ...{ operation: arrival.operation, status: '200', kind: 'ok', atMs: arrival.atMs, example: null },
          ...{
            latencyMs: received - intended,
            serviceMs: received - sent,
            latenessMs: Math.max(0, sent - intended),
          },
        },
        [key.label, sent + offsetMs, received + offsetMs, 'admitted'],
      );
    },
  };
}

function setupFor(runId: string): Promise<LoadSetup> {
  const known =
    setups.get(runId) ??
    redis.get(redisKeys.setup(runId)).then((text) => JSON.parse(text ?? '') as LoadSetup);
  setups.set(runId, known);
  return known;
}

function hold(): void {
  const until = performance.now() + Number(slowMs);
  while (performance.now() < until);
}

/** Beside hundreds of others that start, a connection may take its time. */
async function connected(tries: number): Promise<Awaited<ReturnType<typeof connectRedis>>> {
  try {
    return await connectRedis(url);
  } catch (error) {
    if (tries <= 1) throw error;
    return connected(tries - 1);
  }
}
