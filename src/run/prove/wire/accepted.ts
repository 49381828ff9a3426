import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { packageRoot } from '../../../catalogue/packageRoot.ts';
import { matches } from '../../../catalogue/pattern.ts';
import { families, type Mutant } from '../../../wire/mutants/place.ts';
import { conditionIds } from '../../../wire/traits.ts';

const text = z.string().trim().min(1);
const texts = z
  .union([text, z.array(text).min(1)])
  .transform((value) => (Array.isArray(value) ? value : [value]));

const patternSchema = z.strictObject({
  family: z.enum(families),
  /** Operations or callbacks, * allowed. */
  about: texts,
  /** Statuses of answers, or where the inputs are, * allowed. */
  at: texts.optional(),
  /** Paths, * allowed; empty for the whole message. */
  path: z
    .union([z.string(), z.array(z.string()).min(1)])
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .optional(),
  operator: texts.optional(),
  condition: z.array(z.enum(conditionIds)).min(1).optional(),
});

const groupSchema = z.strictObject({
  /** Why each of them conforms, in our own words. */
  because: text,
  /** What the documents say, word for word, with the section. */
  quotes: z.array(text).min(1),
  /** Whether some of their effects break a rule, for example if the lost input was invalid: then a failing must is right. */
  partly: z.boolean().default(false),
  mutants: z.array(patternSchema).min(1),
});

/** Mutants that conform, all for the same reason. */
export type AcceptedGroup = z.infer<typeof groupSchema>;
type Pattern = AcceptedGroup['mutants'][number];

export function loadAccepted(
  file = join(packageRoot(), 'fixtures', 'wire', 'accepted.yaml'),
): readonly AcceptedGroup[] {
  return z.array(groupSchema).parse(parse(readFileSync(file, 'utf8')));
}

/** The group that accepts a mutant; null if it has to be noticed. */
export function acceptedAs(mutant: Mutant, groups: readonly AcceptedGroup[]): AcceptedGroup | null {
  return groups.find(({ mutants }) => mutants.some((pattern) => covers(pattern, mutant))) ?? null;
}

/** Patterns that match no mutant, and so are out of date. */
export function stalePatterns(
  mutants: readonly Mutant[],
  groups: readonly AcceptedGroup[],
): readonly string[] {
  return groups
    .flatMap((group) => group.mutants)
    .filter((pattern) => !mutants.some((mutant) => covers(pattern, mutant)))
    .map((pattern) => JSON.stringify(pattern));
}

function covers(pattern: Pattern, mutant: Mutant): boolean {
  const { about, at, path, operator, condition } = pattern;
  const place = String(mutant.status ?? mutant.carrier ?? 'any');
  return (
    pattern.family === mutant.family &&
    isOneOf(about, mutant.about) &&
    isOneOf(at, place) &&
    isOneOf(path, mutant.path) &&
    isOneOf(operator, mutant.operator) &&
    (condition === undefined || condition.includes(mutant.condition))
  );
}

function isOneOf(patterns: readonly string[] | undefined, value: string): boolean {
  return patterns === undefined || patterns.some((pattern) => matches(pattern, value));
}
