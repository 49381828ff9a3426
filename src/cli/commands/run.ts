import { join } from 'node:path';
import type { Settings } from '../../core/settings.ts';
import type { RunOptions } from '../../run/run.ts';
import { problemsError } from '../../settings/problem.ts';
import { addSecrets } from '../../settings/secrets.ts';
import { command, settingsBut, type Call } from '../command.ts';
import { redisSecrets, runOverWorkers, workersOf, workersTable } from '../load/workers.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { runChecks } from '../runChecks.ts';
import { talkTable } from '../talk.ts';

const runTable = { ...talkTable, ...workersTable('run a shard each') };

/** `run`: runs the conformance checks against a target, writes the reports, exits by verdict. */
export const runCommand = command({
  name: 'run',
  about: 'run the conformance checks, write the reports, exit by verdict',
  settings: settingsBut(),
  options: runTable,
  examples: [
    'gatecheck run',
    'gatecheck run --target https://qa.example.com --profile smoke',
    "gatecheck run --only 'WCI-STS-*' --seed 42",
  ],
  run: async (call) => {
    const workers = workersOf(call.options);
    if (workers === null) return runHere(await loadCheckedSettings(call), call);
    if (call.options.json || call.options.verbose)
      throw problemsError([
        {
          where: '--workers, --json, --verbose',
          fault: 'expected workers or traffic of this process; got both',
        },
      ]);
    addSecrets(call.io.redactor, redisSecrets(workers.redisUrl), 'redis');
    return runOverWorkers(workers, await loadCheckedSettings(call), call.io);
  },
});

async function runHere(settings: Settings, { options, io }: Call<typeof runTable>) {
  const { showInVitest } = await import('../../show/showInVitest.ts');
  const show: RunOptions['show'] = (session, reportDir) =>
    showInVitest(session, reportDir, { allureDir: join(reportDir, 'allure-results'), reporters: [] });
  return runChecks(settings, { talk: options, show }, io);
}
