import type { CatalogueRow } from '../catalogue/row.ts';
import type { Settings } from '../core/settings.ts';
import type { CheckOutcome } from '../engine/findings/outcome.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { isJudged, type Verdict } from '../judge/kernel/verdict.ts';
import { applyBaseline, type BaselineEntry } from './baseline.ts';
import type { Conduct } from './conduct.ts';
import { withHeldBack } from './heldBack.ts';
import { countVerdicts, inStateOfRows } from './states.ts';
import { limitsResult } from '../engine/keys/limitsResult.ts';
import { resultHead, type HeadInput, type HeadSettings } from './resultHead.ts';
import type { OpenPointResult, RequirementResult, RunResult } from './result.ts';
import { select, type JudgedRow } from './selection.ts';
import { shorten } from './text/printable.ts';
import { coverage, ruledSummary, type VerdictInput } from './verdictRules.ts';

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
    requirements: judged.requirements,
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
