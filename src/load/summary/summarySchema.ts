import { z } from 'zod';
import type { DeepReadonly } from '../../core/deepReadonly.ts';
import { operationIds } from '../../core/operations.ts';

const count = z.int().min(0);
const ms = z.number().min(0);
const operation = z.enum(operationIds);

const percentiles = z.strictObject({
  ...{ count, minMs: ms, p50Ms: ms, p90Ms: ms, p95Ms: ms },
  ...{ p99Ms: ms, p999Ms: ms, maxMs: ms },
});

const kind = z
  .enum(['ok', 'refused', 'error'])
  .describe('refused: 429; error: no answer, or an unexpected one');

const stages = z.array(
  z.strictObject({ fromPerSecond: z.number().min(0), toPerSecond: z.number().min(0), durationMs: ms }),
);

const capacity = z.strictObject({
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
      p50Ms: ms.nullable().describe('null if nothing was answered'),
      p99Ms: ms.nullable(),
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

const correctness = z.strictObject({
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

const sender = z.strictObject({
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

const journeys = z.array(
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

const changes = z.strictObject({
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

const counts = z.strictObject({
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

const limiter = z.strictObject({
  admitted: count,
  refused: count,
  expectedRefused: z
    .tuple([count, count])
    .describe('by a rolling log, whether refused requests count or not'),
  overAdmitted: z.array(
    z.strictObject({ key: z.string(), limit: count, windowMs: ms, admitted: count, from: z.number() }),
  ),
  underAdmitted: z.array(
    z.strictObject({ key: z.string(), count, first: z.number(), atMost: count, limit: count }),
  ),
});

const schema = z
  .strictObject({
    mode: z.enum(['open', 'saturation']),
    plan: z.strictObject({
      seed: z.int(),
      ratePerSecond: z.number().nullable().describe('null if the load was as fast as the target answered'),
      arrivals: z.enum(['steady', 'poisson']).nullable(),
      durationMs: ms,
      maxRequests: count,
      mix: z.array(z.strictObject({ operation, weight: z.number() })),
      withinLimits: z.boolean(),
      twins: z
        .boolean()
        .exactOptional()
        .describe('true if two workers subscribed some bookings at the same time'),
      keys: count,
      workers: count.describe('0: this process alone'),
      connections: count.nullable(),
      stages: stages.exactOptional().describe('how the rate changes; missing if it does not'),
      warmUpMs: ms.exactOptional().describe('earlier requests are only in the course'),
      journeys: z.array(z.strictObject({ journey: z.string(), weight: z.number() })).exactOptional(),
      ownShapes: z
        .array(z.strictObject({ journey: z.string(), stages }))
        .exactOptional()
        .describe('journeys with a course of their own'),
    }),
    counts: counts.describe('each planned request has exactly one fate'),
    elapsedMs: ms,
    okPerSecond: z.number().min(0),
    sentPerSecond: z.number().min(0),
    latency: percentiles.describe('from the intended send time; without answers of the limiter'),
    service: percentiles.describe('from sending'),
    lateness: percentiles.describe('from the intended to the actual send time'),
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
        ...{ atMs: ms, sent: count, ok: count, refused: count, errors: count, missed: count },
        ...{ p50Ms: ms, p95Ms: ms, p99Ms: ms, maxMs: ms },
        lateMs: ms.exactOptional().describe('how late the latest request in it was sent'),
      }),
    ),
    curve: z.strictObject({ shares: z.array(z.number()), ms: z.array(ms) }),
    limiter: limiter
      .nullable()
      .describe('how exact the rate limiter was, as far as certain; null if unknown'),
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
        unheard: z.array(z.string()).exactOptional().describe('workers whose last judgements did not arrive'),
      })
      .nullable(),
    processes: z
      .strictObject({
        expected: count,
        lost: z.array(
          z.strictObject({
            process: count,
            why: z.string(),
            atMs: ms.describe('from the start of the load'),
            unknown: count.describe('requests that it may have sent since it last reported'),
          }),
        ),
      })
      .exactOptional()
      .describe('processes of this machine that were lost while they sent; missing if none was'),
    correctness: correctness
      .exactOptional()
      .describe('whether what was answered and delivered under load was right'),
    sender: sender.exactOptional().describe('resources that the sending process itself used'),
    capacity: capacity.exactOptional().describe('the highest rate that is sustained, if it was searched for'),
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
    journeys: journeys.exactOptional().describe('what virtual partners did, journey by journey'),
    changes: changes.exactOptional().describe('changes that journeys caused by the state handler'),
    aborted: z
      .strictObject({
        threshold: z.string(),
        met: z.boolean(),
        samples: count,
        actual: z.string().nullable(),
        atMs: ms,
      })
      .exactOptional()
      .describe('the threshold that stopped the load early'),
  })
  .describe('the results of a load');

/** The results of a load, as stored in result.json. */
export type LoadSummary = DeepReadonly<z.infer<typeof schema>>;

/** The load section of result.json. */
export const loadSchema: z.ZodType<LoadSummary> = schema;

/** Percentiles of durations, in milliseconds. */
export type Percentiles = LoadSummary['latency'];

/** The highest rate that a deployment sustains within the bounds. */
export type Capacity = NonNullable<LoadSummary['capacity']>;

/** How exact the limiter was under load, as far as it is certain whatever the network did. */
export type Accuracy = NonNullable<LoadSummary['limiter']>;

/** Whether a deployment stayed correct under load. */
export type Correctness = NonNullable<LoadSummary['correctness']>;

/** Resources that the sending process itself used. */
export type OwnHealth = NonNullable<LoadSummary['sender']>;

export type WorkersSummary = NonNullable<LoadSummary['workers']>;

/** The processes of this machine that sent a load, where some were lost. */
export type ProcessesSummary = NonNullable<LoadSummary['processes']>;
