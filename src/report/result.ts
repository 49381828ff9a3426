import { z } from 'zod';
import { apis } from '../core/operations.ts';
import { profiles } from '../core/settings.ts';
import { findingSchema } from '../engine/findings/finding.ts';
import { limitsSchema, type LimitsResult } from '../engine/keys/limitsSchema.ts';
import { verdictStatuses } from '../judge/kernel/verdict.ts';
import { gateSchema } from './gate.ts';
import { loadSchema } from '../load/summary/summarySchema.ts';

// One long file on purpose: it is the published shape of result.json from top to bottom, except for findings.

const count = z.int().min(0);
const instant = z.iso.datetime();
const text = z.string();

/** Levels in a result file; rows that bind the caller (`consumer`) are not part of it. */
export const resultLevels = ['must', 'should', 'may', 'open'] as const;
export const runVerdicts = ['conformant', 'partial', 'nonconformant', 'inconclusive'] as const;

const coverage = z
  .strictObject({
    judged: count.describe('requirements with a verdict of pass, fail or warn'),
    total: count.describe('all that apply to the APIs of the target'),
    excused: count.optional().describe('of the total, those that cannot be observed from outside'),
    notApplicable: count
      .optional()
      .describe('of the total, those whose condition the deployment did not bring about'),
  })
  .describe('how many requirements of one level were judged');

const source = z.strictObject({
  document: text.describe('web-check-in or flight-alerts'),
  section: text.describe('heading in that document'),
});

const requirementSchema = z.strictObject({
  id: text.min(1),
  title: text,
  level: z.enum(resultLevels),
  source: z.array(source),
  verdict: z.enum(verdictStatuses),
  checks: z.array(text).describe('ids of the checks that verify it'),
  samples: count.describe('how often it was exercised'),
  baselined: z
    .boolean()
    .describe('true where the baseline has every finding of it, or all that kept it from being judged'),
  reason: text
    .nullable()
    .describe('why it is not a pass: what failed, was observed, is missing, did not apply, or went wrong'),
  api: z.enum([...apis, 'shared']).optional(),
  quote: text.optional().describe('the sentence of the document that it follows from, word for word'),
  advice: z
    .strictObject({ why: text, look: text })
    .optional()
    .describe('why it matters to a partner, and where on the server to look first; of what has findings'),
  excused: text.optional().describe('why it cannot be observed from outside; such a row is always skipped'),
  pinned: text.optional().describe('the value that an open point is pinned to'),
  evidence: z.array(text).optional().describe('ids of the last exchanges of the case that left it undecided'),
  judgedBy: z
    .record(text, count)
    .optional()
    .describe('the checks that judged it, and how often each of them exercised it'),
  heldBackBy: z
    .array(text)
    .optional()
    .describe('fingerprints of the findings that kept it from being judged'),
  narrows: z
    .array(text)
    .optional()
    .describe('requirements that say less of the same mistake: where both are broken, this one tells more'),
});

const openPointSchema = z.strictObject({
  id: text.min(1),
  title: text,
  observed: text.nullable().describe('the variant that the deployment shows; null if it was not seen'),
  pinned: text.nullable().describe('the variant that the configuration demands'),
  variants: z
    .array(z.strictObject({ name: text, title: text }))
    .optional()
    .describe('the answers that conforming deployments may give'),
});

const sideEffectSchema = z.strictObject({
  kind: z.enum(['checkin', 'subscription', 'quota', 'state']),
  certainty: z.enum(['certain', 'possible']).describe('possible: after a timeout or a 500'),
  id: text.nullable().describe('id that the target gave; null if none came back'),
  key: text.nullable().describe('label of the key'),
  createdAt: instant,
  exchange: text.nullable().describe('id in the evidence file; null if the state handler did it'),
});

const timingSchema = z.strictObject({
  operation: text,
  count,
  p50Ms: z.number().min(0),
  p95Ms: z.number().min(0),
  p99Ms: z.number().min(0),
  maxMs: z.number().min(0),
});

/** The complete schema of result.json, version 1. Unknown members are refused. */
export const resultSchema = z.strictObject({
  schemaVersion: z.literal(1),
  tool: z.strictObject({
    name: z.literal('gatecheck'),
    version: text,
    catalogue: text.describe('version of the requirement catalogue'),
    documents: z
      .array(z.strictObject({ id: text, title: text, version: text }))
      .optional()
      .describe('the documents that the catalogue is drawn from'),
  }),
  run: z.strictObject({
    id: text.min(1),
    startedAt: instant,
    durationMs: z.number().min(0),
    profile: z.enum(profiles),
    seed: z.int(),
    shard: z.strictObject({ index: z.int().min(1), total: z.int().min(1) }).nullable(),
    command: text.describe('the command line of the run'),
    only: z
      .array(text)
      .optional()
      .describe('patterns of --only: the result counts what they select; missing if everything was judged'),
    onlyOf: z.int().min(1).optional().describe('how many requirements there are without --only'),
    end: z
      .enum(['completed', 'budget', 'interrupted', 'target-lost', 'key-refused', 'not-this-api', 'cut-short'])
      .optional()
      .describe(
        'why the run ended; completed: the plan was done; cut-short: killed, and restored from its journal',
      ),
  }),
  target: z.strictObject({
    kind: z.enum(['embedded', 'url', 'image']),
    image: text.optional().describe('the container image that it was started from'),
    name: text.optional().describe('its name in the configuration'),
    baseUrl: text.nullable().describe('null if the APIs have different hosts'),
    baseUrls: z.partialRecord(z.enum(apis), text),
    apis: z.array(z.enum(apis)),
    capabilities: z.array(text),
  }),
  summary: z.strictObject({
    verdict: z.enum(runVerdicts),
    coverage: z.strictObject({ must: coverage, should: coverage }),
    passed: count,
    failed: count,
    warned: count,
    observed: count,
    // Missing in results from before it was counted.
    notApplicable: count.optional().describe('those whose condition the deployment did not bring about'),
    skipped: count,
    inconclusive: count,
    requests: count,
    callbacks: count,
    quotaUnits: count,
    throttled: count.describe('answers with status 429 outside the limit checks'),
    exitCode: z.int().optional(),
    gate: gateSchema.optional(),
    reasons: z
      .array(text)
      .optional()
      .describe('why the verdict or the exit code is not better, a sentence each'),
  }),
  requirements: z.array(requirementSchema),
  openPoints: z.array(openPointSchema),
  findings: z.array(findingSchema),
  sideEffects: z.array(sideEffectSchema).describe('everything that the run left behind'),
  limits: limitsSchema.optional().describe('what the limit checks found, if they ran'),
  load: loadSchema.optional().describe('the results of a load, if there was one'),
  timings: z.array(timingSchema).optional().describe('response times by operation'),
});

/** What a run found, as stored in result.json and rendered by every report. */
export type RunResult = z.infer<typeof resultSchema>;
export type RequirementResult = z.infer<typeof requirementSchema>;
export type OpenPointResult = z.infer<typeof openPointSchema>;
export type { LimitsResult };
export type OperationTiming = z.infer<typeof timingSchema>;
export type RunVerdict = (typeof runVerdicts)[number];
export type Coverage = z.infer<typeof coverage>;
