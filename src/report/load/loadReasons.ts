import type { SessionEnd } from '../../engine/health/runEnd.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import { knownText, reasonsIn, type GateReason } from '../gate.ts';
import type { LoadSummary } from '../../load/summary/summarySchema.ts';
import { leastToTell, parseThreshold } from '../../load/summary/thresholds.ts';
import { findingState, type FindingState } from '../states.ts';
import { plural } from '../text/format.ts';
import { timeText } from '../html/timeMarks.ts';
import { measuredText, refusedFrom } from './loadText.ts';
import { formatRate } from '../../load/summary/rate.ts';

/** Why a load ends as it does, by the effect on its gate. */
export interface LoadReasons {
  readonly notMet: readonly GateReason[];
  readonly unclear: readonly GateReason[];
  /** What a met gate rests on. */
  readonly met: readonly string[];
  readonly notes: readonly string[];
}

interface ReasonsInput {
  readonly summary: LoadSummary;
  readonly end: SessionEnd;
  readonly strict: boolean;
  readonly findings: readonly Pick<Finding, 'requirement' | 'severity' | 'baselined'>[];
  /** Requests of a key that are allowed in a minute. */
  readonly perMinute: number;
}

/** Sorts the reasons. */
export function loadReasons(input: ReasonsInput): LoadReasons {
  const known = rulesIn('known', input.findings).size;
  const { thresholds, capacity } = input.summary;
  return {
    notMet: gateReasons(input),
    unclear: unclearReasons(input),
    met: [
      ...(known === 0 ? [] : [knownText(known)]),
      ...(capacity?.heldPerSecond == null
        ? []
        : [`capacity ${formatRate(capacity.heldPerSecond)}${limitText(capacity)}`]),
      ...(thresholds.length > 0 ? [namesOf(thresholds)] : []),
      ...(thresholds.length === 0 && capacity === undefined ? ['no threshold was set'] : []),
    ],
    notes: notesOf(input),
  };
}

function gateReasons({ summary, strict, findings }: ReasonsInput): GateReason[] {
  const { thresholds, limiter, aborted, compared = [] } = summary;
  const missed = thresholds.filter(({ met }) => !met);
  const slower = compared.filter(({ verdict }) => verdict === 'slower').map(({ text }) => text);
  const broken = rulesIn('fail', findings);
  // The limiter has its own sentence.
  const known = rulesIn('known', findings);
  const isKnown = limiterRules.filter((rule) => known.has(rule)).length > 0;
  const over = isKnown ? 0 : (limiter?.overAdmitted.length ?? 0);
  if (over > 0) limiterRules.forEach((rule) => broken.delete(rule));
  const warned = rulesIn('warn', findings);
  const early = earlyRefusals(summary);
  return reasonsIn([
    [
      over > 0,
      'more admitted than a limit allows',
      `The limiter admitted more than a limit allows (${plural(over, 'time')}).`,
    ],
    [
      broken.size > 0,
      `${plural(broken.size, 'rule')} broken`,
      `Broken: ${[...broken].map((id) => `${id} ${whenOf(summary, id)}`).join(', ')}.`,
    ],
    [
      strict && warned.size > 0,
      `${plural(warned.size, 'rule')} warned (--strict)`,
      `Warned of: ${[...warned].join(', ')}. --strict refuses that.`,
    ],
    [
      aborted !== undefined,
      'stopped by a threshold',
      `Stopped after ${((aborted?.atMs ?? 0) / 1000).toFixed(0)} s, because ${aborted?.threshold ?? ''} was not met (got ${measuredText({ actual: aborted?.actual ?? null })}).`,
    ],
    [
      strict && slower.length > 0,
      'slower than before (--strict)',
      `Slower than before: ${slower.join(', ')}. --strict refuses that.`,
    ],
    [
      missed.length > 0,
      missed.length > mostNamed
        ? `${plural(missed.length, 'threshold')} not met`
        : missed.map(thresholdText).join(', '),
      `Thresholds not met: ${missed.map(thresholdText).join(', ')}.`,
    ],
    [strict && early > 0, 'refused too early (--strict)', `${earlyText(summary)} --strict refuses that.`],
  ]);
}

