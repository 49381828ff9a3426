import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from './docPages.ts';

/** The files that take longest, in this order: one of them that began last would keep one core busy alone. */
const longest = [
  'test/frameworks.test.ts',
  'test/containers.test.ts',
  'test/workers.test.ts',
  'test/docCommands.test.ts',
  'test/hostile.test.ts',
  'test/docs.test.ts',
  'test/load.test.ts',
  'test/killed.test.ts',
  'test/package.test.ts',
  'test/workersInterrupted.test.ts',
  'test/breaker.test.ts',
  'test/limits.test.ts',
  'test/network.test.ts',
  'test/telemetry.test.ts',
  'test/testcontainers.test.ts',
  'test/interrupt.test.ts',
  'test/allure.test.ts',
  'test/manners.test.ts',
  'test/failingReports.test.ts',
  'test/secrets.test.ts',
  'test/report.test.ts',
];

/** Begins with the files that are known to take longest; a clean checkout has no durations of an earlier run, and sizes say little. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = longest.filter((path) => !existsSync(join(root, path)));
    if (gone.length > 0)
      throw new Error(`test/support/longestFirst.ts names what is not there: ${gone.join(', ')}`);
    const sorted = await super.sort(files);
    // Stable, and one project after the other.
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  const { groupOrder } = project.config.sequence;
  const place = longest.indexOf(relative(root, moduleId).replaceAll('\\', '/'));
  return groupOrder * (longest.length + 1) + (place === -1 ? longest.length : place);
}
