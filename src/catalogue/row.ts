import { z } from 'zod';
import type { DeepReadonly } from '../core/deepReadonly.ts';
import { apis } from '../core/operations.ts';

/** Who must do it, and how strictly; `consumer` binds the caller, which is Gatecheck itself; `open` is never judged unless pinned. */
export const levels = ['must', 'should', 'may', 'consumer', 'open'] as const;

/** What it takes to see the rule at work: the rarest of the things needed; others are listed in `needs`. */
const observations = [
  'black-box', // any key of an enterprise
  'recorded', // judged wherever it occurs in the traffic; cannot be provoked
  'second-key', // two keys of one enterprise
  'second-enterprise', // a key of another enterprise
  'both-apis', // a deployment that offers both APIs
  'special-key', // a revoked, disabled, unentitled or otherwise prepared key
  'real-time', // waiting for a rolling window, or a clock that can be moved
  'state-handler', // a state that the deployment is put into
  'sink', // receiving callbacks
  'not-observable', // nothing; such a row is excused
] as const;

const text = z.string().trim().min(1);
const id = z.string().regex(/^[A-Z]{3}-[A-Z]{2,3}-\d{3}$/, 'expected an id such as WCI-SUB-001');

const source = z.strictObject({ document: z.enum(['web-check-in', 'flight-alerts']), section: text });

const common = {
  id,
  api: z.enum(['shared', ...apis]),
  source: z.union([source.transform((one) => [one]), z.array(source).min(1)]),
  title: text,
  /** The sentence, or the row of a table, of the document that it follows from, word for word; null where none says it alone. */
  quote: text.nullable().default(null),
  observe: z.enum(observations),
  needs: z.array(z.enum(observations)).default([]),
  excused: text.nullable().default(null),
};

/** One normative statement, as written in the fixture. */
export const requirementSchema = z.strictObject({
  ...common,
  level: z.enum(levels).exclude(['open']),
  /** A condition in the statement that only the deployment can bring about, in words that follow `where`; null for most. */
  condition: text.nullable().default(null),
  derived: z.enum(['necessary', 'plausible']).nullable().default(null),
  trap: text.nullable().default(null),
  /** What a run must have for its ordinary traffic to show the rule, such as `state:provider.fail`; null for most. */
  sampleNeeds: text.nullable().default(null),
  /** What a judgement of it compares that a recording may not hold. */
  restsOn: z.array(z.enum(['credentials', 'registration', 'sender', 'date-header'])).default([]),
  /** Rows that say less of the same mistake: where both are broken, one mistake explains both, and this row tells more of it. */
  narrows: z.array(id).default([]),
});

/** One question that the documents leave open, with the answers that conforming deployments may give. */
export const openPointSchema = z.strictObject({
  ...common,
  level: z.literal('open'),
  variants: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'expected kebab-case'),
        title: text,
      }),
    )
    .min(1),
  /** The variant that only means that the others were not met, which a shorter look may show for the same deployment; null for most. */
  unmet: text.nullable().default(null),
  openEnded: z.boolean().default(false),
  affects: z.array(id).default([]),
});

/** One of the two documents and its headings, in reading order. */
export const documentSchema = z.strictObject({
  id: source.shape.document,
  title: text,
  version: text,
  sections: z.array(text).min(1),
});

/** What somebody who repairs it wants to know, of a requirement or of all of an area whose ids begin so. */
export const adviceSchema = z.strictObject({
  for: z
    .string()
    .regex(/^[A-Z]{3}-[A-Z]{2,3}(-\d{3})?$/, 'expected an id or the beginning of ids, such as WCI-SUB'),
  /** Why it matters to a partner. */
  why: text.optional(),
  /** Where on the server to look first. */
  look: text.optional(),
});

export type Level = (typeof levels)[number];
export type AdviceRow = DeepReadonly<z.infer<typeof adviceSchema>>;
export type SourceDocument = DeepReadonly<z.infer<typeof documentSchema>>;
/** One normative statement of the documents, with all defaults set. */
export type Requirement = DeepReadonly<z.infer<typeof requirementSchema>>;
/** One question that the documents leave open, with all defaults set. */
export type OpenPoint = DeepReadonly<z.infer<typeof openPointSchema>>;
export type CatalogueRow = Requirement | OpenPoint;
