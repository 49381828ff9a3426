import { deriveSeed } from '../../../../core/random.ts';
import { isJudged, type VerdictStatus } from '../../../../judge/kernel/verdict.ts';
import { wireOf, type Variation } from '../../../../wire/variations.ts';
import { type Judged, judgeOpen } from '../../judgeOpen.ts';
import type { VariationResult } from '../variationJob.ts';
import type { WireProof } from '../reportWire.ts';
import type { Settings } from '../../../../core/settings.ts';
import { budgetsOf } from '../../../../plan/budgets.ts';
import { formatDuration, plural } from '../../../../report/text/format.ts';
import type { CatalogueRow } from '../../../../catalogue/row.ts';
import { type Clock, systemClock } from '../../../../core/clock.ts';
import { settlesWithin } from '../../../../core/settlesWithin.ts';
import { openRun, type RunPorts } from '../../../../engine/session/openRun.ts';
import type { EngineCheck } from '../../../../engine/suite.ts';
import { openSink } from '../../../../target/openSink.ts';
import { openTarget } from '../../../../target/openTarget.ts';
import { plainWire, type Wire } from '../../../../wire/json.ts';
import { inboxBehind, targetBehind } from '../../behindWire.ts';
import { FirstFinding } from '../../firstFinding.ts';
import { withoutStates } from '../../setUp.ts';

