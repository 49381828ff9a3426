import { usageError } from '../core/errors.ts';
import { addUp, passed, type Verdict } from '../judge/kernel/verdict.ts';
import type { Finding } from '../engine/findings/finding.ts';
import type { OpenPointResult, RequirementResult, RunResult } from './result.ts';
import { applyBaseline, type BaselineEntry } from './baseline.ts';
import { countVerdicts, inStateOfRows } from './states.ts';
import { isLoad } from './headline.ts';
import { gateInput, shardOf, type MergeGates } from './mergeGate.ts';
import { coverage, ruledSummary } from './verdictRules.ts';

/**
 * Joins the results of the shards of a run, or of runs against several targets: each requirement gets the heaviest of its
 * verdicts, and counts as judged if one of them judged it. Percentiles cannot be joined, and are left out.
 */
export function mergeResults(
  results: readonly RunResult[],
  gates: MergeGates = { minMust: null, strict: false },
): RunResult {
  const [first] = results;
  if (!first) throw usageError('NO_RESULTS', 'Expected results to merge; got none.');
  refuseStrangers(results);
  const { findings, requirements, stale, unseen } = withBaseline(
    {
      findings: results.flatMap((result, index) => result.findings.map(inPart(index + 1))),
      requirements: mergeRows(results),
    },
    gates.baseline,
  );
  const target = mergeTargets(results);
  const input = gateInput(results, { ...gates, rows: requirements, stale, unseen, target });
  const sum = (count: (result: RunResult) => number) => results.reduce((all, one) => all + count(one), 0);
  return {
    schemaVersion: 1,
    tool: first.tool,
    run: {
      ...first.run,
      command: mergeCommands(results),
      id: results.map(({ run }) => run.id).join('+'),
      startedAt: results.map(({ run }) => run.startedAt).sort()[0] ?? first.run.startedAt,
      durationMs: Math.max(...results.map(({ run }) => run.durationMs)),
      shard: null,
      ...mergeSelections(results),
      end: gates.interrupted
        ? 'interrupted'
        : (results.map(({ run }) => run.end).find((end) => end !== 'completed') ?? 'completed'),
    },
    target,
    summary: {
      ...ruledSummary(input),
      coverage: mergeCoverage(results, requirements),
      ...countVerdicts(requirements),
      requests: sum(({ summary }) => summary.requests),
      callbacks: sum(({ summary }) => summary.callbacks),
      quotaUnits: sum(({ summary }) => summary.quotaUnits),
      throttled: sum(({ summary }) => summary.throttled),
    },
    requirements,
    openPoints: mergeOpenPoints(results),
    findings: inStateOfRows(findings, requirements),
    sideEffects: results.flatMap((result, index) =>
      result.sideEffects.map((effect) => ({ ...effect, exchange: idIn(index + 1, effect.exchange) })),
    ),
    ...mergeLimits(results),
  };
}

/** A load has rows only for what it judged: of how many, its coverage says. */
function mergeCoverage(results: readonly RunResult[], rows: readonly RequirementResult[]) {
  const merged = coverage(rows);
  const least = (level: 'must' | 'should') =>
    Math.max(merged[level].total, ...results.map(({ summary }) => summary.coverage[level].total));
  return {
    must: { ...merged.must, total: least('must') },
    should: { ...merged.should, total: least('should') },
  };
}

/** Parts that were judged without a baseline may get one together. */
function withBaseline(
  parts: Pick<RunResult, 'findings' | 'requirements'>,
  entries: readonly BaselineEntry[] | undefined,
) {
  if (entries === undefined) return { ...parts, stale: [], unseen: [] };
  return applyBaseline(entries, parts.findings, parts.requirements);
}

/** The result with other commands that send its findings again. */
export function withCommands(result: RunResult, commandOf: (finding: Finding) => string): RunResult {
  const findings = result.findings.map((finding) => ({
    ...finding,
    reproduce: { ...finding.reproduce, command: commandOf(finding) },
  }));
  return { ...result, findings };
}

