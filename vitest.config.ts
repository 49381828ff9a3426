import { defineConfig } from 'vitest/config';
import { suiteConfig } from './src/show/showInVitest.ts';
import { LongestFirst } from './test/support/longestFirst.ts';

const allureDir = process.env.ALLURE_RESULTS_DIR;
const ownTempFolder = './test/support/ownTempFolder.ts';

function allure(resultsDir: string): [string, Record<string, unknown>] {
  return ['allure-vitest/reporter', { resultsDir }];
}

export default defineConfig({
  test: {
    // What runs know of each other stays in their folders, and not in that of the user.
    env: { GATECHECK_STATE_DIR: 'reports' },
    sequence: { sequencer: LongestFirst },
    // On a busy machine a process takes more than ten seconds to end.
    teardownTimeout: 60_000,
    reporters: [
      'default',
      './test/support/closingLine.ts',
      // The checks as tests for Allure: `ALLURE_RESULTS_DIR=allure-results npx vitest run --project suites`.
      ...(allureDir === undefined ? [] : [allure(allureDir)]),
    ],
    projects: [
      {
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['src/**/*.test.ts', 'suites/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          testTimeout: 30_000,
          globalSetup: [ownTempFolder],
        },
      },
      {
        test: {
          name: 'integration',
          // They mostly wait for processes, containers and pages: three files at a time keep two cores busy.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: ['test/**/*.test.ts'],
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Processes, containers and browsers: one of some thousand starts hangs by itself; the output names it "retry x1".
          retry: process.env.CI === 'true' ? 1 : 0,
          globalSetup: [ownTempFolder, './test/support/parsedFixtures.ts'],
        },
      },
      // The conformance checks themselves, against the target of the environment or config file (by default the
      // embedded reference): `npx vitest run --project suites suites/webcheckin/status.suite.ts -t alias`.
      { test: { ...suiteConfig(['suites/**/*.suite.ts']), globalSetup: ['./src/cli/vitestGlobalSetup.ts'] } },
    ],
  },
});
