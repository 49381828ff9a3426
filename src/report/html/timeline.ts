import type { LimitsResult } from '../result.ts';
import { formatDuration, plural } from '../text/format.ts';
import { html, type Html } from './html.ts';

type Timeline = NonNullable<LimitsResult['timelines']>[number];

const width = 1000;
const height = 100;
const ticks = 12;

/** Requests as ticks, admitted above refused, and the rolling count of the admitted as a line against the limit. */
export function renderTimeline({ title, limit, windowMs, requests }: Timeline): Html {
  const sorted = requests.toSorted((left, right) => left.atMs - right.atMs);
  const end = Math.max(1, ...[sorted.at(-1)?.atMs ?? 0]);
  const admitted = sorted.filter((request) => request.admitted).map(({ atMs }) => atMs);
  const refused = sorted.filter((request) => !request.admitted).map(({ atMs }) => atMs);
  const counts = rollingCounts(admitted, windowMs);
  const top = Math.max(limit, ...[counts.reduce((most, { count }) => Math.max(most, count), 0)]) * 1.1;
  const x = (ms: number) => ((ms / end) * width).toFixed(1);
  const y = (count: number) => (height - (count / top) * height).toFixed(1);
  const line = counts.map(
    ({ atMs, count }, index) => `${index === 0 ? 'M' : 'H'}${x(atMs)}${index === 0 ? ' ' : 'V'}${y(count)}`,
  );
  const marks = (times: readonly number[], from: number) =>
    times.map((ms) => `M${x(ms)} ${from}v${ticks - 2}`).join('');
  const told = `${title}: ${plural(admitted.length, 'request')} admitted, ${refused.length} refused in ${formatDuration(end)}; the limit is ${limit} in ${formatDuration(windowMs)}`;
  return html`<figure>
    <figcaption>${told}</figcaption>
    <svg
      class="timeline"
      viewBox="0 0 ${width} ${height + 2 * ticks}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${told}"
    >
      <path class="count" d="${line.join('')}" />
      <path class="limit" d="M0 ${y(limit)}H${width}" />
      <path class="admitted" d="${marks(admitted, height + 2)}" />
      <path class="refused" d="${marks(refused, height + ticks + 2)}" />
    </svg>
    <p class="soft">
      Line: admitted within the last window; dashed: the limit; ticks: each request, admitted above, refused
      below.
    </p>
  </figure>`;
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
