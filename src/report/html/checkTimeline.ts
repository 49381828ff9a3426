import type { PageEvidence } from '../page/pageData.ts';
import { formatDuration, plural } from '../text/format.ts';
import { html, type Html } from './html.ts';

const width = 1000;
const left = 4;
const rowHeight = 7;
const top = 18;
/** Longer tables are not readable any more. */
const most = 600;

interface Span {
  readonly check: string;
  fromMs: number;
  toMs: number;
  requests: number;
}

/** When each check sent requests: what ran at the same time, and what the run waited for. */
export function renderCheckTimeline({ index, checks }: PageEvidence): Html | null {
  const spans = spansOf(index, checks).slice(0, most);
  if (spans.length < 2) return null;
  const end = Math.max(1, ...spans.map(({ toMs }) => toMs));
  const x = (ms: number) => left + (ms / end) * (width - 2 * left);
  const height = top + spans.length * rowHeight + 4;
  const title = `${plural(spans.length, 'check')} over ${formatDuration(end)}`;
  return html`<details>
    <summary>Checks over time: ${title}</summary>
    <div class="pan" tabindex="0" role="region" aria-label="Checks over time">
      <svg class="plot checks-over-time" viewBox="0 0 ${width} ${height}" role="group" aria-label="${title}">
        ${[0, 0.25, 0.5, 0.75, 1].map(
          (share) =>
            html`<path class="grid" d="M${x(share * end).toFixed(1)} ${top}V${height}" />
              <text
                x="${x(share * end).toFixed(1)}"
                y="12"
                text-anchor="${share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}"
                >${formatDuration(share * end)}</text
              >`,
        )}
        ${spans.map(
          ({ check, fromMs, toMs, requests }, row) =>
            html`<a href="#evidence?check=${encodeURIComponent(check.toWellFormed())}" aria-label="${check}"
              ><rect
                class="middle"
                x="${x(fromMs).toFixed(1)}"
                y="${top + row * rowHeight}"
                width="${Math.max(2, x(toMs) - x(fromMs)).toFixed(1)}"
                height="${rowHeight - 2}"
                ><title>
                  ${check}: ${plural(requests, 'request')} from ${formatDuration(fromMs)} to
                  ${formatDuration(toMs)}
                </title></rect
              ></a
            >`,
        )}
      </svg>
    </div>
  </details>`;
}

/** Spans of checks, sorted by their start. */
function spansOf(index: PageEvidence['index'], checks: PageEvidence['checks']): readonly Span[] {
  const spans = new Map<number, Span>();
  for (const [, atMs, , , , durationMs, check] of index) {
    const name = checks[check];
    if (name === undefined) continue;
    const span = spans.get(check);
    if (span === undefined)
      spans.set(check, { check: name, fromMs: atMs, toMs: atMs + durationMs, requests: 1 });
    else {
      span.fromMs = Math.min(span.fromMs, atMs);
      span.toMs = Math.max(span.toMs, atMs + durationMs);
      span.requests += 1;
    }
  }
  return [...spans.values()].sort((one, other) => one.fromMs - other.fromMs);
}
