import type { schema } from '@stryker-mutator/api/core';
import { keyOf } from './undecided.ts';

/** What a mutant changes, and where. */
export interface MutantPlace {
  readonly file: string;
  readonly line: number;
  /** Characters before it on its line, indentation aside. */
  readonly offset: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** The whole line on which the mutation starts. */
  readonly sourceLine: string;
  /** The function, method or constant that the mutation stands in; empty at the top of a file. */
  readonly within: string;
}

/** A mutant that no check noticed, ready to be shown. */
export interface Survivor extends MutantPlace {
  /** The same from run to run, as long as its line does not move. */
  readonly key: string;
  /** False where no check even runs the code. */
  readonly reached: boolean;
  /** Rows whose checks run the code, those that reach the fewest mutants first. */
  readonly rows: readonly string[];
}

/** All mutants of a report that survived, in the order of the source. */
export function survivorsOf(report: schema.MutationTestResult): readonly Survivor[] {
  const nameOf = testNames(report);
  const spread = spreadOf(report);
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .sort((a, b) => a.location.start.line - b.location.start.line)
      .map((mutant): Survivor => {
        const tests = [...(mutant.coveredBy ?? [])].sort(
          (a, b) => (spread.get(a) ?? 0) - (spread.get(b) ?? 0),
        );
        return {
          key: keyOf(file, mutant.location.start, mutant.mutatorName, mutant.replacement),
          ...placeOf(file, lines, mutant),
          reached: mutant.status === 'Survived',
          rows: tests
            .map((test) => nameOf.get(test)?.split(' ', 1)[0] ?? test)
            .filter((row) => row !== 'the'),
        };
      });
  });
}

/** Names a mutant by its code alone, however its line moves. */
export function codeOf({ file, sourceLine, offset, mutator, replacement }: MutantPlace): string {
  return [file, sourceLine.trim(), offset, mutator, replacement].join('|');
}

/** Where a mutant stands, by the lines of its file and its location in a report. */
export function placeOf(
  file: string,
  lines: readonly string[],
  mutant: Pick<schema.MutantResult, 'location' | 'mutatorName' | 'replacement'>,
): MutantPlace {
  const { line } = mutant.location.start;
  const sourceLine = lines[line - 1] ?? '';
  return {
    file,
    line,
    mutator: mutant.mutatorName,
    original: textAt(lines, mutant.location),
    replacement: mutant.replacement ?? '',
    sourceLine,
    offset: mutant.location.start.column - 1 - (sourceLine.length - sourceLine.trimStart().length),
    within: declarationAt(lines, line),
  };
}

function testNames(report: schema.MutationTestResult): ReadonlyMap<string, string> {
  const tests = Object.values(report.testFiles ?? {}).flatMap((file) => file.tests);
  return new Map(tests.map(({ id, name }) => [id, name]));
}

/** How many mutants each test reaches. */
function spreadOf(report: schema.MutationTestResult): ReadonlyMap<string, number> {
  const spread = new Map<string, number>();
  for (const { mutants } of Object.values(report.files)) {
    for (const test of mutants.flatMap(({ coveredBy }) => coveredBy ?? []))
      spread.set(test, (spread.get(test) ?? 0) + 1);
  }
  return spread;
}

/** The last declaration at the top of a file, or method of a class, that starts at or above a line. */
function declarationAt(lines: readonly string[], line: number): string {
  const names = lines.slice(0, line).map((text) => declaration.exec(text)?.groups?.name);
  return names.findLast((name) => name !== undefined) ?? '';
}

const declaration =
  /^(?:(?:export )?(?:async )?(?:function|const|class) |  (?:async |get )?(?!(?:if|for|while|switch|catch|return)\b)(?=#?\w+\(.*\{$))(?<name>#?\w+)/;

/** Lines and columns of a report count from 1; the end is exclusive. */
function textAt(lines: readonly string[], { start, end }: schema.Location): string {
  const chosen = lines.slice(start.line - 1, end.line);
  return chosen
    .map((line, index) =>
      line.slice(
        index === 0 ? start.column - 1 : 0,
        index === chosen.length - 1 ? end.column - 1 : line.length,
      ),
    )
    .join('\n');
}
