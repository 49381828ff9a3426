import { join } from 'node:path';
import { createVitest, type InlineConfig } from 'vitest/node';
import { packageRoot } from '../catalogue/packageRoot.ts';
import type { Session } from '../engine/session/session.ts';
import { suitesOf, type SuiteFile } from '../engine/session/suites.ts';
import { answerTests } from './bridge.ts';
import type { ShownSuite } from './registerTests.ts';

/** Files under `src/` by the extension that this process runs: TypeScript in a clone, JavaScript when installed. */
const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';

/** How vitest loads the suites, wherever it is started from. */
export function suiteConfig(include: readonly string[]): InlineConfig {
  return {
    name: 'suites',
    include: [...include],
    exclude: [],
    setupFiles: [join(import.meta.dirname, `setUp.${extension}`)],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    retry: 0,
    testTimeout: 0,
    hookTimeout: 0,
    maxConcurrency: 10_000,
  };
}

/**
 * Shows the checks of a session as vitest's tests while it runs, to reporters by name; by default the progress display shows the
 * same. Resolves once vitest's reporters are done.
 */
export async function showInVitest(
  session: Session,
  channel: string,
  reporters: readonly string[],
): Promise<void> {
  const stopAnswering = answerTests(channel, (check) => session.outcomeOf(check));
  const before = signalListeners();
  const exitCode = process.exitCode;
  const suites = await suitesOf(session.planned);
  const vitest = await createVitest(
    {
      ...suiteConfig(suites.map(({ file }) => file)),
      setupFiles: [],
      runner: join(import.meta.dirname, `shownRunner.${extension}`),
      experimental: { viteModuleRunner: false },
      root: packageRoot(),
      config: false,
      // The installation may be in another user's folder, where nothing can be written.
      fsModuleCache: extension === 'ts',
      watch: false,
      passWithNoTests: true,
      // The empty reporter means silence: an empty list would mean vitest's default one.
      reporters: [...reporters.map((name): [string, Record<string, unknown>] => [name, {}]), {}],
      provide: { gatecheckChannel: channel, gatecheckSuites: shownOf(suites) },
    },
    { clearScreen: false, logLevel: 'error' },
  );
  // We handle signals: vitest would end the process before the reports are written.
  removeAllBut(before);
  try {
    await vitest.start();
  } finally {
    await vitest.close();
    stopAnswering();
    // Failing checks are failing tests, but the verdict of the run decides the exit code.
    process.exitCode = exitCode;
  }
}

function shownOf(suites: readonly SuiteFile[]): Readonly<Record<string, ShownSuite>> {
  return Object.fromEntries(
    suites.map(({ file, title, checks }) => [
      file,
      { title, checks: checks.map(({ id, title: name }) => ({ id, title: name })) },
    ]),
  );
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'unhandledRejection'] as const;

function signalListeners(): ReadonlySet<unknown> {
  return new Set<unknown>(signals.flatMap((signal) => process.rawListeners(signal)));
}

function removeAllBut(kept: ReadonlySet<unknown>): void {
  for (const signal of signals) {
    for (const listener of process.rawListeners(signal)) {
      if (!kept.has(listener)) process.removeListener(signal, listener as () => void);
    }
  }
}