interface TargetProofOptions {
  readonly ports: TargetPorts;
  readonly seed: number;
  readonly variations: readonly Variation[];
  /** Aborts when the time is up, or by the user. */
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** One unchanged run, then runs behind one variation after the other, until the time is up. */
export async function provedTarget(options: TargetProofOptions): Promise<WireProof> {
  const { ports, tell } = options;
  const started = performance.now();
  const plain = await unchanged(options);
  // A run that a budget ended is the best that this set-up can do; one that lost its target or its key says nothing.
  const isTried = judgedMusts(plain) > 0 && isWhole(plain);
  if (!isTried) tell(`nothing was changed, since ${plain.endReason}`);
  const variations = isTried ? await varied(plain, options) : [];
  const requests = variations.reduce((sum, one) => sum + one.requests, plain.requests);
  const ms = performance.now() - started;
  tell(`${requests} requests in ${Math.round(ms / 1000)} s`);
  const ofVariations = isTried ? options.variations.length : 0;
  const counts = { variations: variations.length, ofVariations, requests, ms };
  return { variations, onTarget: setupLines(ports.settings, plain, counts) };
}

async function unchanged({ ports, seed, signal, tell }: TargetProofOptions): Promise<Judged> {
  const judged = await judgeTarget(ports, { seed, signal });
  const musts = [...judged.verdicts].filter(([{ level }]) => level === 'must').length;
  tell(`the target as it is: ${judgedMusts(judged)} of ${musts} musts judged by ${judged.requests} requests`);
  return judged;
}

function judgedMusts({ verdicts }: Judged): number {
  return [...verdicts].filter(([{ level }, { status }]) => level === 'must' && isJudged(status)).length;
}

async function varied(
  plain: Judged,
  { ports, seed: own, variations, signal, tell }: TargetProofOptions,
): Promise<readonly VariationResult[]> {
  const results: VariationResult[] = [];
  for (const variation of variations) {
    if (signal.aborted) break;
    const seed = deriveSeed(own, `target/${variation.id}`);
    const result = await varyTarget({ ports, variation, seed, plain, signal });
    if (!result) break;
    results.push(result);
    tell(`variation ${variation.id}: ${result.alarms.length === 0 ? 'no alarm' : 'ALARM'}`);
  }
  return results;
}

interface Counts {
  readonly variations: number;
  readonly ofVariations: number;
  readonly requests: number;
  readonly ms: number;
}

/** What was tried against which target with what, and how far the time was enough. */
function setupLines(settings: Settings, plain: Judged, counts: Counts): readonly string[] {
  const { maxRequests, maxQuota, maxSubscriptions } = budgetsOf(settings);
  const { primary, other } = settings.keys;
  const handler = settings.stateHandler === null ? 'no state handler' : 'a state handler';
  const musts = [...plain.verdicts].filter(([{ level }]) => level === 'must');
  const judged = musts.filter(([, { status }]) => isJudged(status));
  const failed = judged.filter(([, { status }]) => status === 'fail').map(([{ id }]) => id);
  return [
    `set-up: ${plural(primary.length, 'key')}, ${plural(other.length, 'key')} of another enterprise, ${handler}; at most ${plural(maxRequests, 'request')}, ${plural(maxQuota, 'quota unit')} and ${plural(maxSubscriptions, 'flight subscription')} in each run`,
    `unchanged: ${judged.length} of ${musts.length} musts judged${isWhole(plain) ? '' : `; the run ended early: ${plain.endReason}`}${failed.length === 0 ? '' : `; failed, and not looked at below: ${failed.join(', ')}`}`,
    `tried: ${counts.variations} of ${plural(counts.ofVariations, 'variation')}, by ${plural(counts.requests, 'request')} in ${formatDuration(counts.ms)}`,
  ];
}

/** Whether a run was completed, or ended by its budget. */
function isWhole({ end }: Judged): boolean {
  return end === 'completed' || end === 'budget';
}

interface VariationRun {
  readonly ports: TargetPorts;
  readonly variation: Variation;
  readonly seed: number;
  /** What the same checks say if nothing is changed. */
  readonly plain: Judged;
  readonly signal: AbortSignal;
}

/**
 * Judges a target behind a variation. An alarm is something that fails or stays undecided only behind the variation, not without
 * it with the same checks and seed, and again behind it with another seed. Null if the time ended before.
 */
async function varyTarget(run: VariationRun): Promise<VariationResult | null> {
  const { ports, variation, seed, plain, signal } = run;
  const varied = (drawn: number, among?: ReadonlySet<string>) =>
    judgeTarget(ports, {
      ...{ seed: drawn, among, signal, without: variation.without },
      wire: (clock) => wireOf(variation, seed, clock),
    });
  const judged = await varied(seed);
  if (isOver(signal)) return null;
  const worse = worseThan(plain, judged);
  const job = `${variation.id}#${seed}`;
  const result = { job, variation: variation.id, warned: [], requests: judged.requests };
  if (worse.length === 0) return { ...result, alarms: [] };
  const control = await judgeTarget(ports, { seed, signal, among: checksOf(worse, judged) });
  if (isOver(signal)) return null;
  const own = statusesOf(control);
  const suspects = worse.filter(({ row, status }) => own.get(row.id) !== status);
  if (suspects.length === 0) return { ...result, alarms: [] };
  // Effects of chance or of other runs' records do not come again.
  const again = statusesOf(await varied(seed + 1, checksOf(suspects, judged)));
  if (isOver(signal)) return null;
  const alarms = suspects
    .filter(({ row, status }) => again.get(row.id) === status)
    .map(({ row, status, reason }) => ({ row: row.id, status, reason }));
  return { ...result, alarms };
}

interface Worse {
  readonly row: CatalogueRow;
  readonly status: 'fail' | 'inconclusive';
  readonly reason: string;
}

function worseThan(plain: Judged, { verdicts }: Judged): readonly Worse[] {
  const before = statusesOf(plain);
  return [...verdicts].flatMap(([row, { status, reason }]): readonly Worse[] => {
    const was = before.get(row.id);
    const isFailing = status === 'fail' && was !== 'fail' && was !== 'warn';
    const isLost = status === 'inconclusive' && row.level === 'must' && was === 'pass';
    return isFailing || isLost ? [{ row, status, reason }] : [];
  });
}

function statusesOf({ verdicts }: Judged): ReadonlyMap<string, VerdictStatus> {
  return new Map([...verdicts].map(([{ id }, { status }]) => [id, status]));
}

/** The checks that said so; all of them if it was an oracle. */
function checksOf(worse: readonly Worse[], { outcomes }: Judged): ReadonlySet<string> | undefined {
  const saying = worse.map(({ row, status }) =>
    outcomes.filter(({ verdicts, requests }) => verdicts.get(row.id)?.status === status && requests > 0),
  );
  return saying.some((some) => some.length === 0)
    ? undefined
    : new Set(saying.flat().map(({ check }) => check));
}

/** Called anew each time, since it changes during an await. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** What every run against one target needs. */
interface TargetPorts {
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
  /** Folder that stores when the keys were used, including by other runs. */
  readonly memory: string;
}

interface TargetOptions {
  readonly seed: number;
  readonly among?: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
  readonly wire?: (clock: Clock) => Wire;
  readonly without?: readonly string[] | undefined;
}

/** How long closing may take; connections still open after that end with the command. */
const leaveMs = 20_000;

/** Judges somebody's deployment over sockets and in real time, with the keys and budgets of the settings, behind a wire. */
async function judgeTarget(
  { settings, checks, memory }: TargetPorts,
  options: TargetOptions,
): Promise<Judged> {
  const first = new FirstFinding();
  const run = await openRun({ ...settings, seed: options.seed }, { ...portsFor(options, first), memory });
  try {
    return await judgeOpen(run, { checks, among: options.among, first });
  } finally {
    await settlesWithin(Promise.resolve(run[Symbol.asyncDispose]()), leaveMs);
  }
}

function portsFor(options: TargetOptions, { journal, listener }: FirstFinding): RunPorts {
  const { signal, without = [] } = options;
  const wire = options.wire?.(systemClock) ?? plainWire;
  return {
    ...{ signal, listener },
    openJournal: () => journal,
    openTarget: async (...given) => {
      const target = targetBehind(wire, await openTarget(...given));
      return { ...target, stateHandler: withoutStates(target.stateHandler, without) };
    },
    openSink: (given) => openSink({ ...given, between: (inbox) => inboxBehind(wire, inbox) }),
  };
}
