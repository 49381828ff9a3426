import { z } from 'zod';
import { operationIds } from '../../core/operations.ts';

// One long file on purpose: it is the published shape of the load part of result.json from top to bottom.

const count = z.int().min(0);
const ms = z.number().min(0);
const operation = z.enum(operationIds as readonly [string, ...string[]]);

const percentiles = z.strictObject({
  count,
  minMs: ms,
  p50Ms: ms,
  p90Ms: ms,
  p95Ms: ms,
  p99Ms: ms,
  p999Ms: ms,
  maxMs: ms,
});

const kind = z
  .enum(['ok', 'refused', 'error'])
  .describe('refused: 429; error: no answer, or one that was not due');

const stages = z.array(
  z.strictObject({ fromPerSecond: z.number().min(0), toPerSecond: z.number().min(0), durationMs: ms }),
);

const capacity = z.strictObject({
  bounds: z.array(z.string()),
  heldPerSecond: z.number().nullable().describe('the highest rate that every trial held'),
  brokenPerSecond: z.number().nullable().describe('the lowest rate that was not held'),
  confidence: z
    .number()
    .describe('1 less the chance that a rate held half of the time would have looked the same'),
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
      lateP99Ms: z.number().exactOptional().describe('99 % of the requests were sent at most so late'),
      inFlight: z.number().describe("mean requests in flight, by Little's law"),
      notMet: z.array(z.string()),
    }),
  ),
  usl: z
    .strictObject({
      lambda: z.number(),
      sigma: z.number().describe('contention'),
      kappa: z.number().describe('coherence'),
      peakInFlight: z.number().nullable(),
      peakPerSecond: z.number().nullable(),
      r2: z.number(),
    })
    .nullable()
    .describe('the universal scalability law fitted to all trials'),
});

const ruleCounts = z.strictObject({ samples: count, violations: count });

