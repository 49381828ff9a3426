import type { Reporter, TestModule } from 'vitest/node';

/** Closes a test run with `N passed, N failed, N skipped`, alone on its line, for whoever reads the log. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'passed' || state === 'failed' ? state : 'skipped'] += 1;
      }
      // A file that cannot be loaded has no tests, and must not look like a success.
      if (module.state() === 'failed' && counts.failed === 0) counts.failed += 1;
    }
    process.on('exit', () => {
      process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    });
  }
}
