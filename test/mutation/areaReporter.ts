import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { schema } from '@stryker-mutator/api/core';
import type { Reporter } from '@stryker-mutator/api/report';
import { acceptedAs, loadAccepted } from './accepted.ts';
import { reportFolder } from './paths.ts';
import { countAreas, renderScores, renderSurvivors } from './renderAreas.ts';
import { survivorsOf } from './survivors.ts';
import { readUndecided } from './undecided.ts';

/** Prints the score of each area, and writes `reports/mutation/mutation.md` with all survivors. */
export class AreaReporter implements Reporter {
  onMutationTestReportReady(report: Readonly<schema.MutationTestResult>): void {
    const groups = loadAccepted();
    const undecided = readUndecided();
    const judged = survivorsOf(report).map((survivor) => ({
      survivor,
      accepted: acceptedAs(survivor, groups),
      undecided: undecided.get(survivor.key) ?? [],
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
