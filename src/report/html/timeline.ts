import type { LimitsResult } from '../result.ts';
import { formatDuration, plural } from '../text/format.ts';
import { html, type Html } from './html.ts';
import { timeMarks, type Mark } from './timeMarks.ts';

type Timeline = NonNullable<LimitsResult['timelines']>[number];

/** The drawing inside: the curve above, the bars of admitted and refused requests below. It is stretched to the width of the page. */
const width = 1000;
const height = 1000;
const bars = 160;
const base = height + bars;
const whole = height + 2 * bars;
/** Requests closer together than this share of the width are one bar, whose height is their number. */
const slots = 250;
/** The axis goes this far beyond the limit, so that one request too many can be seen. */
const beyond = 1.2;
/** Most requests beyond the limit that are marked. */
const mostMarked = 20;

/** Requests as bars, admitted above refused, and the rolling count of the admitted as a line against the limit. */
export function renderTimeline({ title, limit, windowMs, requests }: Timeline): Html {
  const sorted = requests.toSorted((one, other) => one.atMs - other.atMs);
  const end = Math.max(1, ...[sorted.at(-1)?.atMs ?? 0]);
  const timesOf = (isAdmitted: boolean) =>
    sorted.filter(({ admitted: one }) => one === isAdmitted).map(({ atMs }) => atMs);
  const [admitted, refused] = [timesOf(true), timesOf(false)];
  const counts = rollingCounts(
    sorted.filter((one) => one.admitted),
    windowMs,
  );
  const peak = counts.reduce((highest, { count }) => Math.max(highest, count), 0);
  const top = Math.max(limit * beyond, peak * 1.1);
  const y = (count: number) => height - (count / top) * height;
  const yShare = (count: number) => percent(y(count) / whole);
  const [above, below] = [slotted(admitted, end), slotted(refused, end)];
  const most = Math.max(1, ...above.values(), ...below.values());
  const caption = `${title}: ${plural(admitted.length, 'request')} admitted, ${refused.length} refused in ${formatDuration(end)}; the limit is ${limit} in ${formatDuration(windowMs)}${peak > limit ? `, and up to ${peak} were admitted` : ''}`;
  return html`<figure>
    <figcaption>
      ${caption} <span class="legend calm">admitted within the last ${formatDuration(windowMs)}</span>
      <span class="legend warn">the limit</span> <span class="legend pass">admitted</span>
      <span class="legend fail">refused${peak > limit ? ', or beyond the limit' : ''}</span>
    </figcaption>
    <svg class="chart timeline" role="img" aria-label="${caption}">
      ${[...new Set([0, limit, Math.round(Math.max(limit * beyond, peak))])].map(
        (count) =>
          html`<line class="grid" x1="0" x2="100%" y1="${yShare(count)}" y2="${yShare(count)}" />
            <text x="0" dx="-8" y="${yShare(count)}" dy="4" text-anchor="end">${count}</text>`,
      )}
      ${timeMarks(end).map(renderTimeMark)}
      <svg viewBox="0 0 ${width} ${whole}" preserveAspectRatio="none" width="100%" height="100%">
        <path class="count" d="${curveOf(counts, (ms) => (ms / end) * width, y)}" />
        <path class="limit" d="M0 ${y(limit).toFixed(1)}H${width}" />
        <path class="admitted" d="${barPath(above, '-', most)}" />
        <path class="refused" d="${barPath(below, '', most)}" />
      </svg>
      ${excessOf(counts, limit).map((one, index) => renderExcess(one, { x: one.atMs / end, y: yShare(one.count), isLabelled: index === 0 }))}
      ${hovers(above, below, end)}
    </svg>
    <p class="soft">The highest bar stands for ${plural(most, 'request')}.</p>
  </figure>`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}

interface Count {
  readonly atMs: number;
  readonly count: number;
  /** The request that was admitted then, where the result names it. */
  readonly exchange?: string | undefined;
}

function curveOf(counts: readonly Count[], x: (ms: number) => number, y: (count: number) => number): string {
  return counts
    .map(({ atMs, count }, index) => {
      const [across, down] = [x(atMs).toFixed(1), y(count).toFixed(1)];
      return index === 0 ? `M${across} ${down}` : `H${across}V${down}`;
    })
    .join('');
}

