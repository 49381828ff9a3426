import { existsSync, readFileSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { Location, Mutant } from '@stryker-mutator/api/core';
import { acceptedAs, loadAccepted } from './accepted.ts';
import { projectRoot, survivedFile } from './paths.ts';
import { codeOf, placeOf, type MutantPlace } from './survivors.ts';

/** Whether all that a pattern accepts counts as a survivor without being tried: those take longest. */
const skipsAccepted = process.env.SKIP_ACCEPTED === '1';

/** The mutants that survived a run before, and that nobody has to do anything about: not worth the time of another. */
export class Settled {
  readonly #accepted = loadAccepted();
  readonly #survived = new Set(
    existsSync(survivedFile) ? readFileSync(survivedFile, 'utf8').split('\n') : [],
  );

  has(place: MutantPlace): boolean {
    return (skipsAccepted || this.#survived.has(lineOf(place))) && acceptedAs(place, this.#accepted) !== null;
  }

  /** Remembers a survivor for later runs. */
  async note(place: MutantPlace): Promise<void> {
    await appendFile(survivedFile, `${lineOf(place)}\n`);
  }
}

/** Where a mutant stands in the project, which the runner has a copy of. */
export async function placeInProject({ fileName, location, ...mutant }: Mutant): Promise<MutantPlace> {
  const file = relative(projectRoot, resolve(projectRoot, fileName));
  const lines = (await readFile(resolve(projectRoot, file), 'utf8')).split('\n');
  const { start, end } = location;
  return placeOf(file, lines, { ...mutant, location: { start: fromOne(start), end: fromOne(end) } });
}

/** Mutants in memory count lines and columns from 0, reports from 1. */
function fromOne({ line, column }: Location['start']): Location['start'] {
  return { line: line + 1, column: column + 1 };
}

function lineOf(place: MutantPlace): string {
  return encodeURI(codeOf(place));
}
