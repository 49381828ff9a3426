import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageError } from '../core/errors.ts';
import type { Exchange } from '../core/evidence.ts';
import { Redactor } from '../core/redact.ts';
import type { Settings } from '../core/settings.ts';
import type { AttemptResult } from '../engine/attempt/attemptResult.ts';
import { openRun } from '../engine/session/openRun.ts';
import { Session } from '../engine/session/session.ts';
import { repeatCheck } from '../engine/session/explorer.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { readSuites } from '../engine/session/suites.ts';
import { errorCode } from '../judge/kernel/answer.ts';
import { responseOf } from '../judge/kernel/body.ts';
import { budgetsOf } from '../plan/budgets.ts';
import { reachCost } from '../plan/costs.ts';
import type { Plan, PlannedCheck } from '../plan/plan.ts';
import type { Finding, StoredCase, StoredStep } from '../engine/findings/finding.ts';
import { wordsOf } from '../spec/wording/words.ts';
import { openJournal } from '../send/journal.ts';
import { memoryFolder } from './memoryFolder.ts';
import { judgedBeside, type Judged } from './replayJudge.ts';

/** The result for a finding: the rule holds now, is still broken, or is undecided because the case took another course. */
export type ReplayVerdict = 'FIXED' | 'FAILS' | 'DIFFERS';

export interface ReplayedStep {
  /** `POST /extPartner/api/…` */
  readonly request: string;
  /** `HTTP 400 VALIDATION_ERROR`; null if there was no such step. */
  readonly then: string | null;
  readonly now: string | null;
  /** The current answer with secrets replaced; null if there was none. */
  readonly body: string | null;
}

export interface ReplayOutput {
  readonly verdict: ReplayVerdict;
  readonly reason: string;
  readonly steps: readonly ReplayedStep[];
}

interface ReplayPorts {
  readonly signal: AbortSignal;
  /** Where the user started Gatecheck; without it nothing is remembered of earlier runs. */
  readonly root?: string;
  /** The journal of the run that has the finding; without it a rule is judged by the replay alone. */
  readonly evidence?: string;
}

