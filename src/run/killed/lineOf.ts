import { z } from 'zod';
import { findingSchema } from '../../engine/findings/finding.ts';
import { verdictStatuses } from '../../judge/kernel/verdict.ts';
import { foundSchema, type LimitsFound } from '../../engine/keys/limitsSchema.ts';
import type { RecordedOutcome } from '../../engine/observe/runRecord.ts';
import { journalLineOf, type JournalLine } from '../../send/journalLine.ts';
import { journalLineSchema } from '../recorded/journalLines.ts';
import type { RecordedHead } from './head.ts';

// A journal may have been cut, damaged, or written by another version: nothing in it is taken for what it should be.

const text = z.string();
const count = z.number().min(0);
const violated = z.object({ violated: z.array(text).optional() });
/** What a note of a request lacks of an exchange. */
const unanswered = { type: 'exchange', durationMs: 0, response: null, failure: null };

/** One line; null if it is none, as where the run was killed while it wrote. */
export function lineOf(text: string): JournalLine | null {
  const line = journalLineOf(text);
  if (line === null || line.type === 'event') return line;
  const whole = line.type === 'sending' ? { ...line, ...unanswered } : line;
  const isWhole = journalLineSchema.safeParse(whole).success && violated.safeParse(line).success;
  return isWhole ? line : null;
}

const head = z.looseObject({
  runId: text.min(1),
  startedAt: z.int(),
  command: text,
  capabilities: z.array(text),
  target: z.looseObject({
    kind: z.enum(['embedded', 'url', 'image']),
    baseUrls: z.record(text, text),
    image: text.optional(),
  }),
  settings: z.looseObject({
    apis: z.array(z.enum(['webcheckin', 'flight-alerts'])),
    profile: z.enum(['smoke', 'standard', 'full']),
    seed: z.int(),
    only: z.array(text),
    openPoints: z.record(text, z.unknown()),
    require: z.array(text),
  }),
});

/** What identifies the run; a text says what is wrong with it. */
export function recordedHead(data: unknown): RecordedHead | string {
  const { success, error } = head.safeParse(data);
  return success
    ? (data as RecordedHead)
    : `${error.issues[0]?.path.join('.') ?? ''} is missing or of another kind`;
}

const verdict = z.object({
  status: z.enum(verdictStatuses),
  samples: count,
  reason: text.nullable(),
  evidence: z.array(text).optional(),
  isUnexercised: z.literal(true).optional(),
});
const outcome = z.object({
  ...{ check: text, title: text, verdict, requests: count, findings: z.array(findingSchema) },
  verdicts: z.array(z.tuple([text, verdict])),
});

/** An outcome of a check; null if another version wrote it, so that the check stays undecided. */
export function recordedOutcome(data: unknown): RecordedOutcome | null {
  return outcome.safeParse(data).success ? (data as RecordedOutcome) : null;
}

/** What a limit check found; null if another version wrote it. */
export function recordedLimits(data: unknown): LimitsFound | null {
  return foundSchema.safeParse(data).data ?? null;
}
