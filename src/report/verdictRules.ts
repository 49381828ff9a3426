import { isJudged } from '../judge/kernel/verdict.ts';
import { decideGate, knownText, reasonsIn, staleText, type Gate, type GateReason } from './gate.ts';
import { plural } from './text/format.ts';
import type { Coverage, RequirementResult, RunVerdict } from './result.ts';

/** What the verdict needs to know about one requirement that applies to the target's APIs. */
export type VerdictRow = Pick<RequirementResult, 'level' | 'verdict' | 'baselined'> & {
  /** True (or a reason) if it cannot be observed from outside: it never makes a run partial. */
  readonly excused?: string | boolean | undefined;
};

/** What a run did not count because `--only` asked for something else. */
export interface Outside {
  /** Requirements that apply, selected or not. */
  readonly total: number;
  /** Those of them that were seen broken in passing. */
  readonly broken: readonly string[];
}

/** Everything that decides the verdict and the exit code of a run. */
export interface VerdictInput {
  readonly rows: readonly VerdictRow[];
  /** Why the run ended before its plan was done: a budget, an interrupt, a loss; null if it was done. */
  readonly leftPlan: string | null;
  /** The target could not be reached, or was lost on the way. */
  readonly targetLost: boolean;
  readonly keyRefused: boolean;
  readonly interrupted: boolean;
  /** It was killed or crashed, and reported no end. */
  readonly cutShort: boolean;
  /** Capabilities of `--require` that are missing. */
  readonly requiredMissing: readonly string[];
  /** Fingerprints of baseline entries whose requirement was judged and passed. */
  readonly staleBaseline: readonly string[];
  /** Fingerprints of entries whose checks did not run whole. */
  readonly unseenBaseline: readonly string[];
  /** Why the gate of a load that is part of it is not met. */
  readonly loadsNotMet: readonly string[];
  /** Why such a load is undecided. */
  readonly loadsUnclear: readonly string[];
  /** Loads judge in passing: they are partial at best, whatever they left out. */
  readonly isOfLoads: boolean;
  /** Share of the musts (0 to 1) that have to be judged; null for no such gate. */
  readonly minMust: number | null;
  readonly strict: boolean;
  /** Null if everything was asked for. */
  readonly outside: Outside | null;
}

/** How many of the musts and shoulds were judged, of all that apply. */
export function coverage(rows: readonly VerdictRow[]): { must: Coverage; should: Coverage } {
  return { must: coverageOf(rows, 'must'), should: coverageOf(rows, 'should') };
}

/** The run's verdict on the target. A baseline forgives a failure but does not hide it: the verdict stays `nonconformant`. */
function runVerdict(input: VerdictInput): RunVerdict {
  if (input.rows.some((row) => row.verdict === 'fail')) return 'nonconformant';
  if (inconclusiveReasons(input).length > 0) return 'inconclusive';
  return input.isOfLoads || mustsLeftOut(input.rows) > 0 ? 'partial' : 'conformant';
}

/** The part of a summary that rules decide. */
export function ruledSummary(input: VerdictInput) {
  const { gate, exitCode } = decideGate({
    ...input,
    notMet: gateReasons(input),
    unclear: inconclusiveReasons(input),
    met: input.rows.some(isKnownFailure) ? [knownText(input.rows.filter(isKnownFailure).length)] : [],
  });
  const { staleBaseline: stale, unseenBaseline: unseen, requiredMissing: missing } = input;
  const named: Gate = {
    ...gate,
    ...(stale.length === 0 ? {} : { stale: [...stale] }),
    ...(unseen.length === 0 ? {} : { unseen: [...unseen] }),
    ...(missing.length === 0 ? {} : { missing: [...missing] }),
  };
  return { verdict: runVerdict(input), exitCode, gate: named, reasons: verdictReasons(input) };
}

function isKnownFailure({ verdict, baselined }: VerdictRow): boolean {
  return verdict === 'fail' && baselined;
}

/** Why the verdict or the exit code is not better, a sentence each; the most important first. */
function verdictReasons(input: VerdictInput): string[] {
  const known = input.rows.filter(isKnownFailure).length;
  const held = heldByKnown(input.rows);
  const leftOut = mustsLeftOut(input.rows);
  return [
    ...sentences([
      [input.cutShort, 'The run was cut short; this is what its journal contains.'],
      [input.interrupted, 'The run was interrupted.'],
    ]),
    ...sentencesOf(gateReasons(input)),
    ...sentencesOf(inconclusiveReasons(input)),
    ...sentences([
      [known > 0, `${plural(known, 'failed requirement')} listed in the baseline.`],
      [held > 0, `${unjudged(held)} because of them.`],
      [input.unseenBaseline.length > 0, unseenText(input.unseenBaseline)],
      [leftOut > 0 && runVerdict(input) === 'partial' && !input.strict, `${unjudged(leftOut)}.`],
    ]),
    ...selectionReasons(input),
  ];
}

/** "1 must not judged" would say that it must not be. */
function unjudged(count: number): string {
  return `${plural(count, 'must')} ${count === 1 ? 'was' : 'were'} not judged`;
}

/** Most fingerprints that a sentence names. */
const mostNamed = 5;

