import type { LoadSummary } from './summarySchema.ts';
import { operationIds, type OperationId } from '../../core/operations.ts';
import type { Durations } from './histogram.ts';
import type { Recorder } from '../send/recorder.ts';

const latencies = { p50: 50, p75: 75, p90: 90, p95: 95, p99: 99, 'p99.9': 99.9, max: 100 } as const;
const shares = ['errors', 'refused', 'missed'] as const;
type ThresholdMetric = keyof typeof latencies | (typeof shares)[number] | 'rate';
/** What a threshold is about: everything, one operation, one journey as a whole, or the delay of callbacks. */
type ThresholdScope = OperationId | `journey.${string}` | 'callbacks' | null;

/** A bound that gates: the load fails if it is not met. In milliseconds, shares from 0 to 1, or answers per second. */
export interface Threshold {
  readonly text: string;
  readonly scope: ThresholdScope;
  readonly metric: ThresholdMetric;
  readonly relation: '<' | '<=' | '>' | '>=';
  readonly bound: number;
  /** If it is not met for this long, the load is stopped; null for one that is only judged at the end. */
  readonly abortAfterMs: number | null;
}

/** Without any samples, no threshold is met. */
export type ThresholdResult = LoadSummary['thresholds'][number];

/** The form of a threshold, for error messages and help. */
export const thresholdForm =
  `[operation:]metric<bound, such as p99<300ms, errors<1%, rate>50/s or wci.status:p95<200ms. ` +
  `Metrics: ${Object.keys(latencies).join(', ')} (bound in ms or s), ${shares.join(', ')} (in %), rate (in /s); ` +
  `operations: ${[...operationIds, 'callbacks'].join(', ')}, journey.ID; relations: <, <=, >, >=. ` +
  `With ! before it and for TIME after it, such as '!p99<1s for 30s', the load ends where it is not met over that time`;

const form =
  /^(!?)(?:([a-z0-9.-]+):)?([a-z][a-z0-9.]*)(<=|>=|<|>)(\d+(?:\.\d+)?)(ms|s|%|\/s)(?:for(\d{1,4})(s|m))?$/;

const usualAbortMs = 10_000;

/** Parses a threshold; null if it is malformed. */
export function parseThreshold(text: string): Threshold | null {
  const [, mark, scope, metric, relation, amount, unit, time, timeUnit] =
    form.exec(text.replace(/\s+/g, '')) ?? [];
  if (metric === undefined || amount === undefined || unit === undefined || relation === undefined)
    return null;
  if (scope !== undefined && !isScope(scope)) return null;
  const bound = boundOf(metric, Number(amount), unit);
  // The delay of callbacks is a latency; nothing else is known about them.
  if (bound === null || (scope === 'callbacks' && !isLatency(metric))) return null;
  // A journey has a duration, and fails or not.
  if (scope?.startsWith('journey.') === true && !isLatency(metric) && metric !== 'errors') return null;
  const abortAfterMs = abortAfter(mark === '!', time, timeUnit);
  if (abortAfterMs === undefined) return null;
  // Only what every request contributes to can be judged over a few seconds.
  if (abortAfterMs !== null && (scope === 'callbacks' || scope?.startsWith('journey.') === true)) return null;
  return {
    text: text.trim(),
    scope: (scope as ThresholdScope | undefined) ?? null,
    metric: metric as ThresholdMetric,
    relation: relation as Threshold['relation'],
    bound,
    abortAfterMs,
  };
}

function isLatency(metric: string): metric is keyof typeof latencies {
  return Object.hasOwn(latencies, metric);
}

function isScope(scope: string): boolean {
  return (
    scope === 'callbacks' ||
    operationIds.some((id) => id === scope) ||
    /^journey\.[a-z0-9][a-z0-9-]*$/.test(scope)
  );
}

/** Undefined if a time is given without the mark, or is invalid. */
function abortAfter(isMarked: boolean, time: string | undefined, unit = 's'): number | null | undefined {
  if (!isMarked) return time === undefined ? null : undefined;
  const ms = time === undefined ? usualAbortMs : Number(time) * (unit === 'm' ? 60_000 : 1000);
  return ms > 0 && ms <= 3_600_000 ? ms : undefined;
}