/** Sends the stored case of a finding again, the complete sequence with fresh data, and compares step by step. */
export async function replay(
  finding: Finding,
  settings: Settings,
  { signal, root, evidence }: ReplayPorts,
): Promise<ReplayOutput> {
  const stored = finding.case as unknown as StoredCase;
  const checks = await readSuites();
  const planned = { ...plannedFor(stored, checks), cases: stored.cases };
  if (settings.readOnly && planned.check.needs.includes('writes')) throw readOnlyError(finding);
  const folder = await mkdtemp(join(tmpdir(), 'gatecheck-replay-'));
  const journal = join(folder, 'evidence.ndjson');
  const redactor = new Redactor();
  try {
    await using run = await openRun(settings, {
      ...{ signal, redactor },
      memory: root === undefined ? null : memoryFolder(root),
      openJournal: () => openJournal(journal, redactor),
    });
    const session = new Session(run, { plan: planOf(planned, settings) });
    const result = await session.replay(planned, stored);
    await run.journal.close();
    // What an oracle saw may rest on what other checks had shown.
    const beside =
      stored.whole && evidence !== undefined
        ? await judgedBeside({ earlier: evidence, later: journal }, finding.requirement, settings)
        : null;
    return {
      ...verdictOf(finding, { stored, session, result, beside }),
      steps: stepsOf(stored, result?.replayed ?? [], run.redactor),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A case that writes is not sent where only reading is allowed. */
export function readOnlyError({ fingerprint }: Finding) {
  return usageError(
    'READ_ONLY',
    `--read-only: expected a finding that GET requests show; got ${fingerprint}, whose case needs others.`,
    'Leave out --read-only, or write the case to a file with --script. Nothing was sent.',
  );
}

function planOf(planned: PlannedCheck<EngineCheck>, settings: Settings): Plan<EngineCheck> {
  return {
    ...emptyPlan(settings),
    checks: [planned],
    total: planned.cost,
    fixtures: planned.check.uses,
  };
}

/** The plan of a session that runs no check. */
export function emptyPlan(settings: Settings): Plan<EngineCheck> {
  return {
    ...{
      checks: [],
      carriers: [],
      skipped: [],
      further: [],
      total: reachCost,
      fixtures: [],
      usesBook: false,
    },
    ...{ expectedMs: 0, keys: 1, budgets: budgetsOf(settings) },
  };
}

/** The check of the case; what a shared fixture showed is reproduced by a check that uses fixtures. */
function plannedFor(stored: StoredCase, checks: readonly EngineCheck[]): PlannedCheck<EngineCheck> {
  if (stored.story !== undefined || stored.check.startsWith('explore.')) {
    const again = repeatCheck(stored.story ?? []);
    return { check: again, cases: stored.cases, cost: again.cost(0) };
  }
  const isShared = stored.check === 'reach' || stored.check.startsWith('fixture.');
  const check = isShared
    ? checks.find(({ uses }) => uses.length > 0)
    : checks.find(({ id }) => id === stored.check);
  if (check) return { check, cases: stored.cases, cost: check.cost(stored.cases) };
  throw usageError('NO_SUCH_CHECK', `The check ${stored.check} of this finding does not exist any more.`);
}

interface Replayed {
  readonly stored: StoredCase;
  readonly session: Session;
  readonly result: AttemptResult | null;
  /** What the replay adds to what its run showed; null if that is not known. */
  readonly beside: Judged | null;
}

function verdictOf(
  finding: Finding,
  { stored, session, result, beside }: Replayed,
): Pick<ReplayOutput, 'verdict' | 'reason'> {
  const { requirement } = finding;
  const broken = result?.failed
    .flatMap(({ violations }) => violations)
    .find((one) => one.requirement === requirement);
  const passive = session.observations.observer.tallies.of(requirement);
  const [seen] = passive.violations.values();
  const again = broken?.judgement ?? seen?.judgement;
  if (again) {
    const { expected, actual } = wordsOf(again);
    return { verdict: 'FAILS', reason: `expected ${expected}; got ${actual}` };
  }
  if (beside !== null && beside.violations > 0) {
    const { samples, violations } = beside;
    return {
      verdict: 'FAILS',
      reason: `the rule is broken, ${violations} of ${samples} times that it was judged`,
    };
  }
  // What held in a few answers before the end says nothing about the rest of the case.
  const short = session.end === 'completed' ? result?.cutShort?.reason : session.endReason;
  if (short !== undefined) return { verdict: 'DIFFERS', reason: `not all of it was sent: ${short}` };
  const failing = nowFailing(stored, result?.replayed ?? []);
  if (failing !== null) return { verdict: 'DIFFERS', reason: failing };
  const samples = beside?.samples ?? (result?.samples.get(requirement) ?? 0) + passive.samples;
  if (samples > 0) {
    const held = `the rule held, ${samples} of ${samples} times that it was judged`;
    if (!stored.whole || beside !== null) return { verdict: 'FIXED', reason: held };
    return {
      verdict: 'DIFFERS',
      reason: `${held}; whether what broke it came again is not known without the evidence of its run`,
    };
  }
  const why = result?.unclear[0]?.cause ?? result?.skipped ?? result?.cutShort?.reason;
  return {
    verdict: 'DIFFERS',
    reason: why ?? `nothing that was sent is a sample of ${stored.check} any more`,
  };
}

/** Which step of a case a server error or a missing answer spoils now, as none did before; null if none. */
export function nowFailing(stored: StoredCase, replayed: readonly Exchange[]): string | null {
  const isFailing = (status: number | null) => status === null || status >= 500;
  const index = stored.steps.findIndex(({ status }, step) => {
    const now = replayed[step];
    return now !== undefined && !isFailing(status) && isFailing(responseOf(now)?.status ?? null);
  });
  const [before, now] = [stored.steps[index], replayed[index]];
  if (before === undefined || now === undefined) return null;
  const status = responseOf(now)?.status ?? null;
  return `step ${index + 1} got ${answerOf(before)}, and now ${answerOf({ status, code: codeOf(now) })}: nothing can be told`;
}

/** Each step of a stored case beside what came of it now; the steps of a whole check are not compared. */
export function stepsOf(
  stored: StoredCase,
  replayed: readonly Exchange[],
  redactor: Redactor,
): readonly ReplayedStep[] {
  const now = stored.whole ? [] : replayed;
  return Array.from({ length: Math.max(stored.steps.length, now.length) }, (_, index) => {
    const [before, after] = [stored.steps[index], now[index]];
    return {
      request: before
        ? requestOf(before.method, before.target)
        : after
          ? requestOf(after.request.method, after.request.target)
          : '',
      then: before ? answerOf(before) : null,
      now: after ? answerOf({ status: responseOf(after)?.status ?? null, code: codeOf(after) }) : null,
      body: after ? bodyOf(after, redactor) : null,
    };
  });
}

function requestOf(method: string, target: string): string {
  return `${method} ${target}`;
}

function bodyOf(exchange: Exchange, redactor: Redactor): string | null {
  const response = responseOf(exchange);
  return response === null ? null : redactor.redact(Buffer.from(response.body).toString('utf8'));
}

function codeOf(exchange: Exchange): string | null {
  return (responseOf(exchange)?.status ?? 0) >= 400 ? errorCode(exchange) : null;
}

function answerOf({ status, code }: Pick<StoredStep, 'status' | 'code'>): string {
  return status === null ? 'no answer' : `HTTP ${status}${code === null ? '' : ` ${code}`}`;
}
