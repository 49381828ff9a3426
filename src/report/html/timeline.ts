import type { LimitsResult } from '../result.ts';
import { formatDuration, plural } from '../text/format.ts';
import { html, type Html } from './html.ts';

type Timeline = NonNullable<LimitsResult['timelines']>[number];

const width = 1000;
const height = 100;
/** Height of the bars of the admitted, and of the refused below them. */
const bars = 22;
/** Requests closer together than this share of the width stand as one bar, the higher the more they are. */
const slots = 250;

/** Requests as bars, admitted above refused, and the rolling count of the admitted as a line against the limit. */
export function renderTimeline({ title, limit, windowMs, requests }: Timeline): Html {
  const sorted = requests.toSorted((left, right) => left.atMs - right.atMs);
  const end = Math.max(1, ...[sorted.at(-1)?.atMs ?? 0]);
  const admitted = sorted.filter((request) => request.admitted).map(({ atMs }) => atMs);
  const refused = sorted.filter((request) => !request.admitted).map(({ atMs }) => atMs);
  const counts = rollingCounts(admitted, windowMs);
  const top = Math.max(limit, ...[counts.reduce((most, { count }) => Math.max(most, count), 0)]) * 1.1;
  const x = (ms: number) => (4 + (ms / end) * (width - 8)).toFixed(1);
  const y = (count: number) => (height - (count / top) * height).toFixed(1);
  const line = counts.map(
    ({ atMs, count }, index) => `${index === 0 ? 'M' : 'H'}${x(atMs)}${index === 0 ? ' ' : 'V'}${y(count)}`,
  );
  const [above, below] = [slotted(admitted, end), slotted(refused, end)];
  const most = Math.max(1, ...above.values(), ...below.values());
  const size = (count: number) => (3 + (count / most) * (bars - 4)).toFixed(1);
  const base = height + bars + 2;
  const marks = (counted: ReadonlyMap<number, number>, direction: '' | '-') =>
    [...counted]
      .map(
        ([slot, count]) =>
          `M${x((slot / slots) * end)} ${base + (direction === '' ? 1 : -1)}v${direction}${size(count)}`,
      )
      .join('');
  const told = `${title}: ${plural(admitted.length, 'request')} admitted, ${refused.length} refused in ${formatDuration(end)}; the limit is ${limit} in ${formatDuration(windowMs)}`;
  return html`<figure>
    <figcaption>${told}</figcaption>
    <svg
      class="timeline"
      viewBox="0 0 ${width} ${base + bars}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${told}"
    >
      <path class="count" d="${line.join('')}" />
      <path class="limit" d="M0 ${y(limit)}H${width}" />
      <path class="admitted" d="${marks(above, '-')}" />
      <path class="refused" d="${marks(below, '')}" />
    </svg>
    <p class="soft">
      From 0 to ${formatDuration(end)}. Line: admitted within the last ${formatDuration(windowMs)}; dashed:
      the limit of ${limit}; bars: requests, admitted up, refused down, the highest ${most} at a time.
    </p>
  </figure>`;
}

/** How many requests fall on each place of the width that can be told apart. */
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
