import { deriveSeed } from '../../core/random.ts';
import { searchCapacity, confidenceOf, type FoundRates } from './search.ts';
import { JourneyTotals } from '../journeys/journeyTotals.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { LoadSummary, ProcessesSummary, Capacity } from '../summary/summarySchema.ts';
import { formatRate } from '../summary/rate.ts';
import { decisionsSoFar, driveOnce, noteUnpaced } from '../processes/driveLoad.ts';
import { notDriven, recorderOf, summaryOf, type Driven } from '../send/loadAccount.ts';
import { makeReady } from '../processes/makeLoadReady.ts';
import type { Load } from '../load.ts';
import type { Durations } from '../summary/histogram.ts';
import type { Recorder } from '../send/recorder.ts';
import { judgeThreshold, type Threshold, type ThresholdResult } from '../summary/thresholds.ts';

const mostTrials = 24;
const repeats = 3;
/** How close the highest sustained and the lowest failed rate must be. */
const closeness = 1.1;
const mostPerSecond = 100_000;
/** Share of each trial that is left out of its figures: connections are opened, caches filled, queues of the previous trial emptied. */
const warmUpShare = 0.2;
const pauseMs = 500;
/** Fewest requests for a meaningful trial. */
const leastRequests = 10;

/** One trial of a search, as far as reports need it. */
interface Tried {
  readonly load: Load;
  readonly recorder: ReturnType<typeof recorderOf>;
  readonly went: Driven;
}

/** Searches the highest rate that the target sustains; the figures are those of the last trial at that rate. */
export async function findCapacity(load: Load): Promise<LoadSummary> {
  const { session, options, notice } = load;
  const bounds = options.capacity ?? [];
  const material = await makeReady(load);
  const tried = new Map<number, Tried>();
  const isStopped = () => session.signal.aborted;
  let sent = 0;
  let lost: ProcessesSummary | null = null;
  const trial = async (ratePerSecond: number): Promise<CapacityTrial | null> => {
    if (material === null || isStopped()) return null;
    const plan = planOf(load.plan, ratePerSecond, sent);
    if ((ratePerSecond * plan.durationMs) / 1000 > plan.maxRequests) return null;
    const one = await tryOnce({ ...load, plan }, material);
    sent += one.recorder.sent + one.recorder.warmUp;
    lost ??= one.went.processes;
    if (isStopped() || lost !== null) return null;
    tried.set(ratePerSecond, one);
    const seconds = (plan.durationMs - (plan.warmUpMs ?? 0)) / 1000;
    const judged = untilAborted(trialOf({ recorder: one.recorder, seconds, ratePerSecond }, bounds), one);
    notice(`${formatRate(ratePerSecond)} ${judged.held ? 'held' : `not held: ${judged.notMet.join(', ')}`}`);
    return judged;
  };
  const startPerSecond = load.plan.ratePerSecond;
  const found = await searchCapacity({
    startPerSecond,
    mostPerSecond,
    leastPerSecond: Math.min(startPerSecond, (leastRequests * 1000) / load.plan.durationMs),
    repeats,
    mostTrials,
    closeness,
    trial,
  });
  load.judge.end();
  const shown = tried.get(found.heldPerSecond ?? found.brokenPerSecond ?? 0);
  const { recorder, went } = shown ?? { recorder: recorderOf(load), went: notDriven };
  const summary = summaryOf(shown?.load ?? load, recorder, {
    ...went,
    processes: lost,
    book: new JourneyTotals(),
    callbackDelays: null,
  });
  return {
    ...summary,
    capacity: capacityOf(found, bounds, { keys: load.keys.length, ...load.run.settings.limits }),
  };
}

/** A trial that a threshold ended early was not held, whatever its bounds say of the part that was sent. */
function untilAborted(trial: CapacityTrial, { went: { aborted } }: Tried): CapacityTrial {
  if (aborted === null) return trial;
  const notMet = [...trial.notMet, `${aborted.threshold} (got ${aborted.actual ?? 'nothing'})`];
  return { ...trial, held: false, notMet };
}

function planOf(plan: LoadPlan, ratePerSecond: number, sent: number): LoadPlan {
  return {
    ...plan,
    ratePerSecond,
    // Each trial has another seed, so that a repetition repeats no coincidence of the schedule.
    seed: deriveSeed(plan.seed, `load/trial/${sent}`),
    warmUpMs: plan.durationMs * warmUpShare,
    maxRequests: Math.max(0, plan.maxRequests - sent),
  };
}

async function tryOnce(load: Load, material: LoadMaterial): Promise<Tried> {
  const recorder = recorderOf(load);
  const begunAt = load.run.clock.monotonic();
  const went = await driveOnce(load, { material, recorder, gathered: null, book: new JourneyTotals() });
  noteUnpaced(load, recorder, begunAt);
  const { session } = load;
  session.decisions.splice(0);
  for (const decision of decisionsSoFar(load, recorder)) session.decisions.push(decision);
  await load.run.clock.sleep(pauseMs, session.signal).catch(() => undefined);
  return { load, recorder, went };
}

/** One trial of a search, as stored in the result. */
export type CapacityTrial = Capacity['trials'][number];

