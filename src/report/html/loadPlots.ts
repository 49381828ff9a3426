import { RateCurve, stagesOf } from '../../load/plan/shape.ts';
import type { LoadSummary } from '../../load/summary/summarySchema.ts';
import { formatLatency, refusedFrom, stagesText } from '../load/loadText.ts';
import { formatRate } from '../../load/summary/rate.ts';
import { linearScale, logScale, renderChart, type Bound, type Series } from './chart.ts';
import { html, type Html } from './html.ts';
import { timeMarks, timeText, type Mark } from './timeMarks.ts';

/** What the charts of the course of a load show, whether it is over or running. */
export type LoadCourse = Pick<LoadSummary, 'plan' | 'steps' | 'stepMs' | 'elapsedMs'> & {
  readonly thresholds: readonly Pick<LoadSummary['thresholds'][number], 'threshold' | 'met'>[];
};

/** Latency and requests per second over time. */
export function renderCourse({ thresholds, ...load }: LoadCourse): Html | null {
  const { plan, stepMs } = load;
  const steps = wholeCourse(load);
  if (steps.length === 0) return null;
  const wholeMs = Math.max(plan.durationMs, (steps.at(-1)?.atMs ?? 0) + stepMs);
  const latency = latencySeries(steps);
  const bounds = thresholds.flatMap(boundOf);
  const flow = flowSeries({ plan, steps, stepMs });
  const time = {
    places: steps.map(({ atMs }) => (atMs + stepMs / 2) / wholeMs),
    marks: timeMarks(wholeMs),
    parts: partsOf(plan, wholeMs),
    pointName: (index: number) => `from ${timeText(steps[index]?.atMs ?? 0)}`,
  };
  const refused = refusedFrom({ steps });
  const isAnswered = steps.some(({ ok, errors }) => ok + errors > 0);
  return html`${
    isAnswered
      ? renderChart({
          ...{ ...time, title: 'Latency over time', series: latency, bounds, show: formatLatency },
          parts: refused === null ? time.parts : [...time.parts, { at: refused / wholeMs, text: 'only 429' }],
          scale: logScale([...valuesOf(latency), ...bounds.map(({ value }) => value)]),
        })
      : null
  }
  ${renderChart({
    ...{ ...time, title: 'Requests per second over time', series: flow, show: formatRate },
    scale: linearScale([...valuesOf(flow), ...(plan.stages ?? []).map(({ toPerSecond }) => toPerSecond)]),
  })}`;
}

/** Shares whose labels fit below the curve. */
const namedShares = [1, 50, 90, 99, 100];

/** Latency by share of requests, up to the longest. */
export function renderCurve({ shares, ms }: LoadSummary['curve']): Html {
  const places = shares.map((_share, index) => index / (shares.length - 1));
  return renderChart({
    title: 'Latency by share of requests',
    series: [{ name: 'latency', tone: 'calm', values: ms }],
    places,
    marks: shares.flatMap((share, index) =>
      namedShares.includes(share) ? [{ at: places[index] ?? 0, text: `${share} %` }] : [],
    ),
    scale: logScale(ms),
    show: formatLatency,
    pointName: (index) => `${shares[index] ?? ''} % of the requests`,
  });
}

/** Latencies by share of requests, in percent. */
export type LatencyPoints = LoadSummary['curve'];

/** A small chart for each operation that has a latency threshold of its own: no other chart has it. */
export function renderBounded(
  thresholds: LoadCourse['thresholds'],
  latencyOf: (operation: string) => LatencyPoints,
): Html {
  const own = thresholds.flatMap(({ threshold, met }) => {
    const [, operation, rest] = /^!?([a-z]+\.[a-z]+):(.+)$/.exec(threshold) ?? [];
    const [bound] = rest === undefined ? [] : boundOf({ threshold: rest, met });
    return operation === undefined || bound === undefined ? [] : [{ operation, bound }];
  });
  const byOperation = Map.groupBy(own, ({ operation }) => operation);
  return html`${[...byOperation].map(([operation, those]) => {
    const { shares, ms } = latencyOf(operation);
    if (shares.length < 2) return null;
    const bounds = those.map(({ bound }) => bound);
    return renderChart({
      title: `Latency of ${operation} by share of requests`,
      series: [{ name: 'latency', tone: 'calm', values: ms }],
      places: shares.map((_share, index) => index / (shares.length - 1)),
      marks: shares.map((share, index) => ({ at: index / (shares.length - 1), text: `${share} %` })),
      scale: logScale([...ms, ...bounds.map(({ value }) => value)]),
      ...{ bounds, show: formatLatency, isSmall: true },
      pointName: (index) => `${shares[index] ?? ''} % of the requests`,
    });
  })}`;
}

