import type { LimitsResult } from '../result.ts';
import { formatDuration, plural } from '../text/format.ts';
import { html, type Html } from './html.ts';
import { timeMarks } from './timeMarks.ts';

type Timeline = NonNullable<LimitsResult['timelines']>[number];

const width = 1000;
const height = 120;
/** Space for the numbers at the left, and for the times below. */
const left = 46;
const foot = 20;
/** Height of the bars of the admitted, and of the refused below them. */
const bars = 22;
/** The base line of the bars. */
const base = height + bars + 2;
/** Requests closer together than this share of the width are one bar, whose height is their number. */
const slots = 250;

/** Requests as bars, admitted above refused, and the rolling count of the admitted as a line against the limit. */
export function renderTimeline({ title, limit, windowMs, requests }: Timeline): Html {
  const sorted = requests.toSorted((one, other) => one.atMs - other.atMs);
  const end = Math.max(1, ...[sorted.at(-1)?.atMs ?? 0]);
  const timesOf = (isAdmitted: boolean) =>
    sorted.filter(({ admitted: one }) => one === isAdmitted).map(({ atMs }) => atMs);
  const [admitted, refused] = [timesOf(true), timesOf(false)];
  const counts = rollingCounts(admitted, windowMs);
  const peak = counts.reduce((highest, { count }) => Math.max(highest, count), 0);
  const top = Math.max(limit, peak) * 1.15;
  const x = (ms: number) => (left + (ms / end) * (width - left - 8)).toFixed(1);
  const y = (count: number) => (height - (count / top) * height).toFixed(1);
  const line = counts.map(
    ({ atMs, count }, index) => `${index === 0 ? 'M' : 'H'}${x(atMs)}${index === 0 ? ' ' : 'V'}${y(count)}`,
  );
  const [above, below] = [slotted(admitted, end), slotted(refused, end)];
  const most = Math.max(1, ...above.values(), ...below.values());
  const marks = (counted: Slots, direction: '' | '-') =>
    barPath(counted, { direction, most, xOf: (slot) => x((slot / slots) * end) });
  const caption = `${title}: ${plural(admitted.length, 'request')} admitted, ${refused.length} refused in ${formatDuration(end)}; the limit is ${limit} in ${formatDuration(windowMs)}`;
  return html`<figure>
    <figcaption>
      ${caption} <span class="legend calm">admitted within the last ${formatDuration(windowMs)}</span>
      <span class="legend warn">the limit</span> <span class="legend pass">admitted</span>
      <span class="legend fail">refused</span>
    </figcaption>
    <svg
      class="plot timeline"
      viewBox="0 0 ${width} ${base + bars + foot}"
      role="img"
      aria-label="${caption}"
    >
      ${[0, limit, ...(peak > limit * 1.15 ? [peak] : [])].map(
        (count) =>
          html`<text x="${left - 6}" y="${Number(y(count)) + 4}" text-anchor="end">${count}</text>
            <path class="grid" d="M${left} ${y(count)}H${width}" />`,
      )}
      ${timeLabels(end, x)}
      <path class="count" d="${line.join('')}" />
      <path class="limit" d="M${left} ${y(limit)}H${width}" />
      <path class="admitted" d="${marks(above, '-')}" />
      <path class="refused" d="${marks(below, '')}" />
      ${hovers(above, below, (slot) => ({ from: x(((slot - 0.5) / slots) * end), at: formatDuration((slot / slots) * end) }))}
    </svg>
    <p class="soft">The highest bar stands for ${plural(most, 'request')}.</p>
  </figure>`;
}

function timeLabels(end: number, x: (ms: number) => string): Html[] {
  return timeMarks(end).map(({ at, text }) => {
    const anchor = at < 0.02 ? 'start' : at > 0.97 ? 'end' : 'middle';
    return html`<text x="${x(at * end)}" y="${base + bars + foot - 4}" text-anchor="${anchor}"
      >${text}</text
    >`;
  });
}

type Slots = ReadonlyMap<number, number>;

/** A vertical bar for each slot, as long as its share of the largest one, up or down from the base line. */
function barPath(
  counted: Slots,
  { direction, most, xOf }: { direction: '' | '-'; most: number; xOf: (slot: number) => string },
): string {
  const size = (count: number) => (3 + (count / most) * (bars - 4)).toFixed(1);
  const from = base + (direction === '' ? 1 : -1);
  return [...counted].map(([slot, count]) => `M${xOf(slot)} ${from}v${direction}${size(count)}`).join('');
}

/** The values under the pointer, in words. */
function hovers(above: Slots, below: Slots, place: (slot: number) => { from: string; at: string }): Html[] {
  const all = [...new Set([...above.keys(), ...below.keys()])];
  return all.map((slot) => {
    const { from, at } = place(slot);
    const text = `after ${at}: ${above.get(slot) ?? 0} admitted, ${below.get(slot) ?? 0} refused`;
    return html`<rect class="hover" x="${from}" width="${width / slots}" height="${height + 2 * bars}">
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
function rollingCounts(admitted: readonly number[], windowMs: number): { atMs: number; count: number }[] {
  const last = admitted.at(-1) ?? 0;
  const steps = [
    ...admitted.map((atMs) => ({ atMs, change: 1 })),
    ...admitted.map((ms) => ({ atMs: ms + windowMs, change: -1 })).filter(({ atMs }) => atMs <= last),
  ].sort((left, right) => left.atMs - right.atMs || left.change - right.change);
  let count = 0;
  return steps.map(({ atMs, change }) => ({ atMs, count: (count += change) }));
}
