import { plural, formatDuration } from '../text/format.ts';
import { formatCount, formatRate } from '../../load/summary/rate.ts';
import type { LoadSummary } from '../../load/summary/summarySchema.ts';

/** `p50 3 ms · p95 … · max …`, with fractions of milliseconds where they matter. */
export function latencyText({ count, p50Ms, p95Ms, p99Ms, p999Ms, maxMs }: LoadSummary['latency']): string {
  if (count === 0) return 'nothing measured';
  const values = { p50: p50Ms, p95: p95Ms, p99: p99Ms, 'p99.9': p999Ms, max: maxMs };
  return Object.entries(values)
    .map(([name, ms]) => `${name} ${formatLatency(ms)}`)
    .join(' · ');
}

/** A time with three digits: `0.42 ms`, `23.4 ms`, `1.2 s`; null where nothing was answered. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return 'no answer';
  if (ms < 999.5) return `${Number(ms < 1 ? ms.toFixed(2) : ms.toPrecision(3))} ms`;
  return ms < 59_950 ? `${Number((ms / 1000).toPrecision(3))} s` : formatDuration(ms);
}

/** What was measured of a threshold, `25.7 ms` for the `25.7ms` of the result: as every other figure is written. */
export function measuredText({ actual }: Pick<LoadSummary['thresholds'][number], 'actual'>): string {
  return actual?.replace(/(\d)(ms|%)$/, '$1 $2') ?? 'nothing measured';
}

/** When the first step began from which on everything was answered with 429; null if it did not end so. */
export function refusedFrom({ steps }: Pick<LoadSummary, 'steps'>): number | null {
  const last = steps.findLastIndex(({ ok, errors }) => ok + errors > 0);
  const from = steps[last + 1];
  return last < 0 || from === undefined || steps.slice(last + 1).every(({ refused }) => refused === 0)
    ? null
    : from.atMs;
}

/** How the 429s compare with what the documents say. */
export function limiterText(limiter: NonNullable<LoadSummary['limiter']>): string {
  const [low, high] = limiter.expectedRefused;
  const expected = low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`;
  const over = limiter.overAdmitted.map(
    ({ key, admitted, limit, windowMs }) =>
      `${key} had ${admitted} admitted within ${formatDuration(windowMs)}, limit ${limit}`,
  );
  const under = limiter.underAdmitted.map(({ key, count }) => `${key} was refused ${count} times below it`);
  const certain = [...over, ...under].slice(0, 3);
  return `${formatCount(limiter.refused)} × 429, a rolling log expects ${expected}${certain.length === 0 ? '; nothing certain against it' : `; ${certain.join('; ')}`}`;
}

/** How much was judged, and by how many rules. */
export function correctnessText(correctness: NonNullable<LoadSummary['correctness']>): string {
  const { seen, judged, leastShare, atRest, callbacks, rules, broken, forgotten = 0 } = correctness;
  const all =
    judged === seen
      ? 'all judged'
      : `${formatCount(judged)} judged, at times only ${formatShareOf(leastShare)} of the reads`;
  const verdict = broken.length === 0 ? 'nothing broken' : `${broken.length} broken`;
  const lost =
    forgotten === 0
      ? ''
      : `; ${forgotten} older records and requests had been forgotten, and could not be judged`;
  return `${rules} rules over ${formatCount(seen)} answers (${all}), ${formatCount(callbacks)} callbacks and ${formatCount(atRest)} exchanges at rest: ${verdict}${lost}`;
}

function formatShareOf(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/** The outcomes of one journey. */
export function journeyText({ begun, done, failed, brokenOff, time }: JourneyResult): string {
  const off = brokenOff > 0 ? `, ${brokenOff} broken off` : '';
  return `${begun} begun, ${done} done, ${failed} failed${off} · ${latencyText(time)}`;
}

type JourneyResult = NonNullable<LoadSummary['journeys']>[number];

/** The outcomes of the changes that journeys caused. */
export function changesText({
  caused,
  told,
  taken = told,
  untilTaken,
  lost,
  repeated,
  retries,
}: NonNullable<LoadSummary['changes']>): string {
  const again = retries.map(({ turn, interval }) => `${turn}. after ${formatDuration(interval.p50Ms)}`);
  const time =
    untilTaken === undefined || taken === 0
      ? ''
      : ` (median ${formatDuration(untilTaken.p50Ms)}, longest ${formatDuration(untilTaken.maxMs)} after the change)`;
  // A sink in order takes each at once, which the delays of callbacks tell already.
  const trouble =
    repeated === 0 && taken === told
      ? ''
      : `, ${taken} were taken${time}, ${told - taken} were refused and did not come again in time`;
  return `${caused} changes caused, ${told} webhooks came${trouble}, ${lost} are missing, ${repeated} came again${again.length === 0 ? '' : ` (${again.join(', ')})`}`;
}

/** The course of a load in words, as requested. */
export function stagesText(stages: readonly StageResult[]): string {
  return stages
    .map(({ fromPerSecond: from, toPerSecond: to, durationMs }) =>
      from === to
        ? `${formatRate(to)} for ${formatDuration(durationMs)}`
        : `${formatRate(from).replace('/s', '')}→${formatRate(to)} in ${formatDuration(durationMs)}`,
    )
    .join(', ');
}

type StageResult = NonNullable<LoadSummary['plan']['stages']>[number];

/** The highest rate that is sustained, how certain that is, and what keeps it from being higher. */
export function capacityText(capacity: NonNullable<LoadSummary['capacity']>): string {
  const { bounds, heldPerSecond, brokenPerSecond, confidence, limitedBy, why, trials } = capacity;
  const held = heldPerSecond === null ? 'no rate' : formatRate(heldPerSecond);
  const up = brokenPerSecond === null ? '' : `, ${formatRate(brokenPerSecond)} not`;
  const repeats = trials.filter((one) => one.ratePerSecond === heldPerSecond).length;
  const sure =
    repeats === 0 ? '' : ` (${repeats} of ${repeats} trials, confidence ${(confidence * 100).toFixed(0)} %)`;
  return `${held} sustained within ${bounds.join(', ')}${up}${sure}; ` + `limited by ${limitedBy}: ${why}`;
}

/** How much CPU and memory the sender itself used. */
export function senderText({
  cpu,
  busy,
  loopDelay,
  gc,
  peakMemoryMb,
  socketWait,
}: NonNullable<LoadSummary['sender']>): string {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  const waited = socketWait
    ? `a connection waited for 99 % at most ${formatLatency(socketWait.p99Ms)} (longest ${formatLatency(socketWait.maxMs)}), `
    : '';
  return (
    `${percent(cpu)} of a core, at work ${percent(busy)}, event loop held up 99 % at most ${formatLatency(loopDelay.p99Ms)}, ` +
    `${waited}${plural(gc.count, 'garbage collection')} of ${formatLatency(gc.totalMs)} (longest ${formatLatency(gc.longestMs)}), ${peakMemoryMb.toFixed(0)} MB at most`
  );
}