function boundOf(metric: string, amount: number, unit: string): number | null {
  if (isLatency(metric)) return unit === 'ms' ? amount : unit === 's' ? amount * 1000 : null;
  if (shares.some((one) => one === metric)) return unit === '%' ? amount / 100 : null;
  return metric === 'rate' && unit === '/s' ? amount : null;
}

/** The results of a load that thresholds need. */
interface Measured {
  readonly recorder: Recorder;
  readonly callbackDelays: Durations | null;
  readonly journeys?: ReadonlyMap<string, MeasuredJourney>;
  readonly seconds: number;
}

/** The results of all partners that ran one journey. */
export interface MeasuredJourney {
  readonly times: Durations;
  readonly begun: number;
  readonly failed: number;
}

/** Judges one threshold; without samples none is met, whatever it says. */
export function judgeThreshold(threshold: Threshold, measured: Measured): ThresholdResult {
  const { samples, value } = measure(threshold, measured);
  if (samples === 0) return { threshold: threshold.text, met: false, samples, actual: null };
  return {
    threshold: threshold.text,
    met: holds(value, threshold.relation, threshold.bound),
    samples,
    actual: render(threshold.metric, value),
  };
}

/** Whether it says how long answers may take at most. */
export function boundsLatency({ metric, relation }: Threshold): boolean {
  return isLatency(metric) && relation.startsWith('<');
}

/** How many requests it takes to tell a bound from what is beyond it: fewer meet it by not showing any of the rare ones. */
export function leastToTell({ metric, bound }: Pick<Threshold, 'metric' | 'bound'>): number {
  // Of a share such as 99 %, at least one request has to lie beyond it.
  const beyond = isLatency(metric) ? 100 - latencies[metric] : null;
  if (beyond !== null) return beyond === 0 ? 1 : Math.round(100 / beyond);
  return metric === 'rate' || bound === 0 ? 1 : Math.ceil(1 / bound);
}

function measure({ scope, metric }: Threshold, measured: Measured): { samples: number; value: number } {
  if (scope?.startsWith('journey.') === true)
    return measureJourney(metric, measured.journeys?.get(scope.slice('journey.'.length)));
  if (isLatency(metric)) {
    const share = latencies[metric];
    const durations =
      scope === 'callbacks'
        ? measured.callbackDelays
        : measured.recorder.latency(scope as OperationId | null);
    return { samples: durations?.count ?? 0, value: durations?.percentile(share) ?? 0 };
  }
  const counts = countsOf(measured.recorder, scope === 'callbacks' ? null : (scope as OperationId | null));
  if (metric === 'rate') return { samples: counts.sent, value: counts.answered / measured.seconds };
  if (metric === 'missed') return { samples: counts.planned, value: counts.missed / counts.planned };
  const part = metric === 'errors' ? counts.errors : counts.refused;
  return { samples: counts.sent, value: part / counts.sent };
}

function measureJourney(metric: ThresholdMetric, journey: MeasuredJourney | undefined) {
  if (metric === 'errors')
    return { samples: journey?.begun ?? 0, value: (journey?.failed ?? 0) / Math.max(1, journey?.begun ?? 0) };
  const share = latencies[metric as keyof typeof latencies];
  return { samples: journey?.times.count ?? 0, value: journey?.times.percentile(share) ?? 0 };
}

/** Missed requests are not recorded by operation: a threshold of one counts only what was sent. */
function countsOf(recorder: Recorder, operation: OperationId | null) {
  const own = [...recorder.statuses.values()].filter(
    (record) => operation === null || record.operation === operation,
  );
  const count = (kinds: readonly string[]) =>
    own.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { latency }) => sum + latency.count, 0);
  const sent = count(['ok', 'refused', 'error']);
  const missed = recorder.missedCount + recorder.lost;
  return {
    sent,
    planned: sent + missed,
    missed,
    errors: count(['error']),
    refused: count(['refused']),
    answered: count(['ok']),
  };
}

function holds(value: number, relation: Threshold['relation'], bound: number): boolean {
  switch (relation) {
    case '<':
      return value < bound;
    case '<=':
      return value <= bound;
    case '>':
      return value > bound;
    case '>=':
      return value >= bound;
  }
}

function render(metric: ThresholdMetric, value: number): string {
  if (isLatency(metric)) return `${Number(value.toFixed(1))}ms`;
  return metric === 'rate' ? `${value.toFixed(1)}/s` : `${Number((value * 100).toFixed(2))}%`;
}
