import { z } from 'zod';
import type { Headers } from '../../core/evidence.ts';
import { valueSchema } from '../valueSchema.ts';
import { hash32 } from '../../core/random.ts';

/** A requirement id, a dot and eight hexadecimal digits, such as `WCI-STS-004.1a2b3c4d`. */
export const fingerprintPattern = /^[A-Z]{3}-[A-Z]{2,3}-\d{3}\.[0-9a-f]{8}$/;

/**
 * The name of a defect, the same in every run: derived from the rule, from what showed it and from the kind of violation, but
 * from nothing that differs from run to run. It contains the requirement's id, so that a stale baseline entry can be recognized.
 */
export function fingerprintOf(requirement: string, ...parts: readonly string[]): string {
  return `${requirement}.${hash32(parts.join('\n')).toString(16).padStart(8, '0')}`;
}

/** The requirement that a fingerprint belongs to. */
export function requirementOf(fingerprint: string): string {
  return fingerprint.slice(0, fingerprint.lastIndexOf('.'));
}

const text = z.string();

/** A broken rule as result.json reports it; secrets are replaced by labels. */
export const findingSchema = z.strictObject({
  fingerprint: text
    .regex(fingerprintPattern)
    .describe('the same for the same defect in every run; a baseline names it'),
  requirement: text.min(1),
  check: text.min(1),
  confirmed: text.regex(/^\d+ of \d+$/).describe('how often it showed, of how many tries'),
  message: text,
  expected: text,
  actual: text,
  at: text
    .optional()
    .describe(
      'the place that shows it: a path in a body, a header, `answer` or `callback` for one as a whole',
    ),
  want: valueSchema.optional().describe('what the rule wants there, as data'),
  got: valueSchema.optional().describe('what came'),
  because: z
    .array(z.strictObject({ exchange: text, text }))
    .optional()
    .describe('what made the expectation true, in order; what breaks it comes last'),
  counterexample: text.nullable().describe('the smallest case that shows it, for reading'),
  reproduce: z.strictObject({
    seed: z.int(),
    path: text.nullable().describe('path of fast-check to the shrunk case'),
    command: text.describe('one line to paste, which sends the stored case again'),
    curl: text
      .nullable()
      .describe(
        'the decisive request as a curl command, keys as environment variables; null if that would show nothing',
      ),
  }),
  exchanges: z.array(text).describe('ids in the evidence file'),
  decisive: text
    .optional()
    .describe('id of the exchange or callback whose answer or content breaks the rule'),
  alsoBreaks: z
    .array(text)
    .optional()
    .describe('other requirements that the decisive exchange or callback breaks by itself'),
  follows: z
    .array(text)
    .optional()
    .describe(
      'requirements whose breach may explain this one: broken by its request, by answers before it, or by the booking of its record',
    ),
  code: text.optional().describe('kind of violation'),
  level: z.enum(['must', 'should', 'may', 'open']).optional(),
  severity: z
    .enum(['fail', 'warn', 'inconclusive'])
    .optional()
    .describe(
      'warn if a should is broken or a must did not fail again; inconclusive if it could not be tried again',
    ),
  baselined: z.boolean().optional().describe('true if the baseline lists it'),
  case: z.json().optional().describe('the complete failing case, as replay sends it again'),
  logs: z
    .array(z.strictObject({ at: z.iso.datetime(), container: text, text }))
    .optional()
    .describe('what the containers of an image target logged while the exchanges were under way'),
});

export type Finding = z.infer<typeof findingSchema>;

/** The `case` of a finding, so that it can be reproduced: what to run, and what was sent and answered. */
export interface StoredCase {
  readonly check: string;
  /** Name of the row or property that showed it. */
  readonly caseName: string;
  readonly seed: number;
  readonly cases: number;
  readonly path: string | null;
  /** The whole check has to run again: an oracle saw it in passing, not the check that caused the exchange. */
  readonly whole: boolean;
  /** For what the explorer came to: the situations to bring about again, in order. */
  readonly story?: readonly string[];
  readonly steps: readonly StoredStep[];
  /** Callbacks that showed it. */
  readonly deliveries: readonly StoredDelivery[];
}

export interface StoredDelivery {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
  /** What the sink answered. */
  readonly answer: string;
}

export interface StoredStep {
  readonly operation: string | null;
  readonly method: string;
  readonly target: string;
  readonly key: string | null;
  /** Whose key it is. */
  readonly enterprise?: string | null;
  readonly body: string | null;
  readonly status: number | null;
  readonly code: string | null;
}
