import type { schema } from '@stryker-mutator/api/core';
import { globSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { acceptedAs, loadAccepted, type AcceptedGroup } from './accepted.ts';
import { countAreas, renderScores, renderSurvivors } from './renderAreas.ts';
import { countingFiles, projectRoot } from './paths.ts';
import { survivorsOf } from './survivors.ts';

const at = (line: number, from: number, to: number) => ({
  start: { line, column: from },
  end: { line, column: to },
});

const mutant = (id: string, status: schema.MutantStatus, more: Partial<schema.MutantResult>) => ({
  id,
  status,
  location: at(1, 11, 16),
  mutatorName: 'EqualityOperator',
  replacement: 'a >= b',
  ...more,
});

const report: schema.MutationTestResult = {
  schemaVersion: '2',
  thresholds: { high: 80, low: 60 },
  files: {
    'src/reference/shared/limiter.ts': {
      language: 'typescript',
      source: "const x = a > b;\nthrow invalid('No.');\n",
      mutants: [
        mutant('0', 'Survived', { coveredBy: ['0', '1', '2'] }),
        mutant('1', 'Killed', { coveredBy: ['0', '1'], killedBy: ['1'] }),
        mutant('2', 'Timeout', { coveredBy: ['0', '1'] }),
        mutant('3', 'NoCoverage', {
          location: at(2, 15, 20),
          mutatorName: 'StringLiteral',
          replacement: '""',
        }),
        mutant('4', 'RuntimeError', {}),
      ],
    },
  },
  testFiles: {
    '': { tests: [{ id: '0', name: 'the run goes on to its end' }] },
    'suites/shared/limits.suite.ts': {
      tests: [
        { id: '1', name: 'SHR-LIM-001 Sixty requests a minute' },
        { id: '2', name: 'SHR-LIM-002 A thousand an hour' },
      ],
    },
  },
};

const messages: AcceptedGroup = {
  kind: 'open',
  because: 'Messages are free',
  mutants: [{ file: '**', code: "^'.*\\.'$", mutator: 'StringLiteral' }],
};

const judged = survivorsOf(report).map((survivor) => ({
  survivor,
  accepted: acceptedAs(survivor, [messages]),
  undecided: [],
}));

test('a survivor names the code and the rows that reach it, those that reach the least first', () => {
  expect(judged.map(({ survivor }) => survivor)).toMatchObject([
    {
      line: 1,
      within: 'x',
      original: 'a > b',
      replacement: 'a >= b',
      reached: true,
      rows: ['SHR-LIM-002', 'SHR-LIM-001'],
    },
    { line: 2, original: "'No.'", reached: false, rows: [] },
  ]);
});

test('accepted survivors count in one score and not in the other', () => {
  expect(renderScores(countAreas(report, judged))).toMatchInlineSnapshot(`
    "| area   | mutants | killed | timed out | undecided | missed | accepted | failed | not approved |
    | ------ | ------: | -----: | --------: | --------: | -----: | -------: | -----: | -----------: |
    | shared |       4 |      1 |         1 |         0 |      1 |        1 | 66.7 % |       66.7 % |
    | all    |       4 |      1 |         1 |         0 |      1 |        1 | 66.7 % |       66.7 % |"
  `);
});

test('survivors stand with their code, under their file or the reason to accept them', () => {
  expect(renderSurvivors(judged)).toMatchInlineSnapshot(`
    "## Missed

    ### src/reference/shared/limiter.ts

    - src/reference/shared/limiter.ts:1 EqualityOperator: \`a > b\` → \`a >= b\`; reached by SHR-LIM-002, SHR-LIM-001

    ## Missed, by requirement

    - SHR-LIM-002: shared/limiter.ts:1

    ## Left undecided

    ## Accepted

    ### open: Messages are free

    - src/reference/shared/limiter.ts:2 StringLiteral: \`'No.'\` → \`""\`; reached by no check"
  `);
});

test('what survives for a reason is listed in the form that the report reads', () => {
  expect(() => loadAccepted()).not.toThrow();
});

test('what is accepted, and what counts requests, stands in files that there are', () => {
  const files = globSync('**/*.ts', { cwd: join(projectRoot, 'src/reference') });
  const patterns = loadAccepted().flatMap(({ mutants }) => mutants.map(({ file }) => file));
  expect(patterns.filter((pattern) => !files.some((file) => matchesGlob(file, pattern)))).toEqual([]);
  expect(countingFiles.filter((file) => !files.includes(file))).toEqual([]);
});