/** Latency over rate of the trials of a search, the worst of each rate: the bend is where the deployment reaches its limit. */
export function renderKnee({ trials, bounds }: NonNullable<LoadSummary['capacity']>): Html | null {
  const byRate = Map.groupBy(trials, ({ ratePerSecond }) => ratePerSecond);
  const rates = [...byRate.keys()].sort((one, other) => one - other);
  const scale = linearScale(rates);
  const end = scale.ticks.at(-1) ?? 1;
  const worst = (pick: (trial: (typeof trials)[number]) => number | null) =>
    rates.map((rate) => {
      const known = (byRate.get(rate) ?? []).map(pick).filter((value) => value !== null);
      return known.length === 0 ? Number.NaN : Math.max(...known);
    });
  const series: Series[] = [
    { name: 'median', tone: 'calm', values: worst(({ p50Ms }) => p50Ms) },
    { name: '99 %', tone: 'fail', values: worst(({ p99Ms }) => p99Ms) },
  ];
  if (rates.length < 2) return null;
  const lines = bounds.flatMap((threshold) => boundOf({ threshold, met: null }));
  return renderChart({
    ...{ title: 'Latency over requests per second', series, bounds: lines, show: formatLatency },
    places: rates.map((rate) => rate / end),
    marks: scale.ticks.map((rate) => ({ at: rate / end, text: formatRate(rate) })),
    scale: logScale([...valuesOf(series), ...lines.map(({ value }) => value)]),
    pointName: (index) => formatRate(rates[index] ?? 0),
  });
}

type Step = LoadSummary['steps'][number];

/** All steps: those in which nothing was sent or answered are not recorded. */
function wholeCourse({ plan, steps, stepMs, elapsedMs }: Omit<LoadCourse, 'thresholds'>): readonly Step[] {
  const known = new Map(steps.map((step) => [Math.round(step.atMs / stepMs), step]));
  const passed = Math.floor(Math.min(elapsedMs, plan.durationMs) / stepMs);
  const none = { sent: 0, ok: 0, refused: 0, errors: 0, missed: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 };
  return Array.from(
    { length: Math.max(passed, ...[...known.keys()].map((index) => index + 1)) },
    (_, index) => known.get(index) ?? { atMs: index * stepMs, ...none },
  );
}

function valuesOf(series: readonly Series[]): number[] {
  return series.flatMap(({ values }) => values);
}

function latencySeries(steps: readonly Step[]): Series[] {
  // A step in which everything was refused has no latency: the line has a gap there.
  const whereAnswered = (pick: (step: Step) => number) =>
    steps.map((step) => (step.ok + step.errors > 0 ? pick(step) : Number.NaN));
  return [
    { name: 'median', tone: 'calm', values: whereAnswered(({ p50Ms }) => p50Ms) },
    { name: '95 %', tone: 'warn', values: whereAnswered(({ p95Ms }) => p95Ms) },
    { name: '99 %', tone: 'fail', values: whereAnswered(({ p99Ms }) => p99Ms) },
  ];
}

function flowSeries({ plan, steps, stepMs }: Pick<LoadCourse, 'plan' | 'steps' | 'stepMs'>): Series[] {
  const perSecond = (pick: (step: Step) => number) => steps.map((step) => pick(step) / (stepMs / 1000));
  const planned = plannedPerSecond(plan);
  return [
    ...(planned === null
      ? []
      : [
          {
            name: 'planned',
            tone: 'planned',
            values: steps.map(({ atMs }) => Number(planned(atMs, stepMs).toFixed(3))),
          },
        ]),
    // Wider, so that it shows beside a line on the same values.
    { name: 'sent', tone: 'calm wide', values: perSecond(({ sent }) => sent) },
    { name: 'ok', tone: 'pass', values: perSecond(({ ok }) => ok) },
    {
      name: 'errors and missed',
      tone: 'fail wide',
      values: perSecond(({ errors, missed }) => errors + missed),
    },
    { name: '429', tone: 'warn', values: perSecond(({ refused: count }) => count) },
  ];
}

/** The mean rate of a step by the plan; null if it plans no rate, or journeys, which send as much as they need. */
function plannedPerSecond({ ratePerSecond, stages, durationMs, journeys }: LoadSummary['plan']) {
  if (ratePerSecond === null || journeys !== undefined) return null;
  const curve = new RateCurve(stagesOf({ ratePerSecond, durationMs, ...(stages ? { stages } : {}) }));
  const until = (ms: number) => curve.countAt(Math.min(ms, durationMs));
  return (fromMs: number, stepMs: number) => ((until(fromMs + stepMs) - until(fromMs)) * 1000) / stepMs;
}

/** The stages of a course, if there are several, and the end of the warm-up. */
function partsOf({ stages = [], warmUpMs = 0 }: LoadSummary['plan'], wholeMs: number): readonly Mark[] {
  const warm = warmUpMs > 0 && stages.length < 2 ? ['warm-up', ''] : [];
  if (warm.length > 0) return warm.map((text, index) => ({ at: (index * warmUpMs) / wholeMs, text }));
  if (stages.length < 2) return [];
  let fromMs = 0;
  return stages.map((stage) => {
    const mark = { at: fromMs / wholeMs, text: stagesText([stage]).split(' ')[0] ?? '' };
    fromMs += stage.durationMs;
    return mark;
  });
}

/** The line for a latency threshold such as `p99<300ms`; other thresholds are not shown in a latency chart. */
function boundOf({ threshold, met }: { readonly threshold: string; readonly met: boolean | null }): Bound[] {
  const [, value = '', unit] = /^!?p\d+(?:\.\d+)?<=?(\d+(?:\.\d+)?)(ms|s)/.exec(threshold) ?? [];
  return unit === undefined
    ? []
    : [{ name: threshold, value: Number(value) * (unit === 's' ? 1000 : 1), met }];
}
