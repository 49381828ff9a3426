import { z } from 'zod';
import * as parts from './loadParts.ts';

const { count, ms, operation, percentiles, kind, stages } = parts;

/** The load section of result.json. */
export const loadSchema = z
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
    counts: parts.counts.describe('each planned request has exactly one fate'),
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
        lateMs: ms.exactOptional().describe('how late the latest request in it was sent'),
      }),
    ),
    curve: z.strictObject({ shares: z.array(z.number()), ms: z.array(ms) }),
    limiter: parts.limiter
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
    correctness: parts.correctness
      .exactOptional()
      .describe('whether what was answered and delivered under load was right'),
    sender: parts.sender.exactOptional().describe('resources that the sending process itself used'),
    capacity: parts.capacity
      .exactOptional()
      .describe('the highest rate that is sustained, if it was searched for'),
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
    journeys: parts.journeys.exactOptional().describe('what virtual partners did, journey by journey'),
    changes: parts.changes.exactOptional().describe('changes that journeys caused by the state handler'),
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

export type LoadResult = z.infer<typeof loadSchema>;
