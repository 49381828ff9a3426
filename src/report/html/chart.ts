import { html, type Html } from './html.ts';
import { roundStep, type Mark } from './timeMarks.ts';

/** One line of a chart; NaN where there is no value. */
export interface Series {
  readonly name: string;
  /** CSS class of its color. */
  readonly tone: string;
  readonly values: readonly number[];
}

/** A threshold, drawn across; `met` is null if that is not decided. */
export interface Bound {
  readonly name: string;
  readonly value: number;
  readonly met: boolean | null;
}

/** The position of a value between bottom (0) and top (1), and the labelled values. */
export interface Scale {
  readonly place: (value: number) => number;
  readonly ticks: readonly number[];
  readonly isLog?: boolean;
}

export interface Chart {
  readonly title: string;
  readonly series: readonly Series[];
  /** Where each point of the lines is, from 0 to 1. */
  readonly places: readonly number[];
  readonly marks: readonly Mark[];
  /** Parts of the chart, each beginning at its mark. */
  readonly parts?: readonly Mark[];
  readonly scale: Scale;
  readonly show: (value: number) => string;
  readonly bounds?: readonly Bound[];
  /** Drawn in less height: a chart beside others. */
  readonly isSmall?: boolean;
  /** Each value holds until the next one. */
  readonly isStepped?: boolean;
  /** What a point is about: a time, or a share. */
  readonly pointName: (index: number) => string;
}

/** A chart without script: text keeps its size at any width, and values show under the pointer. */
export function renderChart(chart: Chart): Html {
  const { title, series, scale, show } = chart;
  const most = series.map(
    ({ name, values }) => `${name} at most ${show(Math.max(0, ...values.filter((value) => value >= 0)))}`,
  );
  return html`<figure class="card">
    <figcaption>
      ${title}${scale.isLog === true ? html` <span class="soft">(logarithmic scale)</span>` : null}
      ${series.map(({ name, tone }) => html`<span class="legend ${tone}">${name}</span>`)}
    </figcaption>
    <svg
      class="chart${chart.isSmall === true ? ' small' : ''}"
      role="img"
      aria-label="${title}: ${most.join(', ')}"
    >
      ${scale.ticks.map(
        (value) =>
          html`${across('grid', scale.place(value))}
            <text x="0" dx="-8" y="${percent(1 - scale.place(value))}" dy="4" text-anchor="end"
              >${show(value)}</text
            >`,
      )}
      ${chart.marks.map(renderMark)} ${(chart.parts ?? []).map((part, index) => renderPart(part, index))}
      ${(chart.bounds ?? []).map((bound) => renderBound(bound, scale))}
      <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
        ${series.map(({ tone, values }) => html`<path class="line ${tone}" d="${pathOf(values, chart)}" />`)}
      </svg>
      ${chart.places.map((_place, index) => renderPoint(chart, index))}
    </svg>
  </figure>`;
}

function across(name: string, place: number): Html {
  const y = percent(1 - place);
  return html`<line class="${name}" x1="0" x2="100%" y1="${y}" y2="${y}" />`;
}

function renderMark({ at, text }: Mark, index: number, all: readonly Mark[]): Html {
  const anchor = at < 0.02 ? 'start' : at > 0.98 ? 'end' : 'middle';
  // On a narrow page, every other label has room.
  const odd = index % 2 === 1 && index < all.length - 1 ? 'odd' : '';
  return html`<text class="${odd}" x="${percent(at)}" y="100%" dy="17" text-anchor="${anchor}"
    >${text}</text
  >`;
}

function renderPart({ at, text }: Mark, index: number): Html {
  const x = percent(at);
  return html`${at === 0 ? null : html`<line class="part" x1="${x}" x2="${x}" y1="0" y2="100%" />`}
    <text class="part ${index % 2 === 1 ? 'odd' : ''}" x="${x}" dx="4" y="0" dy="-6">${text}</text>`;
}