function unseenText(unseen: readonly string[]): string {
  const more = unseen.length > mostNamed ? ' and others' : '';
  const names = `${unseen.slice(0, mostNamed).join(', ')}${more}`;
  return `${plural(unseen.length, 'known failure')} not looked at: what found ${names} did not run, or not as often.`;
}

function sentencesOf(reasons: readonly GateReason[]): string[] {
  return reasons.map(({ sentence }) => sentence);
}

/** What was seen broken outside of the selection, which does not count. */
function selectionReasons({ outside }: VerdictInput): string[] {
  const broken = outside?.broken ?? [];
  return sentences([[broken.length > 0, `Seen broken outside of the selection: ${broken.join(', ')}.`]]);
}

/** Why the gate is not met. */
function gateReasons(input: VerdictInput): GateReason[] {
  const { rows, staleBaseline: stale, loadsNotMet } = input;
  const failed = rows.filter((row) => row.verdict === 'fail' && !row.baselined).length;
  const failures = plural(failed, 'requirement');
  const loads = loadsNotMet.join(', ');
  return [
    ...reasonsIn([
      [failed > 0, `${failures} failed`, `${failures} failed.`],
      [
        stale.length > 0,
        staleText(stale.length),
        `The baseline lists what no longer fails: delete ${stale.join(', ')}, or run again with --update-baseline.`,
      ],
      [loads !== '', loads, `Not met under load: ${loads}.`],
    ]),
    ...missingReasons(input.requiredMissing),
    ...fewMusts(coverageOf(rows, 'must'), input.minMust),
    ...(input.strict ? strictReasons(input) : []),
  ];
}

/** The reason of `--require`, for the capabilities that are missing. */
export function missingReasons(missing: readonly string[]): GateReason[] {
  const names = missing.join(', ');
  return reasonsIn([[names !== '', `${names} missing`, `Required but missing: ${names}.`]]);
}

/** The reason of `--min-must`. */
export function fewMusts(must: Coverage, minimum: number | null): GateReason[] {
  const sentence = `${must.judged} of ${must.total} musts were judged, fewer than --min-must.`;
  return reasonsIn([[isBelow(must, minimum), 'fewer musts judged than --min-must', sentence]]);
}

function strictReasons(input: VerdictInput): GateReason[] {
  const warned = input.rows.filter((row) => row.verdict === 'warn' && !row.baselined).length;
  // An inconclusive run is not a partial one: it keeps its own exit code.
  const leftOut = inconclusiveReasons(input).length > 0 ? 0 : mustsLeftOut(input.rows);
  const [warnings, musts] = [plural(warned, 'requirement'), unjudged(leftOut)];
  return reasonsIn([
    [warned > 0, `${warnings} warned (--strict)`, `${warnings} warned, which --strict refuses.`],
    [leftOut > 0, `${musts} (--strict)`, `${musts}, which --strict refuses.`],
  ]);
}

function inconclusiveReasons(input: VerdictInput): GateReason[] {
  const musts = input.rows.filter((row) => row.level === 'must');
  const unclear = musts.filter((row) => row.verdict === 'inconclusive' && !row.baselined).length;
  const undecided = plural(unclear, 'must');
  const loads = input.loadsUnclear.join(', ');
  const isNothing = !input.isOfLoads && !musts.some((row) => isJudged(row.verdict));
  const { targetLost, keyRefused, leftPlan } = input;
  const left = leftPlan === null ? null : `The run ended before its plan was done: ${leftPlan}.`;
  return reasonsIn([
    [targetLost, 'the target was lost', left ?? 'The target could not be reached or was lost on the way.'],
    [keyRefused, 'a key was refused', left ?? 'The target refused a key.'],
    [!targetLost && !keyRefused && left !== null, 'the plan was not done', left ?? ''],
    [unclear > 0 && !isNothing, `${undecided} inconclusive`, `${undecided} stayed inconclusive.`],
    [isNothing, 'no must was judged', 'No must was judged at all.'],
    [loads !== '', loads, `Undecided under load: ${loads}.`],
  ]);
}

/** Musts that stayed inconclusive only because of failures that the baseline knows. */
function heldByKnown(rows: readonly VerdictRow[]): number {
  return rows.filter((row) => row.level === 'must' && row.verdict === 'inconclusive' && row.baselined).length;
}

/** Number of musts that should have been judged but were not: those that cannot be observed or do not apply do not count. */
function mustsLeftOut(rows: readonly VerdictRow[]): number {
  return rows.filter(
    ({ level, excused, verdict }) =>
      level === 'must' && !excused && verdict !== 'not-applicable' && !isJudged(verdict),
  ).length;
}

function coverageOf(rows: readonly VerdictRow[], level: 'must' | 'should'): Coverage {
  const applying = rows.filter((row) => row.level === level);
  return {
    judged: applying.filter((row) => isJudged(row.verdict)).length,
    total: applying.length,
    excused: applying.filter((row) => row.excused).length,
    notApplicable: applying.filter((row) => row.verdict === 'not-applicable').length,
  };
}

function isBelow({ judged, total, notApplicable = 0 }: Coverage, minimum: number | null): boolean {
  const applying = total - notApplicable;
  return minimum !== null && applying > 0 && judged / applying < minimum;
}

function sentences(table: readonly (readonly [applies: boolean, sentence: string])[]): string[] {
  return table.filter(([applies]) => applies).map(([, sentence]) => sentence);
}
