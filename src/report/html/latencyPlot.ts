import { formatLatency } from '../load/loadText.ts';
import type { OperationTiming } from '../result.ts';
import { html, type Html } from './html.ts';

const width = 1000;
const left = 190;
const rowHeight = 28;
const foot = 24;

/** Response times by operation on a logarithmic scale: a bar from the median to 95 %, a line to 99 %, a dot for the longest. */
export function renderLatencyPlot(timings: readonly OperationTiming[]): Html {
  const all = timings.flatMap(({ p50Ms, maxMs }) => [p50Ms, maxMs]).filter((ms) => ms > 0);
  const low = Math.floor(Math.log10(Math.min(1, ...all)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, ...all))));
  const x = (ms: number) =>
    left + ((Math.log10(Math.max(ms, 10 ** low)) - low) / (high - low)) * (width - left - 40);
  const height = timings.length * rowHeight + foot;
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return html`<figure class="card">
    <figcaption>
      Response times by operation <span class="legend calm">median to 95 %, line to 99 %</span>
      <span class="legend fail">longest</span>
    </figcaption>
    <svg
      class="plot"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="Response times by operation, as in the table below"
    >
      ${ticks.map(
        (ms) =>
          html`<path class="grid" d="M${x(ms).toFixed(1)} 0V${height - foot}" />
            <text x="${x(ms).toFixed(1)}" y="${height - 6}" text-anchor="middle">${formatLatency(ms)}</text>`,
      )}
      ${timings.map((timing, row) => renderRow(timing, row * rowHeight + rowHeight / 2, x))}
    </svg>
  </figure>`;
}

function renderRow(
  { operation, count, p50Ms, p95Ms, p99Ms, maxMs }: OperationTiming,
  y: number,
  x: (ms: number) => number,
): Html {
  const label = `${operation}, ${count} responses: median ${formatLatency(p50Ms)}, 95 % ${formatLatency(p95Ms)}, 99 % ${formatLatency(p99Ms)}, longest ${formatLatency(maxMs)}`;
  return html`<text x="${left - 10}" y="${y + 4}" text-anchor="end">${operation}</text>
    <path class="spread" d="M${x(p50Ms).toFixed(1)} ${y}H${x(p99Ms).toFixed(1)}" />
    <rect
      class="middle"
      x="${x(p50Ms).toFixed(1)}"
      y="${y - 6}"
      width="${Math.max(2, x(p95Ms) - x(p50Ms)).toFixed(1)}"
      height="12"
    />
    <circle class="most" cx="${x(maxMs).toFixed(1)}" cy="${y}" r="4" />
    <rect class="hover" x="0" y="${y - rowHeight / 2}" width="${width}" height="${rowHeight}"
      ><title>${label}</title></rect
    >`;
}
