import { existsSync } from 'node:fs';
import type { Io } from '../core/io.ts';
import type { Settings } from '../core/settings.ts';
import { problemsError } from '../settings/problem.ts';

/**
 * The settings with a reason for new baseline entries: given, or asked for before anything is sent. Without one, a file that is there
 * only loses its stale entries.
 */
export async function withReason(settings: Settings, { ask }: Pick<Io, 'ask'>): Promise<Settings> {
  if (!settings.updateBaseline || settings.baselineReason !== null) return settings;
  const asked = ask === null ? '' : (await ask('Why are the failures of this run known? ')).trim();
  if (asked !== '') return { ...settings, baselineReason: asked };
  if (settings.baseline !== null && existsSync(settings.baseline)) return settings;
  const fault =
    'expected why the failures are known, for the entries of the baseline that --update-baseline makes; got nothing';
  throw problemsError([{ where: '--reason', fault }]);
}
