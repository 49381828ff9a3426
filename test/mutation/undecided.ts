import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Location, Mutant } from '@stryker-mutator/api/core';
import { projectRoot, reportFolder, undecidedFile } from './paths.ts';

/**
 * Notes the rows that a survivor left undecided, perhaps none: nobody would approve such a deployment, and yet nothing
 * failed. Stryker's results have no place for it. Later notes replace earlier ones, as incremental runs need it.
 */
export async function noteUndecided(mutant: Mutant, rows: readonly string[]): Promise<void> {
  const { fileName, location, mutatorName, replacement } = mutant;
  const file = relative(projectRoot, resolve(projectRoot, fileName));
  // Mutants in memory count lines and columns from 0, reports from 1.
  const [line, column] = [location.start.line + 1, location.start.column + 1];
  await mkdir(reportFolder, { recursive: true });
  await appendFile(
    undecidedFile,
    `${JSON.stringify({ mutant: keyOf(file, { line, column }, mutatorName, replacement), rows })}\n`,
  );
}

/** The rows that survivors left undecided, by key. */
export function readUndecided(): ReadonlyMap<string, readonly string[]> {
  if (!existsSync(undecidedFile)) return new Map();
  const lines = readFileSync(undecidedFile, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const { mutant, rows } = JSON.parse(line) as { mutant: string; rows: readonly string[] };
      return [mutant, rows];
    }),
  );
}

/** Names a mutant from run to run, for which its id is no good. */
export function keyOf(
  file: string,
  { line, column }: Location['start'],
  mutator: string,
  replacement: string | undefined,
): string {
  return `${file}:${line}:${column} ${mutator} ${replacement ?? ''}`;
}
