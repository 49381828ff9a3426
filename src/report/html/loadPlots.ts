import type { LoadSummary } from '../../load/summarySchema.ts';
import { formatLatency } from '../load/loadText.ts';
import { formatDuration } from '../text/format.ts';
import { html, type Html } from './html.ts';

/** One line of a plot. */
interface Series {
  readonly name: string;
  /** CSS class of its colour. */
  readonly tone: string;
  readonly values: readonly number[];
}

interface Plot {
  readonly title: string;
  readonly series: readonly Series[];
  /** Labels at the lower edge, from left to right, evenly spaced. */
  readonly marks: readonly string[];
  readonly scale: Scale;
  readonly show: (value: number) => string;
  /** Thresholds, drawn across. */
  readonly bounds?: readonly Bound[];
  /** The name of a point of the lines: a time, or a share. */
  readonly pointName: (index: number) => string;
}

/** A threshold of the value that a plot shows. */
interface Bound {
  readonly name: string;
  readonly value: number;
  readonly met: boolean;
}

const width = 1000;
const height = 220;
/** Space for labels at the left and below. */
const left = 74;
const foot = 22;

/** The course of a load and its spread: latency over time, throughput over time, latency by share of requests. */
export function renderLoadPlots(load: LoadSummary): Html {
  const { steps, curve } = load;
  if (steps.length === 0) return html``;
  const at = steps.map(({ atMs }) => atMs);
  const [latency, flow] = [latencySeries(load), flowSeries(load)];
  const bounds = load.thresholds.flatMap(boundOf);
  const pointName = (index: number) => `from ${formatDuration(at[index] ?? 0)}`;
  const shares = curve.shares.map((share) => `${share} %`);
  return html`${[
    renderPlot({
      title: 'Latency over time',
      series: latency,
      marks: timeMarks(at),
      scale: logScale([...latency, { name: '', tone: '', values: bounds.map(({ value }) => value) }]),
      show: formatLatency,
      bounds,
      pointName,
    }),
    renderPlot({
      title: 'Requests per second over time',
      series: flow,
      marks: timeMarks(at),
      scale: linearScale(flow),
      show: (value) => `${Number(value.toFixed(1))}/s`,
      pointName,
    }),
    renderPlot({
      title: 'Latency by share of requests',
      series: [{ name: 'latency', tone: 'calm', values: curve.ms }],
      marks: shares,
      scale: logScale([{ name: '', tone: '', values: curve.ms }]),
      show: formatLatency,
      pointName: (index) => `${curve.shares[index] ?? ''} % of the requests`,
    }),
  ]}`;
}

type Step = LoadSummary['steps'][number];

function latencySeries({ steps }: LoadSummary): Series[] {
  // A step in which everything was refused has no latency: the line has a gap there.
  const whereAnswered = (pick: (step: Step) => number) =>
    steps.map((step) => (step.ok + step.errors > 0 ? pick(step) : Number.NaN));
  return [
    { name: 'median', tone: 'calm', values: whereAnswered(({ p50Ms }) => p50Ms) },
    { name: '95 %', tone: 'warn', values: whereAnswered(({ p95Ms }) => p95Ms) },
    { name: '99 %', tone: 'fail', values: whereAnswered(({ p99Ms }) => p99Ms) },
  ];
}

function flowSeries({ steps, stepMs }: LoadSummary): Series[] {
  const perSecond = (pick: (step: Step) => number) => steps.map((step) => pick(step) / (stepMs / 1000));
  return [
    { name: 'answered', tone: 'pass', values: perSecond(({ ok }) => ok) },
    { name: '429', tone: 'warn', values: perSecond(({ refused }) => refused) },
    { name: 'errors and missed', tone: 'fail', values: perSecond(({ errors, missed }) => errors + missed) },
  ];
}

/** Latency over rate of all trials of a search. */
export function renderKnee({ trials }: NonNullable<LoadSummary['capacity']>): Html | null {
  const byRate = trials.toSorted((one, other) => one.ratePerSecond - other.ratePerSecond);
  if (byRate.length < 2) return null;
  const series: Series[] = [
    { name: 'median', tone: 'calm', values: byRate.map(({ p50Ms }) => p50Ms) },
    { name: '99 %', tone: 'fail', values: byRate.map(({ p99Ms }) => p99Ms) },
  ];
  const marks = byRate.map(({ ratePerSecond }) => `${Number(ratePerSecond.toPrecision(3))}`);
  return renderPlot({
    title: 'Latency over requests per second',
    series,
    marks,
    scale: logScale(series),
    show: formatLatency,
    pointName: (index) => `${marks[index] ?? ''}/s`,
  });
}

