import { highestJudged } from '../../load/judge/keyAccuracy.ts';
import { appliesTo } from '../../catalogue/appliesTo.ts';
import type { ExitCode } from '../../core/errors.ts';
import type { Settings } from '../../core/settings.ts';
import type { SessionEnd } from '../../engine/health/runEnd.ts';
import { type Finding, fingerprintOf } from '../../engine/findings/finding.ts';
import type { SideEffect } from '../../engine/observe/ledger.ts';
import type { JudgedRule } from '../../load/judge/judgeShare.ts';
import { isJudged } from '../../judge/kernel/verdict.ts';
import type { LoadSummary } from '../../load/summary/summarySchema.ts';
import { applyBaseline, type BaselineEntry } from '../baseline.ts';
import { decideGate } from '../gate.ts';
import type { Coverage, RequirementResult, RunResult } from '../result.ts';
import { countVerdicts, inStateOfRows, withAdvice } from '../states.ts';
import { resultHead, type HeadInput } from '../resultHead.ts';
import { formatDuration } from '../text/format.ts';
import { fewMusts, missingReasons } from '../verdictRules.ts';
import { loadReasons } from './loadReasons.ts';

interface LoadResultInput extends HeadInput {
  readonly settings: HeadInput['settings'] & Pick<Settings, 'strict' | 'limits' | 'require' | 'minMust'>;
  /** The command that sends the same load again. */
  readonly again: string;
  readonly capabilities: readonly string[];
  /** Known failures. */
  readonly baseline: readonly BaselineEntry[];
  readonly end: SessionEnd;
  readonly summary: LoadSummary;
  /** Rules of which the load gave the oracles samples, and what was broken. */
  readonly judged: readonly JudgedRule[];
  readonly broken: readonly Finding[];
  readonly sideEffects: readonly SideEffect[];
  readonly spent: { readonly requests: number; readonly quota: number };
}

/** The rules of the limiter by its window: about what is admitted beyond the limit, and what is refused below it. */
const rules = [
  { windowMs: 60_000, over: 'SHR-LIM-002', under: 'SHR-LIM-001' },
  { windowMs: 3_600_000, over: 'SHR-LIM-008', under: 'SHR-LIM-007' },
] as const;

/** A load in the shape of result.json, with the resulting exit code. */
export function buildLoadResult(input: LoadResultInput): { result: RunResult; exitCode: ExitCode } {
  const { settings, summary, capabilities } = input;
  // A load judges in passing: that a rule was kept this time makes no entry of the baseline stale.
  const { findings, requirements } = applyBaseline(
    input.baseline,
    [...findingsOf(input), ...input.broken],
    [...limiterRows(input), ...judgedRows(input)],
  );
  const coverage = {
    must: coverageOf(input, 'must', requirements),
    should: coverageOf(input, 'should', requirements),
  };
  const ruled = ruledLoad(input, { findings, must: coverage.must });
  const result: RunResult = {
    ...resultHead({ ...input, settings: { ...settings, shard: null } }, input.end, capabilities),
    summary: {
      ...ruled,
      coverage,
      ...countVerdicts(requirements),
      requests: input.spent.requests,
      callbacks: summary.correctness?.callbacks ?? summary.callbacks?.count ?? 0,
      quotaUnits: input.spent.quota,
      throttled: 0,
    },
    requirements: withAdvice(requirements, findings, input.catalogue),
    openPoints: [],
    findings: inStateOfRows(findings, requirements),
    sideEffects: input.sideEffects.map((effect) => ({ ...effect })),
    load: summary,
  };
  return { result, exitCode: ruled.exitCode };
}

/** The part of the summary that rules decide. A load never judges every must: it is partial at best. */
function ruledLoad(
  { summary, end, settings, capabilities }: LoadResultInput,
  { findings, must }: { readonly findings: readonly Finding[]; readonly must: Coverage },
) {
  const { strict, require, minMust } = settings;
  const reasons = loadReasons({ summary, end, strict, findings, perMinute: settings.limits.perMinute });
  const missing = require.filter((name) => !capabilities.includes(name));
  const interrupted = end === 'interrupted';
  const notMet = [...reasons.notMet, ...missingReasons(missing), ...fewMusts(must, minMust)];
  const { gate, exitCode } = decideGate({ ...reasons, notMet, interrupted, cutShort: false });
  const isBroken = findings.some(({ severity }) => severity === 'fail');
  const isUnclear = interrupted || reasons.unclear.length > 0;
  return {
    verdict: isBroken
      ? ('nonconformant' as const)
      : isUnclear
        ? ('inconclusive' as const)
        : ('partial' as const),
    exitCode,
    gate: missing.length === 0 ? gate : { ...gate, missing },
    reasons: [
      ...(interrupted ? ['The load was interrupted.'] : []),
      ...[...notMet, ...reasons.unclear].map(({ sentence }) => sentence),
      ...reasons.notes,
    ],
  };
}

