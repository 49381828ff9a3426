import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { schema } from '@stryker-mutator/api/core';
import type { Reporter } from '@stryker-mutator/api/report';
import { acceptedAs, loadAccepted } from './accepted.ts';
import { reportFolder, undecidedFile } from './paths.ts';
import { countAreas, renderScores, renderSurvivors } from './renderAreas.ts';
import { survivorsOf } from './survivors.ts';

/** Prints the score of each area, and writes `reports/mutation/mutation.md` with all survivors. */
export class AreaReporter implements Reporter {
  onDryRunCompleted(): void {
    rmSync(undecidedFile, { force: true });
  }

  onMutationTestReportReady(report: Readonly<schema.MutationTestResult>): void {
    const groups = loadAccepted();
    const undecided = readUndecided();
    const judged = survivorsOf(report).map((survivor) => ({
      survivor,
      accepted: acceptedAs(survivor, groups),
      undecided: undecided.get(survivor.id) ?? [],
    }));
    const scores = renderScores(countAreas(report, judged));
    mkdirSync(reportFolder, { recursive: true });
    writeFileSync(
      join(reportFolder, 'mutation.md'),
      `# Mutants of the reference\n\n${scores}\n\n${renderSurvivors(judged)}\n`,
    );
    process.stdout.write(`\n${scores}\n\nSurvivors: reports/mutation/mutation.md\n`);
  }
}

function readUndecided(): ReadonlyMap<string, readonly string[]> {
  if (!existsSync(undecidedFile)) return new Map();
  const lines = readFileSync(undecidedFile, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const { mutant, rows } = JSON.parse(line) as { mutant: string; rows: readonly string[] };
      return [mutant, rows];
    }),
  );
}
