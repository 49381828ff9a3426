import type { CatalogueRow } from '../catalogue/row.ts';
import type { FindingDraft } from '../engine/outcome.ts';
import type { Session } from '../engine/session.ts';
import type { RowVerdict } from '../engine/verdicts.ts';
import { applyBaseline, type BaselineEntry } from './baseline.ts';
import { countVerdicts } from './countVerdicts.ts';
import { limitsResult } from './limitsResult.ts';
import { resultHead, type HeadInput } from './resultHead.ts';
import type { Finding, OpenPointResult, RequirementResult, RunResult } from './result.ts';
import { coverage, exitCode, runVerdict, verdictReasons, type VerdictInput } from './verdictRules.ts';

export interface ResultInput extends HeadInput {
  readonly capabilities: readonly string[];
  readonly session: Session;
  readonly rows: readonly RowVerdict[];
  readonly baseline: readonly BaselineEntry[];
}

/** All that a run found, in the shape of result.json, with the exit code that follows from it. */
export function buildResult(input: ResultInput): { result: RunResult; exitCode: number } {
  const { session } = input;
  const findings = session.outcomes.flatMap((outcome) =>
    outcome.findings.filter(isReported).map(toFinding(input)),
  );
  const judged = applyBaseline(input.baseline, findings, input.rows.map(toRequirement));
  const verdict = verdictInput(
    input,
    judged.requirements,
    judged.stale.map(({ fingerprint }) => fingerprint),
  );
  const code = exitCode(verdict);
  const limits = limitsResult(session.limitsBook.entries);
  const result: RunResult = {
    ...resultHead(input, session.end, input.capabilities),
    summary: {
      verdict: runVerdict(verdict),
      coverage: coverage(verdict.rows),
      ...countVerdicts(judged.requirements),
      requests: session.allowance.spent.requests,
      callbacks: session.callbacks,
      quotaUnits: session.allowance.spent.quota,
      throttled: session.client.throttled,
      exitCode: code,
      reasons: verdictReasons(verdict),
    },
    requirements: judged.requirements,
    openPoints: input.rows.filter(({ row }) => row.level === 'open').map(toOpenPoint),
    findings: judged.findings,
    sideEffects: session.ledger.sideEffects.map((effect) => ({ ...effect })),
    ...(limits === undefined ? {} : { limits }),
    timings: session.latencies.summaries().map((summary) => ({ ...summary })),
  };
  return { result, exitCode: code };
}

function isReported(finding: FindingDraft): boolean {
  return finding.severity !== 'observed';
}

function toFinding({ settings, catalogue }: ResultInput): (draft: FindingDraft) => Finding {
  return (draft) => ({
    fingerprint: draft.fingerprint,
    requirement: draft.requirement,
    check: draft.check,
    confirmed: draft.confirmed,
    message: draft.message,
    expected: draft.expected,
    actual: draft.actual,
    counterexample: draft.counterexample,
    reproduce: {
      seed: settings.seed,
      path: draft.path,
      command: `gatecheck replay ${draft.fingerprint}`,
      curl: draft.curl,
    },
    exchanges: [...draft.exchanges],
    code: draft.code,
    level: catalogue.get(draft.requirement).level as 'must' | 'should',
    severity: draft.severity === 'warn' ? 'warn' : 'fail',
    case: JSON.parse(JSON.stringify(draft.stored)) as NonNullable<Finding['case']>,
  });
}

function toRequirement({ row, status, samples, checks, reason, pinned }: RowVerdict): RequirementResult {
  return {
    id: row.id,
    title: row.title,
    level: row.level === 'consumer' ? 'may' : row.level,
    source: row.source.map((one) => ({ ...one })),
    verdict: status,
    checks: [...checks],
    samples,
    baselined: false,
    reason,
    api: row.api,
    ...(row.excused === null ? {} : { excused: row.excused }),
    ...(pinned === null ? {} : { pinned }),
  };
}

function toOpenPoint({ row, status, reason, pinned }: RowVerdict): OpenPointResult {
  return {
    id: row.id,
    title: row.title,
    observed: status === 'observed' ? reason : status === 'pass' ? pinned : null,
    pinned,
    variants: variantsOf(row),
  };
}

function variantsOf(row: CatalogueRow): { name: string; title: string }[] {
  return 'variants' in row ? row.variants.map((variant) => ({ ...variant })) : [];
}

function verdictInput(
  { session, settings, capabilities }: ResultInput,
  rows: readonly RequirementResult[],
  staleBaseline: readonly string[],
): VerdictInput {
  return {
    rows,
    leftPlan: session.end === 'completed' ? null : session.endReason,
    targetLost: session.end === 'target-lost',
    primaryKeyRefused: session.end === 'key-refused',
    interrupted: session.end === 'interrupted',
    requiredMissing: settings.require.filter((name) => !capabilities.includes(name)),
    staleBaseline,
    thresholdsMissed: [],
    minMust: settings.minMust,
    strict: settings.strict,
  };
}
