import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import type { EarlierRun } from '../engine/session/openRun.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { readSuites } from '../engine/session/suites.ts';
import { budgetsOf, type FullBudgets } from '../plan/budgets.ts';
import type { Plan } from '../plan/plan.ts';
import type { Conduct } from '../report/buildResult.ts';
import { refuseOccupied, refuseRunning, reportFiles } from '../report/reportDir.ts';
import { lastHolderOf } from '../report/reportHold.ts';
import { describeEarlier, earlierTarget, isSameTarget, describeTarget } from '../settings/target.ts';
import { judgeToEnd } from './killed/judgeToEnd.ts';
import { readJournal, type KilledRun } from './killed/readJournal.ts';

/** A run that was cut short and is continued, in its own report directory. */
export interface Resumed {
  readonly dir: string;
  readonly killed: KilledRun;
  /** The total budgets of both parts of the run. */
  readonly whole: FullBudgets;
}

/** Reads the results of a run until it was cut short; refuses anything that is not such a run. */
export async function readKilled(dir: string): Promise<KilledRun> {
  refuseRunning(dir);
  refuseOccupied(dir);
  const killed = await readJournal(join(dir, reportFiles.evidence), await readSuites());
  if (killed === null) throw noJournal(dir);
  return killed;
}

/** The run in a directory, to be continued; refuses another target: what was judged there says nothing about it. */
export function resumedRun(dir: string, killed: KilledRun, settings: Settings): Resumed {
  const earlier = earlierTarget('that run', killed.head.target);
  if (!isSameTarget(earlier, settings.target))
    throw usageError(
      'OTHER_TARGET',
      `Expected ${describeEarlier(earlier)}; got ${describeTarget(settings.target)}.`,
      'Name the same target, or none: that of the run is taken. Nothing was sent.',
    );
  return { dir, killed, whole: wholeBudgets(settings, killed) };
}

function noJournal(dir: string) {
  const hasBegun = lastHolderOf(dir) !== null || existsSync(join(dir, reportFiles.evidence));
  return usageError(
    'NO_JOURNAL',
    `Expected the evidence of a run in ${dir}; got ${hasBegun ? 'a run that was ended before it had sent its first request' : 'none'}.`,
    hasBegun
      ? 'There is nothing to continue: start it again without --resume.'
      : 'Name the report directory of the run that was cut short.',
  );
}

/** The budgets with which the run was started, except those that are given anew. */
function wholeBudgets(settings: Settings, { head }: KilledRun): FullBudgets {
  const anew = Object.entries(settings.budgets).filter(([, value]) => value !== null);
  // A journal of an older version has none.
  const recorded = (head.settings as Partial<typeof head.settings>).budgets;
  const budgets = { ...settings.budgets, ...recorded, ...Object.fromEntries(anew) };
  return budgetsOf({ ...settings, ...head.settings, budgets });
}

/** The settings of the earlier run, with what is left of its budgets. */
export function resumedSettings(settings: Settings, { dir, whole, killed }: Resumed): Settings {
  const { head, conduct } = killed;
  const subscriptions = conduct.sideEffects.filter(({ kind }) => kind === 'subscription').length;
  return {
    ...{ ...settings, ...head.settings, reportDir: dir },
    readOnly: settings.readOnly || head.settings.readOnly,
    budgets: {
      maxRequests: Math.max(1, whole.maxRequests - conduct.requests),
      maxQuota: Math.max(0, whole.maxQuota - conduct.quotaUnits),
      maxSubscriptions: Math.max(0, whole.maxSubscriptions - subscriptions),
      maxDurationMs: Number.isFinite(whole.maxDurationMs) ? whole.maxDurationMs : null,
    },
  };
}

/**
 * The rest of the plan that the run began with, within what is left of its budgets. A new plan would leave checks out, because
 * the reserve for confirming is needed if an interrupted check starts anew.
 */
export function restOfPlan(plan: Plan<EngineCheck>, settings: Settings, resumed: Resumed): Plan<EngineCheck> {
  const left = new Set(
    unsettled(
      plan.checks.map(({ check }) => check),
      resumed,
    ),
  );
  const settled = plan.checks.filter(({ check }) => !left.has(check));
  const requests = settled.reduce((sum, { cost }) => sum + cost.requests, 0);
  return {
    ...plan,
    checks: plan.checks.filter(({ check }) => left.has(check)),
    skipped: plan.skipped.filter(({ check }) => unsettled([check], resumed).length > 0),
    further: plan.further.filter(({ check }) => unsettled([check], resumed).length > 0),
    total: { ...plan.total, requests: Math.max(0, plan.total.requests - requests) },
    budgets: budgetsOf(settings),
  };
}

/** What the continued run starts with. */
export async function earlierOf({ dir, killed }: Resumed, settings: Settings): Promise<EarlierRun> {
  const { exchanges, steps, dialect, conduct } = killed;
  const outcomes = await judgeToEnd(dir, killed, settings);
  const inDoubt = conduct.sideEffects.flatMap(({ kind, certainty, id }) =>
    kind === 'subscription' && certainty === 'possible' && id !== null ? [id] : [],
  );
  return { exchanges, steps, outcomes, observations: dialect.all, limits: conduct.limits, inDoubt };
}

/** The checks that are still to be run; passive ones also judge what is still to come. */
function unsettled(checks: readonly EngineCheck[], { killed }: Resumed): readonly EngineCheck[] {
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
