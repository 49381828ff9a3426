import {
  earlierRecordUsed,
  keyOfEarlierRun,
  noCaseCame,
  noSample,
} from '../../engine/findings/skipReasons.ts';
import { isJudged } from '../../judge/kernel/verdict.ts';
import { lackingBudgets } from '../../plan/budgetLack.ts';
import type { OpenPointResult, OperationTiming, RequirementResult, RunResult } from '../result.ts';
import { gateOf, gateText } from '../gate.ts';
import { isRecorded, targetText } from '../verdictText.ts';
import { isAnsweredAlike } from './matrix.ts';

/** What the earlier and the later result say about the same thing. */
interface Change<Before, After = Before> {
  readonly before: Before;
  readonly after: After;
}

/** A requirement whose verdict has changed; `before` is null if the earlier result does not contain the requirement. */
export interface VerdictChange extends Change<RequirementResult | null, RequirementResult> {
  readonly id: string;
  readonly title: string;
}

interface PointChange extends Change<string> {
  readonly id: string;
  readonly title: string;
}

/** An operation that became slower or faster. */
export interface LatencyChange extends Change<OperationTiming> {
  readonly operation: string;
  /** The later p95 over the earlier one. */
  readonly factor: number;
}

interface LimiterChange extends Change<string> {
  readonly title: string;
}

/** The differences between two results; lists are empty if there are none. */
export interface ResultDiff {
  readonly before: string;
  readonly after: string;
  readonly failing: readonly VerdictChange[];
  readonly passing: readonly VerdictChange[];
  readonly warned: readonly VerdictChange[];
  /** Judged before, but no longer. */
  readonly lost: readonly VerdictChange[];
  readonly points: readonly PointChange[];
  readonly slower: readonly LatencyChange[];
  readonly faster: readonly LatencyChange[];
  readonly limiters: readonly LimiterChange[];
  /** The gate, if it is met in one of them only: of a load, it may be all that differs. */
  readonly gates: readonly LimiterChange[];
  /** Why the two can only be compared in part. */
  readonly notes: readonly string[];
}

interface DiffOptions {
  /** How much longer an operation may take before it counts as slower, as a share: 0.5 means half as long again. */
  readonly tolerance: number;
  /** Smallest difference of each percentile in milliseconds; a busy machine makes smaller differences by itself. */
  readonly least?: { readonly p50Ms: number; readonly p95Ms: number };
}

/** Compares two results: releases of one server, or two servers. */
export function diffResults(before: RunResult, after: RunResult, options: DiffOptions): ResultDiff {
  const changes = verdictChanges(before, after);
  const [slower, faster] = latencyChanges(before, after, options);
  const of = (isOf: (change: VerdictChange) => boolean) => changes.filter(isOf);
  return {
    before: nameOf(before),
    after: nameOf(after),
    failing: of(({ after: now }) => now.verdict === 'fail' && !now.baselined),
    passing: of((change) => change.after.verdict === 'pass' && wasBroken(change)),
    warned: of(
      (change) =>
        change.after.verdict === 'warn' &&
        !change.after.baselined &&
        !wasBroken(change) &&
        !(isAlike(before, after) && wasUnjudged(change)),
    ),
    lost: of(
      ({ before: then, after: now }) =>
        then !== null && isJudged(then.verdict) && isUnjudged(now) && !isByChance(then, now, [before, after]),
    ),
    points: pointChanges(before.openPoints, after.openPoints),
    gates: gateChanges(before, after),
    ...{ slower, faster, limiters: limiterChanges(before, after), notes: notesOf(before, after) },
  };
}

/** Whether two results say the same about their servers. */
export function hasNoChange(diff: ResultDiff): boolean {
  const { failing, passing, warned, lost, points, slower, faster, limiters, gates } = diff;
  return [failing, passing, warned, lost, points, slower, faster, limiters, gates].every(
    ({ length }) => length === 0,
  );
}

function gateChanges(before: RunResult, after: RunResult): readonly LimiterChange[] {
  const [then, now] = [gateOf(before.summary), gateOf(after.summary)];
  if (then === null || now === null || then.state === now.state) return [];
  return [{ title: 'gate', before: gateText(then), after: gateText(now) }];
}

function nameOf(result: RunResult): string {
  return `${targetText(result)}, ${result.run.startedAt.slice(0, 16).replace('T', ' ')}`;
}

function verdictChanges(before: RunResult, after: RunResult): readonly VerdictChange[] {
  const known = new Map(before.requirements.map((row) => [row.id, row]));
  return after.requirements
    .filter(({ level }) => level !== 'open')
    .map((now) => ({ id: now.id, title: now.title, before: known.get(now.id) ?? null, after: now }))
    .filter(({ before: then, after: now }) => then?.verdict !== now.verdict);
}

function wasBroken({ before }: VerdictChange): boolean {
  return before?.verdict === 'fail' || before?.verdict === 'warn';
}

/** Of two runs with the same capabilities, one may judge what the other did not get to. */
function wasUnjudged({ before }: VerdictChange): boolean {
  return before !== null && isUnjudged(before);
}

/** What did not apply, or was not asked for, is not a loss. */
function isUnjudged({ verdict }: RequirementResult): boolean {
  return verdict === 'skipped' || verdict === 'inconclusive';
}

/** Number of samples that the traffic of a run produces by chance, depending on its seed. */
const chanceSamples = 2;

/** Reasons for what a run happened not to send, or found already made by an earlier one. */
const ofChance: ReadonlySet<string> = new Set([noCaseCame, earlierRecordUsed, keyOfEarlierRun]);

