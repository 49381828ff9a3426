import type { CatalogueRow } from '../catalogue/row.ts';
import type { Settings } from '../core/settings.ts';
import type { CheckOutcome } from '../engine/findings/outcome.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { isJudged, type Verdict } from '../judge/kernel/verdict.ts';
import { applyBaseline, type BaselineEntry } from './baseline.ts';
import { withHeldBack } from './heldBack.ts';
import { countVerdicts, inStateOfRows, withAdvice } from './states.ts';
import { limitsResult } from '../engine/keys/limitsResult.ts';
import { resultHead, type HeadInput, type HeadSettings } from './resultHead.ts';
import type { OpenPointResult, RequirementResult, RunResult } from './result.ts';
import { shorten } from './text/printable.ts';
import { coverage, ruledSummary, type VerdictInput, type Outside } from './verdictRules.ts';
import type { Finding } from '../engine/findings/finding.ts';
import type { Check } from '../plan/check.ts';
import { isAskedFor } from '../plan/makePlan.ts';
import type { SessionEnd } from '../engine/health/runEnd.ts';
import type { LatencySummary } from '../engine/observe/latencies.ts';
import type { SideEffect } from '../engine/observe/ledger.ts';
import type { LimitsFound } from '../engine/keys/limitsSchema.ts';
import type { Session } from '../engine/session/session.ts';

interface ResultInput extends HeadInput {
  readonly settings: ResultSettings;
  readonly capabilities: readonly string[];
  readonly conduct: Conduct;
  /** Number of callbacks that came. */
  readonly callbacks: number;
  /** All checks, planned or not. */
  readonly checks: readonly EngineCheck[];
  readonly verdicts: ReadonlyMap<CatalogueRow, Verdict>;
  readonly baseline: readonly BaselineEntry[];
}

/** The settings that a result needs. */
export type ResultSettings = HeadSettings &
  Pick<Settings, 'only' | 'openPoints' | 'require' | 'minMust' | 'strict'>;

/** Longest reason of a verdict; a reason may quote answers. */
const longestReason = 4000;

/** Everything that a run found, in the shape of result.json, with the resulting exit code. */
export function buildResult(input: ResultInput): { result: RunResult; exitCode: number } {
  const { conduct } = input;
  const { rows, findings, outside } = select({
    ...input,
    findings: conduct.outcomes.flatMap((outcome) => outcome.findings),
    only: input.settings.only,
  });
  const known = applyBaseline(input.baseline, findings, rows.map(toRequirement(input)));
  const judged = withHeldBack(known, conduct.violatedBy);
  const verdict = {
    ...verdictInput(input, judged.requirements),
    staleBaseline: known.stale,
    unseenBaseline: known.unseen,
    outside,
  };
  const ruled = ruledSummary(verdict);
  const limits = limitsResult(conduct.limits);
  const result: RunResult = {
    ...headOf(input, outside?.total),
    summary: {
      ...ruled,
      coverage: coverage(verdict.rows),
      ...countVerdicts(judged.requirements),
      requests: conduct.requests,
      callbacks: input.callbacks,
      quotaUnits: conduct.quotaUnits,
      throttled: conduct.throttled,
    },
    requirements: withAdvice(judged.requirements, judged.findings, input.catalogue),
    openPoints: [...input.verdicts].filter(([{ level }]) => level === 'open').map(toOpenPoint(input)),
    findings: inStateOfRows(judged.findings, judged.requirements),
    sideEffects: conduct.sideEffects.map((effect) => ({ ...effect })),
    ...(limits === undefined ? {} : { limits }),
    timings: conduct.timings.map((summary) => ({ ...summary })),
  };
  return { result, exitCode: ruled.exitCode };
}

function headOf(input: ResultInput, onlyOf: number | undefined): ReturnType<typeof resultHead> {
  const head = resultHead(input, input.conduct.end, input.capabilities);
  return onlyOf === undefined
    ? head
    : { ...head, run: { ...head.run, only: [...input.settings.only], onlyOf } };
}

function toRequirement({ checks, settings, conduct }: ResultInput) {
  const judgedBy = judgesOf(conduct.outcomes);
  return ([row, verdict]: JudgedRow): RequirementResult => {
    const pinned = settings.openPoints[row.id];
    return {
      id: row.id,
      title: row.title,
      ...(row.quote === null ? {} : { quote: row.quote }),
      level: row.level === 'consumer' ? 'may' : row.level,
      source: row.source.map((one) => ({ ...one })),
      verdict: verdict.status,
      checks: checks.filter(({ verifies }) => verifies.includes(row.id)).map(({ id }) => id),
      samples: verdict.samples,
      baselined: false,
      reason: verdict.reason === null ? null : shorten(verdict.reason, longestReason),
      api: row.api,
      ...(row.excused === null ? {} : { excused: row.excused }),
      ...('narrows' in row && row.narrows.length > 0 ? { narrows: [...row.narrows] } : {}),
      ...(pinned === undefined ? {} : { pinned }),
      ...judgedBy(row.id),
      ...('evidence' in verdict ? { evidence: [...verdict.evidence] } : {}),
    };
  };
}

