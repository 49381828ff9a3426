import { appliesTo } from '../../catalogue/appliesTo.ts';
import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import type { CatalogueRow } from '../../catalogue/row.ts';
import type { SessionEnd } from '../../engine/health/runEnd.ts';
import type { OpenRun } from '../../engine/session/openRun.ts';
import type { CheckOutcome } from '../../engine/findings/outcome.ts';
import { Session } from '../../engine/session/session.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { judgeRows } from '../../engine/findings/verdicts.ts';
import type { Verdict } from '../../judge/kernel/verdict.ts';
import type { Plan } from '../../plan/plan.ts';
import { causesOf } from '../../report/causes.ts';
import { planOpen } from '../planRun.ts';
import type { FirstFinding } from './firstFinding.ts';

/** What the checks say about a deployment. */
export interface Judged {
  readonly verdicts: ReadonlyMap<CatalogueRow, Verdict>;
  readonly outcomes: readonly CheckOutcome[];
  /** How it ended, and why in words. */
  readonly end: SessionEnd;
  readonly endReason: string;
  readonly requests: number;
  /** How long it took, in virtual time where the run has it: next to nothing unless it waits. */
  readonly tookMs: number;
  /** Number of the first request whose answer was found to be wrong; null without a finding. */
  readonly requestsToFirstFinding: number | null;
  /** Checks and fixtures whose traffic showed something wrong. */
  readonly tellers: readonly string[];
  /** The requirement that each cause starts with, the first to read first. */
  readonly leads: readonly string[];
}

interface Wanted {
  readonly checks: readonly EngineCheck[];
  /** Only these of the planned checks are run, with their cases of the whole plan; oracles always judge. */
  readonly among?: ReadonlySet<string> | undefined;
  /** Whether the explorer goes on after them; by default it does not. */
  readonly explores?: boolean | undefined;
  readonly first: FirstFinding;
}

/** Runs all or some of the checks planned for an open run, and adds up what they say. */
export async function judgeOpen(
  run: OpenRun,
  { checks, among, explores = false, first }: Wanted,
): Promise<Judged> {
  const begun = run.clock.monotonic();
  const session = new Session(run, { plan: amongThem(planOpen(run, checks, { explores }), among) });
  await session.run();
  const { requirements, openPoints } = loadCatalogue();
  const { outcomes, dialect, end, endReason } = session;
  const verdicts = judgeRows([...requirements, ...openPoints].filter(appliesTo(run.settings.apis)), {
    ...{ checks, outcomes, dialect, pins: {} },
  });
  const tookMs = run.clock.monotonic() - begun;
  const findings = outcomes.flatMap((outcome) => outcome.findings);
  first.conclude(findings);
  const leads = causesOf({ findings, requirements }).map(({ lead }) => lead.requirement);
  const found = { requestsToFirstFinding: first.at, tellers: [...first.tellers], leads };
  return { verdicts, outcomes, end, endReason, requests: first.requests, tookMs, ...found };
}

function amongThem(plan: Plan<EngineCheck>, chosen: Wanted['among']): Plan<EngineCheck> {
  if (!chosen) return plan;
  return {
    ...plan,
    checks: plan.checks.filter(({ check }) => check.kind === 'passive' || chosen.has(check.id)),
  };
}
