import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import type { ExitCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { RunOptions } from '../../run/run.ts';
import { addSecrets } from '../../settings/secrets.ts';
import { command, settingsBut } from '../command.ts';
import { renderCommandLine } from '../commandText.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { redisSecrets, runOverWorkers, workersOf, workersTable } from '../load/workers.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { createProgress } from '../progress.ts';

/** `run`: runs the conformance checks against a target, writes the reports, exits by verdict. */
export const runCommand = command({
  name: 'run',
  about: 'run the conformance checks, write the reports, exit by verdict',
  settings: settingsBut(),
  options: workersTable('run a shard each'),
  examples: [
    'gatecheck run',
    'gatecheck run --target https://qa.example.com --profile smoke',
    "gatecheck run --only 'WCI-STS-*' --seed 42",
  ],
  run: async (call) => {
    const workers = workersOf(call.options);
    if (workers === null) return runChecks(await loadCheckedSettings(call), call.io);
    addSecrets(call.io.redactor, redisSecrets(workers.redisUrl), 'redis');
    return runOverWorkers(workers, await loadCheckedSettings(call), call.io);
  },
});

async function runChecks(settings: Settings, io: Io): Promise<ExitCode> {
  const [{ run }, { renderConsole }, { showInVitest }] = await Promise.all([
    import('../../run/run.ts'),
    import('../../report/renderConsole.ts'),
    import('../../show/showInVitest.ts'),
  ]);
  const progress = createProgress(io.stderr, systemClock);
  const { signal, release } = abortOnInterrupt(io);
  const command = renderCommandLine(io.args, io.redactor);
  try {
    const { listener } = progress;
    const show: RunOptions['show'] = (session, reportDir) =>
      showInVitest(session, reportDir, { allureDir: join(reportDir, 'allure-results'), reporters: [] });
    const output = await run(settings, { listener, signal, command, root: io.folder, show });
    progress.stop();
    io.stdout.write(renderConsole(output.result, await reportPaths(output.reportDir, io), io.stdout.palette));
    return output.exitCode as ExitCode;
  } finally {
    progress.stop();
    release();
  }
}

/** The reports that a reader opens first, as seen from here. */
async function reportPaths(reportDir: string, { folder }: Io): Promise<readonly string[]> {
  const { reportFiles } = await import('../../report/reportDir.ts');
  return [reportFiles.html, reportFiles.result]
    .map((name) => join(reportDir, name))
    .filter((path) => existsSync(path))
    .map((path) => relative(folder, path));
}
