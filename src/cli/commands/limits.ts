import { join, relative } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import type { ExitCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { ownershipOf } from '../../plan/budgets.ts';
import { command, settingsBut } from '../command.ts';
import { renderCommandLine } from '../commandText.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import { limitsForecast } from '../limitsForecast.ts';
import { loadCheckedSettings } from '../loadSettings.ts';
import { createProgress } from '../progress.ts';

/** `limits`: verifies the two rate limits and retryAfter, and names the limiter that the observations fit. */
export const limitsCommand = command({
  name: 'limits',
  about: 'verify the two rate limits and retryAfter, and name the limiter that they fit',
  settings: settingsBut('watchMs'),
  options: {},
  examples: [
    'gatecheck limits',
    'gatecheck limits --target https://qa.example.com',
    'gatecheck limits --target http://127.0.0.1:8080 --state-handler http://127.0.0.1:8080/_state',
  ],
  run: async (call) => verifyLimits(forLimits(await loadCheckedSettings(call)), call.io),
});

/** Longer than a queue that delays instead of refusing lets anybody wait. */
const patienceMs = 75_000;

/** The limit checks, and what a 429 has to say. */
function forLimits(settings: Settings): Settings {
  const { only, http, budgets } = settings;
  const isForeign = ownershipOf(settings) === 'foreign';
  return {
    ...settings,
    only: only.length > 0 ? only : ['limits', 'shared.passive.rate-limited'],
    // A window that is filled, twice where something is to be confirmed, takes more than a run otherwise may.
    budgets: isForeign ? budgets : { ...budgets, maxRequests: budgets.maxRequests ?? 8000 },
    http: { ...http, responseTimeoutMs: Math.max(http.responseTimeoutMs, patienceMs) },
  };
}

async function verifyLimits(settings: Settings, io: Io): Promise<ExitCode> {
  const [{ run }, { planRun }, { renderConsole }, { reportFiles }] = await Promise.all([
    import('../../run/run.ts'),
    import('../../run/planRun.ts'),
    import('../../report/renderConsole.ts'),
    import('../../report/reportDir.ts'),
  ]);
  const plan = await planRun(settings, { waitsForLimits: true });
  io.stderr.write(`${limitsForecast(plan, settings)}\n`);
  const progress = createProgress(io.stderr, systemClock);
  const { signal, release } = abortOnInterrupt(io);
  try {
    const { result, exitCode, reportDir } = await run(settings, {
      signal,
      listener: progress.listener,
      root: io.folder,
      command: renderCommandLine(io.args, io.redactor),
      waitsForLimits: true,
    });
    progress.stop();
    const paths = [reportFiles.html, reportFiles.result].map((name) =>
      relative(io.folder, join(reportDir, name)),
    );
    io.stdout.write(renderConsole(result, paths, io.stdout.palette));
    return exitCode as ExitCode;
  } finally {
    progress.stop();
    release();
  }
}