/** The line for a latency threshold such as `p99<300ms`; other thresholds are not shown in a latency plot. */
function boundOf({ threshold, met }: LoadSummary['thresholds'][number]): Bound[] {
  const [, value = '', unit] = /^!?p\d+(?:\.\d+)?<=?(\d+(?:\.\d+)?)(ms|s)/.exec(threshold) ?? [];
  return unit === undefined
    ? []
    : [{ name: threshold, value: Number(value) * (unit === 's' ? 1000 : 1), met }];
}

function renderPlot({ title, series, marks, scale, show, bounds = [], pointName }: Plot): Html {
  const x = (index: number, count: number) =>
    left + (count <= 1 ? 0 : (index / (count - 1)) * (width - left - 10));
  const y = (value: number) => 8 + (1 - scale.place(value)) * (height - 16);
  const description = `${title}: ${series
    .map(
      ({ name, values }) => `${name} at most ${show(Math.max(0, ...values.filter((value) => value >= 0)))}`,
    )
    .join(', ')}`;
  return html`<figure class="card">
    <figcaption>
      ${title} ${series.map(({ name, tone }) => html`<span class="legend ${tone}">${name}</span>`)}
    </figcaption>
    <svg class="plot" viewBox="0 0 ${width} ${height + foot}" role="img" aria-label="${description}">
      ${scale.ticks.map(
        (value) =>
          html`<path class="grid" d="M${left} ${y(value).toFixed(1)}H${width}" />
            <text x="${left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${show(value)}</text>`,
      )}
      ${marks.map(
        (mark, index) =>
          html`<text
            x="${x(index, marks.length).toFixed(1)}"
            y="${height + foot - 5}"
            text-anchor="${index === 0 ? 'start' : index === marks.length - 1 ? 'end' : 'middle'}"
            >${mark}</text
          >`,
      )}
      ${bounds.map(
        ({ name, value, met }) =>
          html`<path class="bound ${met ? 'pass' : 'fail'}" d="M${left} ${y(value).toFixed(1)}H${width}" />
            <text
              class="${met ? 'pass' : 'fail'}"
              x="${width - 4}"
              y="${(y(value) - 4).toFixed(1)}"
              text-anchor="end"
              >${name}</text
            >`,
      )}
      ${series.map(
        ({ tone, values }) =>
          html`<path class="line ${tone}" d="${pathOf(values, (index) => x(index, values.length), y)}" />`,
      )}
      ${renderHover(series, { show, pointName, x })}
    </svg>
  </figure>`;
}

/** Most points that show their values under the pointer; if there are more, each represents several. */
const mostPoints = 200;

/** The values under the pointer, in words: invisible columns with titles. */
function renderHover(
  series: readonly Series[],
  { show, pointName, x }: Pick<Plot, 'show' | 'pointName'> & { x: (index: number, count: number) => number },
): Html[] {
  const count = Math.max(0, ...series.map(({ values }) => values.length));
  const every = Math.max(1, Math.ceil(count / mostPoints));
  const points = Array.from({ length: Math.ceil(count / every) }, (_, index) => index * every);
  const column = (x(1, Math.max(2, count)) - x(0, 2)) * every;
  return points.map((index) => {
    const shownValues = series.flatMap(({ name, values }) => {
      const value = values[index];
      return value === undefined || Number.isNaN(value) ? [] : [`${name} ${show(value)}`];
    });
    return html`<rect
      class="hover"
      x="${(x(index, count) - column / 2).toFixed(1)}"
      width="${column.toFixed(1)}"
      height="${height}"
    >
      <title>${[pointName(index), ...shownValues].join(', ')}</title>
    </rect>`;
  });
}

/** The points as one line, interrupted where there is no value; an isolated point is shown by its round cap. */
function pathOf(
  values: readonly number[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, index) => {
      if (Number.isNaN(value)) return '';
      const point = `${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
      const goesOn = index > 0 && !Number.isNaN(values[index - 1]);
      return goesOn ? `L${point}` : `M${point}h0`;
    })
    .join('');
}

function timeMarks(at: readonly number[]): readonly string[] {
  const last = at.at(-1) ?? 0;
  return last === 0 ? ['0 s'] : [0, 0.25, 0.5, 0.75, 1].map((share) => formatDuration(last * share));
}

/** The position of a value between bottom (0) and top (1), and the labelled values. */
interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
}

function linearScale(series: readonly Series[]): Scale {
  const top = Math.max(1, ...series.flatMap(({ values }) => values));
  const step = niceStep(top / 4);
  const ticks = Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
  const end = ticks.at(-1) ?? top;
  return { place: (value) => value / end, ticks };
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
}

/** A logarithmic scale, since latencies vary that much: otherwise the median would be a line at the bottom. */
function logScale(series: readonly Series[]): Scale {
  const values = series.flatMap((one) => one.values).filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...values, 1)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values, 1))));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return {
    place: (value) => Math.max(0, (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)),
    ticks,
  };
}