interface Measured {
  readonly recorder: Recorder;
  readonly seconds: number;
  readonly ratePerSecond: number;
}

/**
 * With this share of 429s or more, a rate does not count as sustained, whatever the bounds say: answers that cost nothing are
 * not capacity.
 */
const mostRefused = 0.01;

/** From this part of the latency on, this machine is what limits. */
const mostLate = 0.5;

/** Judges one trial by the bounds. */
function trialOf(
  { recorder, seconds, ratePerSecond }: Measured,
  bounds: readonly Threshold[],
): CapacityTrial {
  const results = bounds.map((bound) => judgeThreshold(bound, { recorder, callbackDelays: null, seconds }));
  const notMet = results.filter(({ met }) => !met).map(textOf);
  const { ok, refused, error } = recorder.counts;
  const isRefused =
    refused > mostRefused * recorder.sent && !bounds.some(({ metric }) => metric === 'refused');
  const missed = recorder.missedCount + recorder.lost;
  const isMissed = missed > 0.001 * (recorder.sent + missed);
  const latency: Durations = recorder.latency(null);
  return {
    ratePerSecond,
    held: notMet.length === 0 && !isRefused && !isMissed,
    okPerSecond: ok / seconds,
    ...(latency.count === 0
      ? { p50Ms: null, p99Ms: null }
      : { p50Ms: latency.percentile(50), p99Ms: latency.percentile(99) }),
    ...{ lateP99Ms: recorder.lateness.percentile(99), refused, errors: error, missed },
    inFlight: (recorder.sent / seconds) * (recorder.service.meanMs / 1000),
    notMet: [
      ...notMet,
      ...(isRefused ? [`${refused} of ${recorder.sent} refused by the rate limit`] : []),
      ...(isMissed ? [`${missed} could not be sent in time`] : []),
    ],
  };
}

function textOf({ threshold, actual }: ThresholdResult): string {
  return `${threshold} (${actual === null ? 'no answer' : `got ${actual}`})`;
}

/** What the rate limits allow the keys of a load. */
interface AllowedRequests {
  readonly keys: number;
  readonly perMinute: number;
  readonly perHour: number;
}

function allowedText({ keys, perMinute, perHour }: AllowedRequests): string {
  const limits = `${perMinute} a minute, ${perHour} an hour each`;
  return `${keys} ${keys === 1 ? 'key' : 'keys'} × ${limits}; more keys give more room: try --tenants`;
}

/** The result of a search. */
export function capacityOf(
  found: FoundRates<CapacityTrial>,
  bounds: readonly Threshold[],
  allowed: AllowedRequests,
): Capacity {
  const { heldPerSecond, brokenPerSecond, trials, isWhole } = found;
  const broken = trials.find((one) => one.ratePerSecond === brokenPerSecond && !one.held);
  const [limitedBy, why] = limitOf(broken, trials, allowed);
  return {
    bounds: bounds.map(({ text }) => text),
    ...{ heldPerSecond, brokenPerSecond, isWhole, limitedBy, why, trials },
    confidence: confidenceOf(trials, heldPerSecond),
  };
}

function limitOf(
  broken: CapacityTrial | undefined,
  trials: readonly CapacityTrial[],
  allowed: AllowedRequests,
): readonly [Capacity['limitedBy'], string] {
  if (trials.length === 0) return ['nothing-seen', 'none was tried'];
  if (!broken) return ['nothing-seen', 'every rate that was tried was held'];
  const at = `at ${Number(broken.ratePerSecond.toPrecision(3))}/s`;
  const sent = broken.refused + broken.errors + broken.okPerSecond;
  if (broken.refused > 0 && broken.refused >= mostRefused * sent)
    return ['limiter', `${at} ${broken.notMet.join(', ')} (${allowedText(allowed)})`];
  if (broken.missed > 0)
    return ['sender', `${at} this machine could not send in time: ${broken.notMet.join(', ')}`];
  const late = broken.lateP99Ms ?? 0;
  if (
    broken.p99Ms !== null &&
    late > mostLate * broken.p99Ms &&
    broken.notMet.every((one) => !one.includes('errors'))
  )
    return [
      'sender',
      `${at} ${broken.notMet.join(', ')}, and 1 % of the requests left this machine more than ${late.toFixed(0)} ms late`,
    ];
  if (broken.errors > 0 && broken.notMet.some((one) => one.startsWith('errors') || one.includes(':errors')))
    return ['errors', `${at} ${broken.notMet.join(', ')}`];
  const least = trials
    .filter(({ p50Ms }) => p50Ms !== null)
    .reduce((lowest, one) => (one.ratePerSecond < lowest.ratePerSecond ? one : lowest), broken);
  const grown = (broken.p50Ms ?? 0) / Math.max(least.p50Ms ?? 0, 0.001);
  if (grown > 1.5)
    return [
      'queueing',
      `${at} half of all answers took ${grown.toFixed(1)} times as long as at ${Number(least.ratePerSecond.toPrecision(3))}/s: requests wait for each other`,
    ];
  return [
    'latency',
    `${at} ${broken.notMet.join(', ')}, while half of all answers are as quick as ever: a few are slow, which a longer --trial tells from pauses that come at any rate`,
  ];
}
