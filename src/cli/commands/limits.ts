import type { ExitCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import { ownershipOf } from '../../plan/budgets.ts';
import { agree, agreementTable, runForecast } from '../agreement.ts';
import { withReason } from '../baselineReason.ts';
import { command, settingsBut, type Call } from '../command.ts';
import { limitsForecast } from '../limitsForecast.ts';
import { readCheckedSettings } from '../readSettings.ts';
import { runChecks } from '../runChecks.ts';
import { talkTable } from '../talk.ts';

const limitsTable = { ...talkTable, ...agreementTable };

/** `limits`: verifies the two rate limits and retryAfter, and names the limiter that the observations fit. */
export const limitsCommand = command({
  name: 'limits',
  about: 'verify the two rate limits and retryAfter, and name the kind of limiter',
  settings: settingsBut('watchMs'),
  options: limitsTable,
  examples: [
    'gatecheck limits',
    'gatecheck limits --target https://qa.example.com',
    'gatecheck limits --target http://127.0.0.1:8080 --state-handler http://127.0.0.1:8080/_state',
  ],
  run: async (call) =>
    verifyLimits(forLimits(await withReason(await readCheckedSettings(call), call.io)), call),
});

/** Longer than the wait in a queue that delays requests instead of refusing them. */
const patienceMs = 75_000;

/** The limit checks, and the content of a 429. */
function forLimits(settings: Settings): Settings {
  const { only, http, budgets } = settings;
  const isForeign = ownershipOf(settings) === 'foreign';
  return {
    ...settings,
    only: only.length > 0 ? only : ['limits', 'shared.passive.rate-limited'],
    // Filling a window, twice if something has to be confirmed, takes more than a run otherwise may.
    budgets: isForeign ? budgets : { ...budgets, maxRequests: budgets.maxRequests ?? 8000 },
    http: { ...http, responseTimeoutMs: Math.max(http.responseTimeoutMs, patienceMs) },
  };
}

async function verifyLimits(
  settings: Settings,
  { options, io }: Call<typeof limitsTable>,
): Promise<ExitCode> {
  const { planRun } = await import('../../run/planRun.ts');
  const plan = await planRun(settings, { waitsForLimits: true });
  await agree(settings, { yes: options.yes, forecast: () => runForecast(plan, settings) }, io);
  if (!options.quiet) io.stderr.write(`${limitsForecast(plan, settings)}\n`);
  return runChecks(settings, { talk: options, waitsForLimits: true }, io);
}