const correctness = z.strictObject({
  seen: count.describe('answers of the load'),
  judged: count.describe('how many of them the oracles looked at: all writes, and all reads or a sample'),
  leastShare: z.number().describe('the least share of reads that was judged at any time'),
  atRest: count.describe('exchanges before and after the load, all judged'),
  callbacks: count,
  rules: count.describe('must and should that were judged'),
  broken: z.array(
    z.strictObject({
      requirement: z.string(),
      when: z.enum(['at-rest', 'under-load', 'unknown-at-rest']),
      perSecond: z.number().nullable().describe('requests a second when it was broken first'),
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

export const loadSchema = z
  .strictObject({
    mode: z.enum(['open', 'saturation']),
    plan: z.strictObject({
      seed: z.int(),
      ratePerSecond: z.number().nullable().describe('null where the load was as fast as the target answered'),
      arrivals: z.enum(['steady', 'poisson']).nullable(),
      durationMs: ms,
      maxRequests: count,
      mix: z.array(z.strictObject({ operation, weight: z.number() })),
      withinLimits: z.boolean(),
      twins: z
        .boolean()
        .exactOptional()
        .describe('true where two workers subscribed some bookings at the same time'),
      keys: count,
      workers: count.describe('0: this process alone'),
      connections: count.nullable(),
      stages: stages.exactOptional().describe('how the rate changes; absent where it does not'),
      warmUpMs: ms.exactOptional().describe('what comes before is in the course only'),
      journeys: z.array(z.strictObject({ journey: z.string(), weight: z.number() })).exactOptional(),
      ownShapes: z
        .array(z.strictObject({ journey: z.string(), stages }))
        .exactOptional()
        .describe('journeys with a course of their own'),
    }),
    counts: z
      .strictObject({
        planned: count,
        sent: count.describe('ok, refused and errors'),
        ok: count,
        refused: count,
        errors: count,
        missed: z
          .strictObject({ late: count, inFlight: count, limits: count })
          .describe('not sent in time: the sender was behind, too many were in flight, no key had a slot'),
        lost: count.describe('broken off, or sent by a worker that was lost: the answer is not known'),
        unsent: count.describe('of the plan, what an interrupt or a loss left undone'),
        warmUp: count.exactOptional().describe('planned before the figures begin'),
      })
      .describe('each planned request has exactly one fate'),
    elapsedMs: ms,
    okPerSecond: z.number().min(0),
    sentPerSecond: z.number().min(0),
    latency: percentiles.describe('from the intended time of sending; answers of the limiter left out'),
    service: percentiles.describe('from sending'),
    lateness: percentiles.describe('from the intended time to sending'),
    operations: z.array(
      z.strictObject({
        operation,
        latency: percentiles,
        statuses: z.array(
          z.strictObject({
            status: z.string().describe('HTTP status, or why no answer came'),
            kind,
            count,
            latency: percentiles,
            histogram: z.string().describe('HDR histogram V2 of microseconds, compressed, base64'),
            example: z.string().nullable(),
          }),
        ),
      }),
    ),
    stepMs: z.number().positive(),
    steps: z.array(
      z.strictObject({
        atMs: ms,
        sent: count,
        ok: count,
        refused: count,
        errors: count,
        missed: count,
        p50Ms: ms,
        p95Ms: ms,
        p99Ms: ms,
        maxMs: ms,
        lateMs: ms.exactOptional().describe('the latest send in it, behind its time'),
      }),
    ),
    curve: z.strictObject({ shares: z.array(z.number()), ms: z.array(ms) }),
    limiter: z
      .strictObject({
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
      })
      .nullable()
      .describe('how exact the rate limiter was, as far as it is certain; null where that cannot be known'),
    callbacks: percentiles.nullable().describe('delay of callbacks; null without a sink'),
    thresholds: z.array(
      z.strictObject({
        threshold: z.string(),
        met: z.boolean(),
        samples: count,
        actual: z.string().nullable(),
      }),
    ),
    workers: z
      .strictObject({
        expected: count,
        took: z.array(z.strictObject({ worker: z.string(), slices: count, sent: count })),
        takenOver: count.describe('parts taken over from workers that were lost'),
        incomplete: z.boolean(),
        unheard: z.array(z.string()).exactOptional().describe('workers whose last judgements did not come'),
      })
      .nullable(),
    correctness: correctness
      .exactOptional()
      .describe('whether what was answered and delivered under load was right'),
    fairness: z
      .strictObject({
        tenants: count,
        leastServed: count,
        mostServed: count,
        jain: z
          .number()
          .describe("Jain's fairness index of the shares that were served: 1 if all are served equally"),
        bytesPerKey: count.describe('that the pacing keeps'),
        noisy: z
          .strictObject({
            share: z.number(),
            before: percentiles.describe('the others, in the first half'),
            during: percentiles.describe('the others, while one tenant was noisy'),
            own: percentiles,
            refused: count,
            othersRefused: count,
            verdict: z.enum(['slower', 'same', 'unsure', 'too-few']),
          })
          .nullable(),
      })
      .exactOptional()
      .describe('how evenly many tenants were served'),
    reconnects: z
      .strictObject({
        count: count.describe('how often all connections were closed at once'),
        everyMs: ms,
        after: percentiles.describe('from sending to the answer, of what was sent within a second of it'),
        otherwise: percentiles,
        failed: count.describe('requests without an answer, sent within a second of it'),
      })
      .exactOptional(),
    sender: z
      .strictObject({
        cpu: z.number().describe('CPU time over elapsed time; 1 is one core'),
        busy: z.number().describe('share of the time that the event loop was at work'),
        loopDelay: z.strictObject({ p50Ms: ms, p99Ms: ms, maxMs: ms }),
        gc: z.strictObject({ count, totalMs: ms, longestMs: ms }),
        peakMemoryMb: z.number(),
        doubts: z
          .array(z.string())
          .describe("why figures may be the sender's fault; empty where they are not"),
        surePerSecond: z
          .number()
          .nullable()
          .describe('the highest rate of the load at which there is no doubt'),
      })
      .exactOptional()
      .describe('what the sending process itself took'),
    capacity: capacity.exactOptional().describe('the highest rate that is held, where it was looked for'),
    compared: z
      .array(
        z.strictObject({
          what: z.string(),
          verdict: z.enum(['faster', 'slower', 'same', 'not-comparable']),
          ratio: z
            .strictObject({ middle: z.number(), low: z.number(), high: z.number() })
            .nullable()
            .describe('now over then'),
          text: z.string(),
        }),
      )
      .exactOptional()
      .describe('with an earlier load'),
    journeys: z
      .array(
        z.strictObject({
          journey: z.string(),
          begun: count,
          done: count,
          failed: count,
          brokenOff: count.describe('by the end of the load or an interrupt'),
          time: percentiles.describe(
            'from the intended beginning to the end, think times and waits included',
          ),
          steps: z.array(z.strictObject({ step: z.string(), time: percentiles, failed: count })),
          failures: z.array(z.strictObject({ step: z.string(), why: z.string(), count })),
        }),
      )
      .exactOptional()
      .describe('what virtual partners did, journey by journey'),
    changes: z
      .strictObject({
        caused: count,
        told: count.describe('webhooks that came to the right address'),
        lost: count.describe('changes that brought no webhook'),
        repeated: count,
        retries: z
          .array(z.strictObject({ turn: count, interval: percentiles }))
          .describe('times between one delivery of a change and the next'),
      })
      .exactOptional()
      .describe('changes that journeys caused by the state handler'),
    aborted: z
      .strictObject({
        threshold: z.string(),
        met: z.boolean(),
        samples: count,
        actual: z.string().nullable(),
        atMs: ms,
      })
      .exactOptional()
      .describe('the threshold that ended the load before its time'),
  })
  .describe('what a load came to');

export type LoadResult = z.infer<typeof loadSchema>;