/** The highest counts beyond the limit, one each time that it was exceeded; the highest of all first. */
function excessOf(counts: readonly Count[], limit: number): readonly Count[] {
  const highest: Count[] = [];
  let isBeyond = false;
  for (const one of counts) {
    const last = highest.at(-1);
    if (one.count > limit && !isBeyond) highest.push(one);
    else if (one.count > limit && last !== undefined && one.count > last.count) highest.splice(-1, 1, one);
    isBeyond = one.count > limit;
  }
  return highest.toSorted((one, other) => other.count - one.count).slice(0, mostMarked);
}

function renderExcess(
  { count, exchange }: Count,
  { x, y, isLabelled }: { readonly x: number; readonly y: string; readonly isLabelled: boolean },
): Html {
  const text = exchange === undefined ? `${count}` : `${count} (${exchange})`;
  const [anchor, dx] = x > 0.9 ? ['end', -9] : ['start', 9];
  return html`<circle class="beyond" cx="${percent(x)}" cy="${y}" r="5"><title>${text}</title></circle>
    ${isLabelled ? html`<text class="beyond" x="${percent(x)}" y="${y}" dx="${dx}" dy="-3" text-anchor="${anchor}">${text}</text>` : null}`;
}

function renderTimeMark({ at, text }: Mark, index: number, all: readonly Mark[]): Html {
  const anchor = at < 0.02 ? 'start' : at > 0.93 ? 'end' : 'middle';
  // On a narrow page, every other label has room.
  const odd = index % 2 === 1 && index < all.length - 1 ? 'odd' : '';
  return html`<text class="${odd}" x="${percent(at)}" y="100%" dy="17" text-anchor="${anchor}"
    >${text}</text
  >`;
}

type Slots = ReadonlyMap<number, number>;

/** A vertical bar for each slot, as long as its share of the largest one, up or down from the base line. */
function barPath(counted: Slots, direction: '' | '-', most: number): string {
  const size = (count: number) => (20 + (count / most) * (bars - 40)).toFixed(1);
  const from = base + (direction === '' ? 4 : -4);
  return [...counted]
    .map(([slot, count]) => `M${((slot / slots) * width).toFixed(1)} ${from}v${direction}${size(count)}`)
    .join('');
}

/** The values under the pointer, in words. */
function hovers(above: Slots, below: Slots, end: number): Html[] {
  const all = [...new Set([...above.keys(), ...below.keys()])];
  return all.map((slot) => {
    const at = formatDuration((slot / slots) * end);
    const text = `after ${at}: ${above.get(slot) ?? 0} admitted, ${below.get(slot) ?? 0} refused`;
    return html`<rect
      class="hover"
      x="${percent((slot - 0.5) / slots)}"
      width="${percent(1 / slots)}"
      height="100%"
    >
      <title>${text}</title>
    </rect>`;
  });
}

/** Number of requests for each distinguishable position of the width. */
function slotted(times: readonly number[], end: number): ReadonlyMap<number, number> {
  const counted = new Map<number, number>();
  for (const ms of times) {
    const slot = Math.round((ms / end) * slots);
    counted.set(slot, (counted.get(slot) ?? 0) + 1);
  }
  return counted;
}

/** How many were admitted within the last window, after each admission and each time that one leaves the window. */
function rollingCounts(admitted: Timeline['requests'], windowMs: number): readonly Count[] {
  const last = admitted.at(-1)?.atMs ?? 0;
  const steps = [
    ...admitted.map(({ atMs, exchange }) => ({ atMs, exchange, change: 1 })),
    ...admitted
      .map(({ atMs }) => ({ atMs: atMs + windowMs, exchange: undefined, change: -1 }))
      .filter(({ atMs }) => atMs <= last),
  ].sort((left, right) => left.atMs - right.atMs || left.change - right.change);
  let count = 0;
  return steps.map(({ atMs, change, exchange }) => ({ atMs, exchange, count: (count += change) }));
}