/** The command of the whole, without what made it a part. Loads alone are a load. */
function mergeCommands(results: readonly RunResult[]): string {
  const first = results.find((one) => !isLoad(one)) ?? results[0];
  return (first?.run.command ?? '').replaceAll(/ --(?:shard|report-dir)[ =](?:'[^']*'|\\'|[^\s'])+/g, '');
}

/** Parts of a selection make a selection; if one part covers everything, the whole does. */
function mergeSelections(results: readonly RunResult[]): Pick<RunResult['run'], 'only' | 'onlyOf'> {
  const selections = results.map(({ run }) => run.only);
  if (selections.includes(undefined)) return { only: undefined, onlyOf: undefined };
  return { only: [...new Set(selections.flatMap((only) => only ?? []))] };
}

function refuseStrangers(results: readonly RunResult[]): void {
  const catalogues = new Set(results.map(({ tool }) => `${tool.version} with catalogue ${tool.catalogue}`));
  if (catalogues.size > 1)
    throw usageError(
      'STRANGE_RESULTS',
      `Expected results of the same version of Gatecheck; got ${[...catalogues].join(' and ')}.`,
      'Run all parts with the same version.',
    );
  const indexes = results.flatMap(({ run }) => run.shard?.index ?? []);
  const twice = indexes.find((index, place) => indexes.indexOf(index) !== place);
  const totals = new Set(results.map(({ run }) => run.shard?.total ?? 0));
  if (indexes.length > 0 && (twice !== undefined || totals.size > 1))
    throw usageError(
      'STRANGE_SHARDS',
      `Expected the shards of one run, each once; got ${results.map(shardOf).join(', ')}.`,
    );
}

function mergeRows(results: readonly RunResult[]): RequirementResult[] {
  const rows = new Map<string, RequirementResult[]>();
  for (const row of results.flatMap(rowsIn)) rows.set(row.id, [...(rows.get(row.id) ?? []), row]);
  return [...rows.values()].map(mergeRow);
}

/** The rows of a part, with ids of exchanges that say which part they belong to. */
function rowsIn({ requirements }: RunResult, index: number): RequirementResult[] {
  return requirements.map((row) =>
    row.evidence === undefined ? row : { ...row, evidence: row.evidence.map((id) => `${index + 1}/${id}`) },
  );
}

function mergeRow(rows: readonly RequirementResult[]): RequirementResult {
  // Of several reasons, the least informative is that a part did not contain the checks.
  const sorted = rows.toSorted((a, b) => Number(isAbsence(a.reason)) - Number(isAbsence(b.reason)));
  const [first] = rows as [RequirementResult];
  const { status, samples, reason } = addUp(sorted.map(verdictOf), first.level) ?? verdictOf(first);
  const decisive = rows.filter(({ verdict }) => verdict === status);
  const { evidence: _of, heldBackBy: _by, judgedBy: _those, ...shared } = first;
  return {
    ...shared,
    verdict: status,
    checks: [...new Set(rows.flatMap(({ checks }) => checks))],
    samples,
    baselined: decisive.every(({ baselined }) => baselined),
    reason,
    ...judgedByAll(rows),
    ...allOf('evidence', decisive),
    ...allOf('heldBackBy', decisive),
  };
}

/** The checks that judged it in any part, with their samples of all parts. */
function judgedByAll(rows: readonly RequirementResult[]): Pick<RequirementResult, 'judgedBy'> {
  const counts = new Map<string, number>();
  for (const [check, samples] of rows.flatMap(({ judgedBy = {} }) => Object.entries(judgedBy)))
    counts.set(check, (counts.get(check) ?? 0) + samples);
  return counts.size === 0 ? {} : { judgedBy: Object.fromEntries(counts) };
}

/** What any of the rows names; the member is missing if none names anything. */
function allOf<K extends 'evidence' | 'heldBackBy'>(member: K, rows: readonly RequirementResult[]) {
  const all = [...new Set(rows.flatMap((row) => row[member] ?? []))];
  return (all.length === 0 ? {} : { [member]: all }) as Partial<Record<K, string[]>>;
}

function verdictOf({ verdict: status, samples, reason }: RequirementResult): Verdict {
  return status === 'pass'
    ? passed(samples, reason)
    : { status, samples, reason: reason ?? 'no reason given' };
}

function isAbsence(reason: string | null): boolean {
  return reason === 'its checks were not part of this run' || reason === 'belongs to another shard';
}

/** If shards saw different variants, all of them are reported. */
function mergeOpenPoints(results: readonly RunResult[]): OpenPointResult[] {
  const points = new Map<string, OpenPointResult>();
  for (const point of results.flatMap(({ openPoints }) => openPoints)) {
    const known = points.get(point.id);
    const seen = [known?.observed, point.observed].flatMap((text) => text?.split(', ') ?? []);
    const observed = seen.length === 0 ? null : [...new Set(seen)].join(', ');
    points.set(point.id, { ...(known ?? point), observed });
  }
  return [...points.values()];
}

function mergeTargets(results: readonly RunResult[]): RunResult['target'] {
  const [first] = results as [RunResult, ...RunResult[]];
  const same = results.every(({ target }) => target.baseUrl === first.target.baseUrl);
  const all = <T>(pick: (target: RunResult['target']) => readonly T[]) => [
    ...new Set(results.flatMap(({ target }) => pick(target))),
  ];
  return {
    ...first.target,
    baseUrl: same ? first.target.baseUrl : null,
    baseUrls: Object.assign(
      {},
      ...results.map(({ target }) => target.baseUrls),
    ) as typeof first.target.baseUrls,
    apis: all(({ apis }) => apis),
    capabilities: all(({ capabilities }) => capabilities),
  };
}

/** Prefixes ids of exchanges with their part: `2/x17`. */
function inPart(part: number): (finding: Finding) => Finding {
  return ({ decisive, ...finding }) => ({
    ...finding,
    exchanges: finding.exchanges.map((id) => `${part}/${id}`),
    ...(decisive === undefined ? {} : { decisive: `${part}/${decisive}` }),
  });
}

function idIn(part: number, id: string | null): string | null {
  return id === null ? null : `${part}/${id}`;
}

function mergeLimits(results: readonly RunResult[]): Pick<RunResult, 'limits'> {
  const found = results.map(({ limits }) => limits).filter((limits) => limits !== undefined);
  if (found.length === 0) return {};
  return {
    limits: {
      limiters: found.flatMap(({ limiters = [] }) => limiters),
      models: found.flatMap(({ models = [] }) => models),
      timelines: found.flatMap(({ timelines = [] }) => timelines),
    },
  };
}