function unclearReasons({ summary, end }: ReasonsInput): GateReason[] {
  const { counts, workers, processes, capacity, aborted, journeys = [] } = summary;
  const vain = journeys.filter(({ done, begun }) => done === 0 && begun > 0);
  return reasonsIn([
    [end === 'target-lost', 'the target was lost', 'The target could not be reached or was lost on the way.'],
    [end === 'key-refused', 'a key was refused', 'The target refused a key.'],
    [end === 'not-this-api', 'not this API', 'What answers is not this API.'],
    [end === 'budget', 'the plan was not done', 'A budget ended the load before its plan was done.'],
    [
      end === 'completed' && counts.ok + counts.refused === 0,
      'no request was answered',
      'No request was answered as it should have been.',
    ],
    [
      end === 'completed' && aborted === undefined && vain.length > 0,
      'journeys without an end',
      `No partner came to the end of ${vain.map(({ journey }) => journey).join(', ')}: see what became of them.`,
    ],
    [
      capacity?.heldPerSecond === null,
      `no rate within the bounds${capacity === undefined ? '' : limitText(capacity)}`,
      `No rate stays within the bounds: ${capacity?.why ?? ''}.`,
    ],
    [workers?.incomplete === true, 'a part was not sent', 'No worker sent some parts of the load.'],
    [processes !== undefined, 'a part was lost', lostText(processes)],
  ]);
}

/** What keeps the capacity from being higher, in a headline. */
function limitText({ limitedBy }: NonNullable<LoadSummary['capacity']>): string {
  if (limitedBy === 'nothing-seen') return '';
  const names = { limiter: 'the rate limit (try --tenants)', sender: 'this machine' } as const;
  return `, limited by ${limitedBy === 'limiter' || limitedBy === 'sender' ? names[limitedBy] : limitedBy}`;
}

/** What is admitted beyond a limit. */
const limiterRules = ['SHR-LIM-002', 'SHR-LIM-008'];

/** Which processes were lost, and what is missing with them. */
function lostText(
  { expected, lost }: NonNullable<LoadSummary['processes']> = { expected: 0, lost: [] },
): string {
  const each = lost.map(
    ({ process, why, atMs }) =>
      `process ${process} of ${expected} ${why} (after ${(atMs / 1000).toFixed(1)} s)`,
  );
  return `A part of the load is missing: ${each.join('; ')}. What it should have sent from then on was not sent, and its answers of the last five seconds may not have been judged.`;
}

function notesOf({ summary, strict, findings, perMinute }: ReasonsInput): string[] {
  const { counts, workers, correctness, capacity, sender } = summary;
  const warned = rulesIn('warn', findings);
  const overLimit = overLimitText(summary, perMinute);
  return sentences([
    [overLimit !== null, overLimit ?? ''],
    [!strict && earlyRefusals(summary) > 0, earlyText(summary)],
    [
      (sender?.doubts.length ?? 0) > 0,
      `The sender itself may have caused these figures: ${sender?.doubts.join('; ') ?? ''}. ${sureText(sender?.surePerSecond ?? null, summary)}`,
    ],
    [capacity?.isWhole === false, 'The search for the capacity was not completed.'],
    [
      untold(summary).length > 0,
      `At the rate found a trial has ${counts.sent} requests, too few to tell ${untold(summary).join(', ')}: a longer --trial tells.`,
    ],
    [!strict && warned.size > 0, `Warned of: ${[...warned].join(', ')}.`],
    [
      (correctness?.judged ?? 0) < (correctness?.seen ?? 0),
      `Of ${correctness?.seen ?? 0} answers ${correctness?.judged ?? 0} were judged: a sample by the seed.`,
    ],
    [
      workers?.unheard !== undefined,
      `The last answers of these workers were not judged, since the workers were not heard from again: ${(workers?.unheard ?? []).join(', ')}.`,
    ],
    [counts.lost > 0, `${plural(counts.lost, 'request')} broken off or lost with who sent them.`],
  ]);
}

