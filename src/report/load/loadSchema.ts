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

export const loadSchema = z
  .strictObject({
    mode: z.enum(['open', 'saturation']),
    plan: z.strictObject({
      seed: z.int(),
      ratePerSecond: z.number().nullable().describe('null where as much as the target gives was sent'),
      arrivals: z.enum(['steady', 'poisson']).nullable(),
      durationMs: ms,
      maxRequests: count,
      mix: z.array(z.strictObject({ operation, weight: z.number() })),
      withinLimits: z.boolean(),
      keys: count,
      workers: count.describe('0: this process alone'),
      connections: count.nullable(),
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
        lost: count.describe('broken off, or sent by a worker that was lost: nobody knows the answer'),
        unsent: count.describe('of the plan, what an interrupt or a loss left undone'),
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
      .describe('how exact the rate limiter was, as far as it is certain; null where that cannot be told'),
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
      })
      .nullable(),
  })
  .describe('what a load came to');

export type LoadResult = z.infer<typeof loadSchema>;