function renderBound({ name, value, met }: Bound, scale: Scale): Html {
  const place = scale.place(value);
  const tone = met === null ? 'calm' : met ? 'pass' : 'fail';
  // A label above a line at the top would be cut off.
  const dy = place > 0.93 ? 13 : -5;
  return html`${across(`bound ${tone}`, place)}
    <text class="${tone}" x="100%" y="${percent(1 - place)}" dy="${dy}" text-anchor="end">${name}</text>`;
}

/** The values at a point, shown above the chart while the pointer is in its column. */
function renderPoint({ series, places, show, pointName }: Chart, index: number): Html {
  const at = places[index] ?? 0;
  const from = index === 0 ? 0 : (at + (places[index - 1] ?? 0)) / 2;
  const to = index === places.length - 1 ? 1 : (at + (places[index + 1] ?? 1)) / 2;
  const values = series.flatMap(({ name, values: { [index]: value } }) =>
    value === undefined || Number.isNaN(value) ? [] : [`${name} ${show(value)}`],
  );
  const x = percent(at);
  return html`<g class="point">
    <rect x="${percent(from)}" width="${percent(Math.max(0, to - from))}" height="100%" />
    <line x1="${x}" x2="${x}" y1="0" y2="100%" />
    <text x="0" y="0" dy="-23"
      >${pointName(index)}: ${values.length === 0 ? 'nothing' : values.join(' · ')}</text
    >
  </g>`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

/** The points as one line, interrupted where there is no value; an isolated point is a dash. */
function pathOf(values: readonly number[], { places, scale, isStepped = false }: Chart): string {
  return values
    .map((value, index) => {
      if (Number.isNaN(value)) return '';
      const x = (places[index] ?? 0) * 1000;
      const y = ((1 - scale.place(value)) * 1000).toFixed(1);
      const isKnown = (at: number) => !Number.isNaN(values[at] ?? Number.NaN);
      if (isKnown(index - 1)) return isStepped ? `H${x.toFixed(1)}V${y}` : `L${x.toFixed(1)} ${y}`;
      return isKnown(index + 1) ? `M${x.toFixed(1)} ${y}` : `M${(x - 4).toFixed(1)} ${y}h8`;
    })
    .join('');
}

/** From zero to a round number above all values; of counts, with whole numbers only. */
export function linearScale(values: readonly number[], { isCount = false } = {}): Scale {
  const top = Math.max(1, ...values.filter((value) => !Number.isNaN(value)));
  const step = Math.max(isCount ? 1 : 0, roundStep(top / 4));
  const ticks = Array.from({ length: Math.ceil(top / step - 1e-9) + 1 }, (_, index) => index * step);
  const end = ticks.at(-1) ?? top;
  return { place: (value) => value / end, ticks };
}

/** Most labels of a logarithmic scale with 1, 2 and 5 of each power of ten; beyond it, only the powers. */
const mostTicks = 7;

/** Latencies differ by powers of ten: on a linear scale the median would be a line at the bottom. */
export function logScale(values: readonly number[]): Scale {
  const positive = values.filter((value) => value > 0);
  const [least, most] = positive.length === 0 ? [1, 10] : [Math.min(...positive), Math.max(...positive)];
  const fine = roundTicks(least, most, [1, 2, 5]);
  const ticks = fine.length <= mostTicks ? fine : roundTicks(least, most, [1]);
  const [low, high] = [Math.log10(ticks[0] ?? 1), Math.log10(ticks.at(-1) ?? 10)];
  const place = (value: number) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low);
  return { place, ticks, isLog: true };
}

/** The round numbers around a range, the one below it and the one above it included. */
function roundTicks(least: number, most: number, factors: readonly number[]): readonly number[] {
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most)) + 1];
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((power) =>
    factors.map((factor) => Number((factor * 10 ** power).toPrecision(3))),
  );
  const first = Math.max(
    0,
    all.findLastIndex((tick) => tick <= least),
  );
  const last = all.findIndex((tick, index) => tick >= most && index > first);
  return all.slice(first, last + 1);
}