/** Bounds of the capacity that hold by chance where a trial has so few requests. */
function untold({ capacity, counts }: LoadSummary): readonly string[] {
  if (capacity === undefined || capacity.heldPerSecond === null) return [];
  return capacity.bounds.flatMap((text) => {
    const bound = parseThreshold(text);
    const least = bound === null ? 0 : leastToTell(bound);
    return least > counts.sent ? [`${text} (it takes ${least})`] : [];
  });
}

function rulesIn(state: FindingState, findings: ReasonsInput['findings']): Set<string> {
  return new Set(findings.filter((one) => findingState(one) === state).map((one) => one.requirement));
}

function earlyRefusals({ limiter }: LoadSummary): number {
  return limiter?.underAdmitted.length ?? 0;
}

function earlyText(summary: LoadSummary): string {
  return `${plural(earlyRefusals(summary), 'key')} refused although certainly below the limits.`;
}

/** Up to which rate the figures are certainly the target's. At the rate of the load itself, only some parts of it were in doubt. */
function sureText(perSecond: number | null, { steps, stepMs }: LoadSummary): string {
  if (perSecond === null) return 'It is not certain at any rate of this load.';
  const highest = Math.max(0, ...steps.map(({ sent }) => (sent * 1000) / stepMs));
  return perSecond >= highest * 0.95
    ? `In other parts of the load this machine kept up with the same ${formatRate(perSecond)}: short pauses are the reason, not the rate.`
    : `Up to ${formatRate(perSecond)} it is certain that this machine kept up.`;
}

/** Why answers were 429: more was sent than the keys are allowed; null if that is not the reason. */
function overLimitText(summary: LoadSummary, perMinute: number): string | null {
  const { limiter, counts, plan, sentPerSecond, mode } = summary;
  const allowed = (plan.keys * perMinute) / 60;
  if (mode !== 'open' || counts.refused === 0 || sentPerSecond <= allowed) return null;
  if (limiter !== null && limiter.expectedRefused[1] === 0) return null;
  const from = refusedFrom(summary);
  const what = from === null ? 'Answers were 429' : `From ${timeText(from)} on every answer was 429`;
  const times = Number((sentPerSecond / allowed).toPrecision(2));
  return `${what}: ${formatRate(sentPerSecond)} is ${times} times the ${formatRate(allowed)} that ${plural(plan.keys, 'key')} may send (${perMinute} a minute each). To stay below it, use --within-limits, --rate ${formatRate(allowed)} or --tenants ${Math.ceil((sentPerSecond * 60) / perMinute)}.`;
}

function whenOf({ correctness }: LoadSummary, requirement: string): string {
  const rule = correctness?.broken.find((one) => one.requirement === requirement);
  if (rule === undefined) return '';
  const rate = rule.perSecond === null ? '' : ` at ${Number(rule.perSecond.toFixed(1))}/s`;
  return { 'at-rest': '(at rest)', 'under-load': `(only${rate})`, 'unknown-at-rest': `(${rate.trim()})` }[
    rule.when
  ];
}

/** Most thresholds that a headline names. */
const mostNamed = 3;

function namesOf(thresholds: LoadSummary['thresholds']): string {
  return thresholds.length > mostNamed
    ? `${plural(thresholds.length, 'threshold')} met`
    : thresholds.map(({ threshold }) => threshold).join(', ');
}

function thresholdText(one: LoadSummary['thresholds'][number]): string {
  return one.samples === 0 ? `${one.threshold} (no samples)` : `${one.threshold} (got ${measuredText(one)})`;
}

function sentences(table: readonly (readonly [applies: boolean, sentence: string])[]): string[] {
  return table.filter(([applies]) => applies).map(([, sentence]) => sentence);
}
