import type { Capacity } from '../summary/summarySchema.ts';
import type { Durations } from '../summary/histogram.ts';
import type { Recorder } from '../send/recorder.ts';
import { judgeThreshold, type Threshold, type ThresholdResult } from '../summary/thresholds.ts';
import { confidenceOf, type FoundRates } from './search.ts';

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
export function trialOf(
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
export interface AllowedRequests {
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