/**
 * Whether a difference between two runs with the same capabilities is what one happened not to send, or had no budget left for:
 * no answer says that anything changed.
 */
function isByChance(
  then: RequirementResult,
  now: RequirementResult,
  [before, after]: readonly RunResult[],
): boolean {
  // The seed decides which cases are generated, and earlier runs decide which records are made anew.
  if (now.reason !== null && ofChance.has(now.reason)) return true;
  if (!before || !after || !isAlike(before, after)) return false;
  if (now.verdict !== 'skipped') return after.run.end === 'budget';
  // What fits into a small budget depends on the record book.
  if (lacksTheSame(now, before)) return true;
  return (
    then.samples <= chanceSamples ||
    ((now.reason?.startsWith(noSample) ?? false) && usesEarlierRecords(after))
  );
}

/** Whether a rule was left out because of budgets that the other run had as well. */
function lacksTheSame({ reason }: RequirementResult, { requirements }: RunResult): boolean {
  const lacking = lackingBudgets(reason ?? '');
  const known = new Set(requirements.flatMap((row) => lackingBudgets(row.reason ?? '')));
  return lacking.length > 0 && lacking.every((budget) => known.has(budget));
}

/** Whether a run made fewer records than the one before, so that fewer samples were judged in passing. */
function usesEarlierRecords({ requirements }: RunResult): boolean {
  return requirements.some(({ reason }) => reason === earlierRecordUsed);
}

/** Whether two runs could do the same. */
function isAlike({ run, target }: RunResult, { run: laterRun, target: laterTarget }: RunResult): boolean {
  const means = [run, laterRun].map(({ profile, only, end }) => [profile, only, end]);
  const having = [target, laterTarget].map(({ apis, capabilities }) => [apis, [...capabilities].sort()]);
  return [means, having].every(([one, other]) => JSON.stringify(one) === JSON.stringify(other));
}

/** Only if both runs saw it: what a run did not see is not a different behavior. */
function pointChanges(
  before: readonly OpenPointResult[],
  after: readonly OpenPointResult[],
): readonly PointChange[] {
  const known = new Map(before.map((point) => [point.id, point.observed]));
  return after.flatMap(({ id, title, observed }) => {
    const then = known.get(id) ?? null;
    if (then === null || observed === null) return [];
    return isAnsweredAlike(id, [then, observed]) ? [] : [{ id, title, before: then, after: observed }];
  });
}

/** Fewer answers than this say nothing about a percentile. */
const fewest = 20;
const usualLeast = { p50Ms: 20, p95Ms: 50 };

/** Only if both percentiles moved, since a single one varies from run to run with the load of the machines. */
function latencyChanges(before: RunResult, after: RunResult, { tolerance, least = usualLeast }: DiffOptions) {
  // The embedded reference works in the process of its run: its times are those of the machine.
  const isOfMachine = before.target.kind === 'embedded' && after.target.kind === 'embedded';
  const known = new Map(
    (isOfMachine ? [] : (before.timings ?? [])).map((timing) => [timing.operation, timing]),
  );
  const changes = (after.timings ?? []).flatMap((now): LatencyChange[] => {
    const then = known.get(now.operation);
    if (!then || Math.min(then.count, now.count) < fewest) return [];
    const factor = now.p95Ms / Math.max(then.p95Ms, 0.001);
    return [{ operation: now.operation, before: then, after: now, factor }];
  });
  const isLonger = (one: OperationTiming, other: OperationTiming) =>
    (['p50Ms', 'p95Ms'] as const).every(
      (name) => other[name] > one[name] * (1 + tolerance) && other[name] - one[name] >= least[name],
    );
  const slower = changes.filter(({ before: then, after: now }) => isLonger(then, now));
  const faster = changes.filter(({ before: then, after: now }) => isLonger(now, then));
  return [slower, faster] as const;
}

function limiterChanges(before: RunResult, after: RunResult): readonly LimiterChange[] {
  const known = new Map((before.limits?.limiters ?? []).map((limiter) => [limiter.title, limiter]));
  return (after.limits?.limiters ?? []).flatMap(({ title, name, model, documented }) => {
    const then = known.get(title);
    if (!then || (then.model === model && then.documented === documented)) return [];
    return [{ title, before: then.name, after: name }];
  });
}

function trafficOf({ run }: RunResult): string {
  return isRecorded(run) ? 'recorded' : "the run's own";
}

function notesOf(before: RunResult, after: RunResult): readonly string[] {
  const differing = [
    ['catalogue', before.tool.catalogue, after.tool.catalogue],
    ['profile', before.run.profile, after.run.profile],
    ['list of APIs', before.target.apis.join(' and '), after.target.apis.join(' and ')],
    ['selection', before.run.only?.join(' ') ?? 'all', after.run.only?.join(' ') ?? 'all'],
    ['traffic', trafficOf(before), trafficOf(after)],
    ['end', before.run.end ?? 'completed', after.run.end ?? 'completed'],
  ];
  const notes = differing
    .filter(([, then, now]) => then !== now)
    .map(
      ([what, then, now]) =>
        `The ${what} was ${then ?? ''} and is ${now ?? ''}: not everything can be compared.`,
    );
  const [then, now] = [before, after].map(({ summary }) => summary.coverage.must.judged) as [number, number];
  if (then >= now / 2) return notes;
  return [...notes, `Before, ${then} musts were judged, now ${now}: of most it is not known how they were.`];
}
