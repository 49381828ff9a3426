import { exitCodes, type ExitCode } from '../core/errors.ts';
import { isJudged } from '../judge/kernel/verdict.ts';
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
  /** Thresholds of `load` that were not met. */
  readonly thresholdsMissed: readonly string[];
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
export function runVerdict(input: VerdictInput): RunVerdict {
  if (input.rows.some((row) => row.verdict === 'fail')) return 'nonconformant';
  if (inconclusiveReasons(input).length > 0) return 'inconclusive';
  return mustsLeftOut(input.rows) > 0 ? 'partial' : 'conformant';
}

/** The exit code, by the precedence 70, 130, 1, 3, 0; usage errors and other errors of Gatecheck are thrown, and win over all of these. */
export function exitCode(input: VerdictInput): ExitCode {
  if (input.cutShort) return exitCodes.internal;
  if (input.interrupted) return exitCodes.interrupted;
  if (gateReasons(input).length > 0) return exitCodes.gateNotMet;
  return inconclusiveReasons(input).length > 0 ? exitCodes.inconclusive : exitCodes.ok;
}

/** Why the verdict or the exit code is not better, a sentence each; the most important first. */
export function verdictReasons(input: VerdictInput): string[] {
  const known = input.rows.filter((row) => row.verdict === 'fail' && row.baselined).length;
  const held = heldByKnown(input.rows);
  const leftOut = mustsLeftOut(input.rows);
  return [
    ...sentences([
      [input.cutShort, 'The run was cut short; this is what its journal contains.'],
      [input.interrupted, 'The run was interrupted.'],
    ]),
    ...gateReasons(input),
    ...inconclusiveReasons(input),
    ...sentences([
      [known > 0, `${plural(known, 'failed requirement')} listed in the baseline.`],
      [held > 0, `${plural(held, 'must')} not judged because of them.`],
      [runVerdict(input) === 'partial' && !input.strict, `${plural(leftOut, 'must')} not judged.`],
    ]),
    ...selectionReasons(input),
  ];
}

/** Says that the verdict is about a selection, and what was seen broken outside of it. */
function selectionReasons({ rows, outside }: VerdictInput): string[] {
  if (outside === null) return [];
  const { total, broken } = outside;
  return sentences([
    [true, `Only what was selected counts: ${rows.length} of ${plural(total, 'requirement')}.`],
    [broken.length > 0, `Seen broken outside of the selection: ${broken.join(', ')}.`],
  ]);
}

function gateReasons(input: VerdictInput): string[] {
  const { rows } = input;
  const failed = rows.filter((row) => row.verdict === 'fail' && !row.baselined).length;
  const must = coverageOf(rows, 'must');
  const warned = rows.filter((row) => row.verdict === 'warn' && !row.baselined).length;
  // An inconclusive run is not a partial one: it keeps its own exit code.
  const leftOut = inconclusiveReasons(input).length > 0 ? 0 : mustsLeftOut(rows);
  return sentences([
    [failed > 0, `${plural(failed, 'requirement')} failed.`],
    [
      input.staleBaseline.length > 0,
      `The baseline lists what no longer fails: delete ${input.staleBaseline.join(', ')}, or run with --update-baseline.`,
    ],
    [input.requiredMissing.length > 0, `Required but missing: ${input.requiredMissing.join(', ')}.`],
    [
      isBelow(must, input.minMust),
      `${must.judged} of ${must.total} musts were judged, fewer than --min-must.`,
    ],
    [input.thresholdsMissed.length > 0, `Thresholds not met: ${input.thresholdsMissed.join(', ')}.`],
    [input.strict && warned > 0, `${plural(warned, 'requirement')} warned, which --strict refuses.`],
    [input.strict && leftOut > 0, `${plural(leftOut, 'must')} not judged, which --strict refuses.`],
  ]);
}

function inconclusiveReasons(input: VerdictInput): string[] {
  const musts = input.rows.filter((row) => row.level === 'must');
  const unclear = musts.filter((row) => row.verdict === 'inconclusive' && !row.baselined).length;
  return sentences([
    [input.targetLost, 'The target could not be reached or was lost on the way.'],
    [input.keyRefused, 'The target refused a key.'],
    [input.leftPlan !== null, `The run ended before its plan was done: ${input.leftPlan ?? ''}.`],
    [unclear > 0, `${plural(unclear, 'must')} stayed inconclusive.`],
    [!musts.some((row) => isJudged(row.verdict)), 'No must was judged at all.'],
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
