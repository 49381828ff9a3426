import type { Io } from '../../core/io.ts';
import type { Settings } from '../../core/settings.ts';
import { shortPath } from '../../core/shortPath.ts';
import type { RunOptions } from '../../run/run.ts';
import type { WorkerOptions } from '../../load/plan/loadOptions.ts';
import { problemsError } from '../../settings/problem.ts';
import type { Resumed } from '../../run/resume.ts';
import { earlierTarget } from '../../settings/target.ts';
import { path } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import { addSecrets } from '../../settings/secrets.ts';
import { agree, agreementTable, runForecast } from '../agreement.ts';
import { withReason } from '../baselineReason.ts';
import { command, settingsBut, type Call } from '../command.ts';
import { redisSecrets, runOverWorkers, workersOf, workersTable } from '../load/workers.ts';
import { readCheckedSettings } from '../readSettings.ts';
import { nothingFailed, onlyFailedTable, selectFailed } from '../onlyFailed.ts';
import { runChecks } from '../runChecks.ts';
import { createTalk, talkTable, type TalkOptions } from '../talk.ts';

const resumeTable = {
  resume: row({
    form: path,
    default: null,
    flag: '--resume <run>',
    help: 'continue an interrupted run, given by its report directory; what it judged and spent is kept',
  }),
};

const runTable = {
  ...resumeTable,
  ...onlyFailedTable,
  ...talkTable,
  ...agreementTable,
  ...workersTable('run a shard each'),
};

/** `run`: runs the conformance checks against a target, writes the reports, exits by verdict. */
export const runCommand = command({
  name: 'run',
  about: 'run the conformance checks, write the reports, exit by verdict',
  settings: settingsBut(),
  options: runTable,
  examples: [
    'gatecheck run',
    'gatecheck run --target https://qa.example.com --profile smoke --yes',
    "gatecheck run --only 'WCI-STS-*' --seed 42",
    'gatecheck run --only-failed',
  ],
  run: async (call) => {
    const { io, options } = call;
    const selected = await selectFailed(call, options.onlyFailed);
    const killed = options.resume === null ? null : await killedAt(options.resume, io);
    const earlier = killed?.target ?? selected.earlier;
    const given = await withReason(
      await readCheckedSettings({ ...call, flags: selected.flags, earlier }),
      io,
    );
    if (selected.isNothing) return nothingFailed(io);
    const resumed = killed?.resume(given);
    const settings = resumed?.settings ?? given;
    const forecast = async () => {
      const { planRun } = await import('../../run/planRun.ts');
      return runForecast(await planRun(settings), settings);
    };
    await agree(settings, { yes: options.yes, forecast }, io);
    const workers = workersOf(options);
    if (workers !== null) return handOut(workers, settings, call);
    return runHere(settings, call, resumed?.run);
  },
});

async function handOut(workers: WorkerOptions, settings: Settings, { options, io }: Call<typeof runTable>) {
  if (options.json || options.verbose) {
    const fault = 'expected workers or the traffic of this process; got both';
    throw problemsError([{ where: '--workers, --json, --verbose', fault }]);
  }
  addSecrets(io.redactor, redisSecrets(workers.redisUrl), 'redis');
  const talk = createTalk(options, io);
  talk.stop();
  return runOverWorkers(workers, settings, { io, finish: talk.finish });
}

/** A run that was cut short: its target, and what continues it, with the settings for what is left of its budgets. */
async function killedAt(dir: string, { folder }: Io) {
  const { readKilled, resumedRun, resumedSettings } = await import('../../run/resume.ts');
  const killed = await readKilled(dir);
  return {
    target: earlierTarget(shortPath(dir, folder), killed.head.target),
    resume: (settings: Settings) => {
      const run = resumedRun(dir, killed, settings);
      return { run, settings: resumedSettings(settings, run) };
    },
  };
}

async function runHere(settings: Settings, { options, io }: Call<typeof runTable>, resumed?: Resumed) {
  return runChecks(settings, { talk: options, show: await shownInVitest(options, io), resumed }, io);
}

/**
 * A clone has vitest, and shows the checks as its tests; an installed package works without it, with no visible difference. Vitest is
 * not started where nobody looks, nor within itself.
 */
async function shownInVitest({ quiet, json }: TalkOptions, { env }: Io): Promise<RunOptions['show']> {
  if (!import.meta.filename.endsWith('.ts') || quiet || json || env.VITEST !== undefined) return undefined;
  const { showInVitest } = await import('../../show/showInVitest.ts');
  return (session, reportDir) => showInVitest(session, reportDir, []);
}
