import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { acceptedFile } from './paths.ts';
import type { MutantPlace } from './survivors.ts';

const text = z.string().trim().min(1);

const groupSchema = z.strictObject({
  /** `equivalent`: no behavior changes. `open`: the documents allow both. `unseen`: no check is meant to see it. */
  kind: z.enum(['equivalent', 'open', 'unseen']),
  because: text,
  mutants: z
    .array(
      z.strictObject({
        /** Glob below `src/reference/`. */
        file: text,
        /** Regular expression of the code that is replaced. */
        code: text.optional(),
        /** Regular expression of the line on which that code starts. */
        line: text.optional(),
        /** Regular expression of the whole name of the function, method or constant around it. */
        within: text.optional(),
        mutator: text.optional(),
        replacement: z.string().optional(),
      }),
    )
    .min(1),
});

/** Survivors that nobody has to do anything about, for one reason. */
export type AcceptedGroup = z.infer<typeof groupSchema>;

export function loadAccepted(): readonly AcceptedGroup[] {
  return z.array(groupSchema).parse(parse(readFileSync(acceptedFile, 'utf8')));
}

/** The reason for which a survivor is accepted; null for one that a check should have caught. */
export function acceptedAs(survivor: MutantPlace, groups: readonly AcceptedGroup[]): AcceptedGroup | null {
  return groups.find(({ mutants }) => mutants.some((mutant) => covers(mutant, survivor))) ?? null;
}

function covers(mutant: AcceptedGroup['mutants'][number], survivor: MutantPlace): boolean {
  const { file, code = '', line = '', within = '.*', mutator = survivor.mutator, replacement } = mutant;
  return (
    matchesGlob(survivor.file, `src/reference/${file}`) &&
    new RegExp(code, 's').test(survivor.original) &&
    new RegExp(line).test(survivor.sourceLine) &&
    new RegExp(`^(?:${within})$`).test(survivor.within) &&
    mutator === survivor.mutator &&
    (replacement === undefined || replacement === survivor.replacement)
  );
}