/** The checks that judged a requirement, with their samples. */
function judgesOf(outcomes: readonly CheckOutcome[]): (id: string) => Pick<RequirementResult, 'judgedBy'> {
  const all = new Map<string, Record<string, number>>();
  for (const { check, verdicts } of outcomes)
    for (const [id, { status, samples }] of verdicts)
      if (isJudged(status) && samples > 0) all.set(id, { ...all.get(id), [check]: samples });
  return (id) => {
    const judgedBy = all.get(id);
    return judgedBy === undefined ? {} : { judgedBy };
  };
}

function toOpenPoint({ settings }: ResultInput) {
  return ([row, { status, reason }]: JudgedRow): OpenPointResult => {
    const pinned = settings.openPoints[row.id] ?? null;
    return {
      id: row.id,
      title: row.title,
      observed: status === 'observed' ? reason : status === 'pass' ? pinned : null,
      pinned,
      variants: variantsOf(row),
    };
  };
}

function variantsOf(row: CatalogueRow): { name: string; title: string }[] {
  return 'variants' in row ? row.variants.map((variant) => ({ ...variant })) : [];
}

function verdictInput(
  { conduct, settings, capabilities }: ResultInput,
  rows: readonly RequirementResult[],
): Omit<VerdictInput, 'staleBaseline' | 'unseenBaseline' | 'outside'> {
  return {
    rows,
    leftPlan: conduct.end === 'completed' ? null : conduct.endReason,
    targetLost: conduct.end === 'target-lost',
    keyRefused: conduct.end === 'key-refused',
    interrupted: conduct.end === 'interrupted',
    cutShort: conduct.end === 'cut-short',
    requiredMissing: settings.require.filter((name) => !capabilities.includes(name)),
    loadsNotMet: [],
    loadsUnclear: [],
    isOfLoads: false,
    minMust: settings.minMust,
    strict: settings.strict,
  };
}

type JudgedRow = readonly [row: CatalogueRow, verdict: Verdict];

/** What a run established, and which part was asked for. */
interface Established {
  readonly verdicts: ReadonlyMap<CatalogueRow, Verdict>;
  readonly findings: readonly Finding[];
  /** All checks, planned or not. */
  readonly checks: readonly Check[];
  /** Patterns of `--only`; none for everything. */
  readonly only: readonly string[];
}

/** The part that counts. */
interface Selection {
  readonly rows: readonly JudgedRow[];
  readonly findings: readonly Finding[];
  /** The part that does not; null if everything was asked for. */
  readonly outside: Outside | null;
}

/** Leaves out what was not selected: its checks only ran partly, for other requirements. */
export function select({ verdicts, findings, checks, only }: Established): Selection {
  const rows = [...verdicts];
  if (only.length === 0) return { rows, findings, outside: null };
  const asked = new Set(rows.map(([{ id }]) => id).filter((id) => isAskedFor(id, checks, only)));
  const broken = rows.filter(
    ([{ id }, { status }]) => !asked.has(id) && (status === 'fail' || status === 'warn'),
  );
  return {
    rows: rows.filter(([{ id }]) => asked.has(id)),
    findings: findings.filter(({ requirement }) => asked.has(requirement)),
    outside: { total: rows.length, broken: broken.map(([{ id }]) => id) },
  };
}

/** How a run ended, and the outcomes of its checks: everything that a result needs except the settings. */
export interface Conduct {
  readonly outcomes: readonly CheckOutcome[];
  readonly end: SessionEnd;
  /** In words; meaningful unless it completed. */
  readonly endReason: string;
  readonly requests: number;
  readonly quotaUnits: number;
  /** Number of 429s to requests that did not ask for one. */
  readonly throttled: number;
  readonly sideEffects: readonly SideEffect[];
  readonly limits: readonly LimitsFound[];
  readonly timings: readonly LatencySummary[];
  /** The requirements that an exchange or a delivery was seen to break, by its id. */
  readonly violatedBy: (evidence: string) => readonly string[];
}

/** The conduct of a session that sent its own requests. */
export function conductOf({ outcomes, end, endReason, traffic, observations }: Session): Conduct {
  const { requests, quota } = traffic.allowance.spent;
  return {
    ...{ outcomes, end, endReason, requests, quotaUnits: quota },
    throttled: traffic.client.throttled,
    sideEffects: traffic.ledger.sideEffects,
    limits: observations.limitsBook.found,
    timings: observations.observer.latencies.summaries(),
    violatedBy: (evidence) => observations.observer.violatedBy(evidence),
  };
}
