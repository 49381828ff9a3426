import { z } from 'zod';
import { operationIds } from '../../core/operations.ts';

// The parts of the load section of result.json; loadSchema.ts combines them.

export const count = z.int().min(0);
export const ms = z.number().min(0);
export const operation = z.enum(operationIds as readonly [string, ...string[]]);

export const percentiles = z.strictObject({
  count,
  minMs: ms,
  p50Ms: ms,
  p90Ms: ms,
  p95Ms: ms,
  p99Ms: ms,
  p999Ms: ms,
  maxMs: ms,
});

export const kind = z
  .enum(['ok', 'refused', 'error'])
  .describe('refused: 429; error: no answer, or an unexpected one');

export const stages = z.array(
  z.strictObject({ fromPerSecond: z.number().min(0), toPerSecond: z.number().min(0), durationMs: ms }),
);

export const capacity = z.strictObject({
  bounds: z.array(z.string()),
  heldPerSecond: z.number().nullable().describe('the highest rate that every trial sustained'),
  brokenPerSecond: z.number().nullable().describe('the lowest rate that was not sustained'),
  confidence: z
    .number()
    .describe('1 minus the chance that a rate sustained half of the time would have looked the same'),
  isWhole: z.boolean(),
  limitedBy: z.enum(['limiter', 'errors', 'queueing', 'latency', 'sender', 'nothing-seen']),
  why: z.string(),
  trials: z.array(
    z.strictObject({
      ratePerSecond: z.number(),
      held: z.boolean(),
      okPerSecond: z.number(),
      p50Ms: ms,
      p99Ms: ms,
      refused: count,
      errors: count,
      missed: count,
      lateP99Ms: z.number().exactOptional().describe('99 % of the requests were sent at most this late'),
      inFlight: z.number().describe("mean requests in flight, by Little's law"),
      notMet: z.array(z.string()),
    }),
  ),
});

const ruleCounts = z.strictObject({ samples: count, violations: count });

export const correctness = z.strictObject({
  seen: count.describe('answers of the load'),
  judged: count.describe('how many of them the oracles judged: all writes, and all reads or a sample'),
  leastShare: z.number().describe('the least share of reads that was judged at any time'),
  atRest: count.describe('exchanges before and after the load, all judged'),
  callbacks: count,
  rules: count.describe('must and should that were judged'),
  broken: z.array(
    z.strictObject({
      requirement: z.string(),
      when: z.enum(['at-rest', 'under-load', 'unknown-at-rest']),
      perSecond: z.number().nullable().describe('requests per second when it was first broken'),
      rest: ruleCounts,
      load: ruleCounts,
    }),
  ),
  forgotten: count
    .exactOptional()
    .describe(
      'records and requests that the judge forgot, since its memory is bounded: nothing more is judged about them',
    ),
});

export const sender = z.strictObject({
  cpu: z.number().describe('CPU time over elapsed time; 1 is one core'),
  busy: z.number().describe('share of the time that the event loop was busy'),
  loopDelay: z.strictObject({ p50Ms: ms, p99Ms: ms, maxMs: ms }),
  gc: z.strictObject({ count, totalMs: ms, longestMs: ms }),
  peakMemoryMb: z.number(),
  socketWait: z
    .strictObject({ p50Ms: ms, p99Ms: ms, maxMs: ms })
    .nullable()
    .optional()
    .describe('how long requests waited for a connection, a new one included; null if nobody knows'),
  doubts: z.array(z.string()).describe('why the sender may have caused the figures; empty if it did not'),
  surePerSecond: z.number().nullable().describe('the highest rate of the load at which there is no doubt'),
});

export const journeys = z.array(
  z.strictObject({
    journey: z.string(),
    begun: count,
    done: count,
    failed: count,
    brokenOff: count.describe('by the end of the load or an interrupt'),
    time: percentiles.describe('from the intended start to the end, including think times and waits'),
    steps: z.array(z.strictObject({ step: z.string(), time: percentiles, failed: count })),
    failures: z.array(z.strictObject({ step: z.string(), why: z.string(), count })),
  }),
);

export const changes = z.strictObject({
  caused: count,
  told: count.describe('webhooks that came to the right address'),
  taken: count
    .exactOptional()
    .describe('of these, those that the sink has taken; a sink in trouble refuses some'),
  untilTaken: percentiles.exactOptional().describe('times from a change to the delivery that the sink took'),
  lost: count.describe('changes that brought no webhook'),
  repeated: count,
  retries: z
    .array(z.strictObject({ turn: count, interval: percentiles }))
    .describe('times between one delivery of a change and the next'),
});

export const counts = z.strictObject({
  planned: count,
  sent: count.describe('ok, refused and errors'),
  ok: count,
  refused: count,
  errors: count,
  missed: z
    .strictObject({ late: count, inFlight: count, limits: count })
    .describe('not sent in time: the sender was behind, too many were in flight, no key had a slot'),
  lost: count.describe('broken off, or sent by a worker that was lost: the answer is unknown'),
  unsent: count.describe('the part of the plan that an interrupt or a loss left undone'),
  warmUp: count.exactOptional().describe('planned before the figures begin'),
});

export const limiter = z.strictObject({
  admitted: count,
  refused: count,
  expectedRefused: z
    .tuple([count, count])
    .describe('by a rolling log, whether refused requests count or not'),
  overAdmitted: z.array(
    z.strictObject({
      key: z.string(),
      limit: count,
      windowMs: ms,
      admitted: count,
      from: z.number(),
    }),
  ),
  underAdmitted: z.array(
    z.strictObject({
      key: z.string(),
      count,
      first: z.number(),
      atMost: count,
      limit: count,
    }),
  ),
});