/** The rules of the limiter that a load can judge; rules that it did not reach are not judged. */
function limiterRows({ summary, settings, catalogue }: LoadResultInput): RequirementResult[] {
  const { limiter } = summary;
  if (limiter === null) return [];
  return rules.flatMap(({ windowMs, over, under }) => {
    const limit = windowMs === 60_000 ? settings.limits.perMinute : settings.limits.perHour;
    const beyond = limiter.overAdmitted.filter((one) => one.windowMs === windowMs);
    // A load certainly reaches only the minute limit: a 429 by the hour limit looks the same.
    const isJudged =
      beyond.length > 0 || (windowMs === 60_000 && limiter.refused > 0 && limit <= highestJudged);
    const row = (id: string, part: Pick<RequirementResult, 'verdict' | 'samples' | 'reason'>) => {
      const { title, source, level, api } = catalogue.get(id);
      return {
        id,
        title,
        level: level as 'must',
        source: source.map((one) => ({ ...one })),
        checks: ['load'],
        baselined: false,
        api,
        ...part,
      };
    };
    const notReached =
      limit > highestJudged
        ? `A limit of more than ${highestJudged} requests is not judged, since that many would have to be remembered for each key.`
        : `The load did not show what happens beyond ${limit} requests.`;
    const early = windowMs === 60_000 ? limiter.underAdmitted : [];
    return [
      row(
        over,
        beyond.length > 0
          ? { verdict: 'fail', samples: beyond.length, reason: overText(beyond[0]) }
          : isJudged
            ? { verdict: 'pass', samples: limiter.refused, reason: null }
            : { verdict: 'skipped', samples: 0, reason: notReached },
      ),
      ...(early.length === 0
        ? []
        : [row(under, { verdict: 'warn', samples: early.length, reason: underText(early[0]) })]),
    ];
  });
}

/** What the oracles say about everything that was sent, answered and delivered; the rows of the limiter come from elsewhere. */
function judgedRows({ judged, catalogue, broken }: LoadResultInput): RequirementResult[] {
  const own: ReadonlySet<string> = new Set(rules.flatMap(({ over, under }) => [over, under]));
  return judged
    .filter(({ requirement }) => !own.has(requirement))
    .map(({ requirement, rest, load, fault }) => {
      const { title, source, level, api } = catalogue.get(requirement);
      const finding = broken.find((one) => one.requirement === requirement);
      const isBroken = rest.violations + load.violations > 0;
      return {
        ...{ id: requirement, title, level: level as 'must', api, baselined: false, checks: ['load'] },
        source: source.map((one) => ({ ...one })),
        verdict: isBroken ? (level === 'must' ? 'fail' : 'warn') : fault === null ? 'pass' : 'inconclusive',
        samples: rest.samples + load.samples,
        reason: finding?.message ?? fault,
      };
    });
}

type Over = NonNullable<LoadSummary['limiter']>['overAdmitted'][number];
type Under = NonNullable<LoadSummary['limiter']>['underAdmitted'][number];

function overText(one: Over | undefined): string {
  if (one === undefined) return '';
  return `${one.admitted} requests of ${one.key} were certainly admitted within ${formatDuration(one.windowMs)}; the limit is ${one.limit}.`;
}

function underText(one: Under | undefined): string {
  if (one === undefined) return '';
  return `${one.count} requests of ${one.key} were refused with at most ${one.atMost} others in the window, fewer than ${one.limit}. The key must be in use nowhere else: the command limits verifies that.`;
}

function findingsOf({ summary, settings, again }: LoadResultInput): RunResult['findings'] {
  return rules.flatMap(({ windowMs, over: requirement }) => {
    const [worst] = (summary.limiter?.overAdmitted ?? [])
      .filter((one) => one.windowMs === windowMs)
      .toSorted((one, other) => other.admitted - one.admitted);
    if (!worst) return [];
    return [
      {
        fingerprint: fingerprintOf(requirement, 'load', 'over-admitted'),
        requirement,
        check: 'load',
        // Certain because of the times of sending and receiving: another load would show it on other requests.
        confirmed: '1 of 1',
        message: overText(worst),
        expected: `at most ${worst.limit} requests of a key admitted within any ${formatDuration(windowMs)}`,
        actual: `${worst.admitted} answered 2xx`,
        counterexample: null,
        reproduce: { seed: settings.seed, path: null, command: again, curl: null },
        exchanges: [],
        code: 'over-admitted',
        level: 'must' as const,
        severity: 'fail' as const,
      },
    ];
  });
}

function coverageOf(
  { catalogue, settings }: LoadResultInput,
  level: 'must' | 'should',
  rows: readonly RequirementResult[],
) {
  const applying = catalogue.requirements.filter(
    (row) => row.level === level && appliesTo(settings.apis)(row),
  );
  const judged = rows.filter((row) => row.level === level && isJudged(row.verdict));
  return { judged: judged.length, total: applying.length };
}
