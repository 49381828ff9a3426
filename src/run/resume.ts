import { join, resolve } from 'node:path';
import { usageError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { EarlierRun } from '../engine/openRun.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { loadSuites } from '../engine/suites.ts';
import { budgetsOf } from '../plan/budgets.ts';
import type { Conduct } from '../report/conduct.ts';
import { reportFiles } from '../report/reportDir.ts';
import { readJournal, type KilledRun } from './killed/readJournal.ts';

/** A run that was cut short and is continued, in its own report directory. */
export interface Resumed {
  readonly dir: string;
  readonly killed: KilledRun;
}

/** Reads what a run came to before it was cut short; refuses what is none, or was of another target. */
export async function loadResumed(given: string, settings: Settings): Promise<Resumed> {
  const dir = resolve(given);
  const killed = await readJournal(join(dir, reportFiles.evidence), await loadSuites());
  if (killed === null)
    throw usageError(
      'NO_JOURNAL',
      `Expected the evidence of a run in ${dir}; got none.`,
      'Name the report directory of the run that was cut short.',
    );
  const { kind, baseUrls } = killed.head.target;
  const isSame =
    kind === settings.target.kind &&
    (settings.target.kind !== 'url' || JSON.stringify(settings.target.baseUrls) === JSON.stringify(baseUrls));
  if (!isSame)
    throw usageError(
      'OTHER_TARGET',
      `Expected the target of that run, ${Object.values(baseUrls).join(' and ')}; got another one.`,
      'Name the same target. Nothing was sent.',
    );
  return { dir, killed };
}

/** The settings of the run before, with what its budgets have left. */
export function resumedSettings(settings: Settings, { dir, killed: { head, conduct } }: Resumed): Settings {
  const whole = { ...settings, ...head.settings, reportDir: dir };
  const { maxRequests, maxQuota, maxSubscriptions } = budgetsOf(whole);
  const subscriptions = conduct.sideEffects.filter(({ kind }) => kind === 'subscription').length;
  return {
    ...whole,
    budgets: {
      ...whole.budgets,
      maxRequests: Math.max(1, maxRequests - conduct.requests),
      maxQuota: Math.max(0, maxQuota - conduct.quotaUnits),
      maxSubscriptions: Math.max(0, maxSubscriptions - subscriptions),
    },
  };
}

/** What the continued run starts with. */
export function earlierOf({ killed }: Resumed): EarlierRun {
  return { exchanges: killed.exchanges, outcomes: killed.settled, observations: killed.dialect.all };
}

/** The checks that are still to be run; passive ones judge what is still to come as well. */
export function unsettled(checks: readonly EngineCheck[], { killed }: Resumed): readonly EngineCheck[] {
  const settled = new Set(killed.settled.map(({ check }) => check));
  return checks.filter(({ id, kind }) => kind === 'passive' || !settled.has(id));
}

/** The conduct of both parts of a run. */
export function withEarlier(conduct: Conduct, { killed: { conduct: earlier } }: Resumed): Conduct {
  return {
    ...conduct,
    requests: earlier.requests + conduct.requests,
    quotaUnits: earlier.quotaUnits + conduct.quotaUnits,
    throttled: earlier.throttled + conduct.throttled,
    sideEffects: [...earlier.sideEffects, ...conduct.sideEffects],
    violatedBy: (evidence) => [...earlier.violatedBy(evidence), ...conduct.violatedBy(evidence)],
  };
}
