import { changeOf, type History, type PastRun } from '../history/history.ts';
import type { RunResult } from '../result.ts';
import { plural } from '../text/format.ts';
import { html, type Html } from './html.ts';

const width = 1000;
const height = 90;
const left = 46;
const foot = 20;
const mostIds = 12;

/** The runs against this target: how many requirements failed in each, and what changed since the one before. */
export function renderHistory(history: History, result: RunResult): Html | null {
  const { runs } = history;
  if (runs.length < 2) return null;
  const change = changeOf(history, result);
  return html`<section id="history" tabindex="-1">
    <h2>History</h2>
    ${
      change === null
        ? null
        : html`<p>
            Since the run of ${day(change.before)}: ${plural(change.fresh.length, 'requirement')} newly
            failing${ids(change.fresh)}, ${change.fixed.length} no longer failing${ids(change.fixed)}.
          </p>`
    }
    ${renderPlot(runs)}
    <div class="scroll" tabindex="0" role="region" aria-label="Runs">
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Verdict</th>
            <th scope="col" class="number">Failed</th>
            <th scope="col" class="number">Warned</th>
            <th scope="col">Musts judged</th>
          </tr>
        </thead>
        <tbody>
          ${runs.toReversed().map((run, index) => renderRun(run, index === 0))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function renderRun(run: PastRun, isOwn: boolean): Html {
  const isBeside = /^\d{4}-\d\d-\d\d-\d{6}-[\w-]+$/.test(run.folder);
  const name =
    isOwn || !isBeside ? html`${day(run)}` : html`<a href="../${run.folder}/report.html">${day(run)}</a>`;
  return html`<tr>
    <th scope="row">${name}${isOwn ? ' (this one)' : ''}</th>
    <td data-label="Verdict">
      <span class="badge ${run.verdict}">${run.verdict}</span
      >${run.selected ? ' (selected requirements)' : ''}
    </td>
    <td class="number" data-label="Failed">${run.failing.length}</td>
    <td class="number" data-label="Warned">${run.warned}</td>
    <td data-label="Musts judged">${run.judged} of ${run.total}</td>
  </tr>`;
}

/** A bar for each run, the newest at the right. */
function renderPlot(runs: readonly PastRun[]): Html {
  const top = Math.max(1, ...runs.map(({ failing, warned }) => failing.length + warned));
  const room = (width - left) / runs.length;
  const bar = Math.min(40, room * 0.7);
  const y = (amount: number) => height - (amount / top) * (height - 8);
  const label = `Failed and warned requirements of ${plural(runs.length, 'run')}`;
  return html`<figure class="card">
    <figcaption>
      ${label} <span class="legend fail">failed</span> <span class="legend warn">warned</span>
    </figcaption>
    <svg class="plot past" viewBox="0 0 ${width} ${height + foot}" role="img" aria-label="${label}">
      ${[0, top].map(
        (amount) =>
          html`<text x="${left - 6}" y="${y(amount) + 4}" text-anchor="end">${amount}</text>
            <path class="grid" d="M${left} ${y(amount)}H${width}" />`,
      )}
      ${runs.map((run, index) => {
        const x = left + index * room + (room - bar) / 2;
        const [failed, warned] = [run.failing.length, run.warned];
        return html`<rect
            class="fail"
            x="${x.toFixed(1)}"
            y="${y(failed).toFixed(1)}"
            width="${bar.toFixed(1)}"
            height="${(height - y(failed)).toFixed(1)}"
          />
          <rect
            class="warn"
            x="${x.toFixed(1)}"
            y="${y(failed + warned).toFixed(1)}"
            width="${bar.toFixed(1)}"
            height="${(y(failed) - y(failed + warned)).toFixed(1)}"
          />
          <rect
            class="hover"
            x="${(left + index * room).toFixed(1)}"
            y="0"
            width="${room.toFixed(1)}"
            height="${height}"
            ><title>${day(run)}: ${run.verdict}, ${failed} failed, ${warned} warned</title></rect
          >`;
      })}
      <text x="${left}" y="${height + foot - 4}">${runs[0] ? day(runs[0]) : ''}</text>
      <text x="${width}" y="${height + foot - 4}" text-anchor="end">
        ${runs.at(-1)?.startedAt.slice(0, 16).replace('T', ' ') ?? ''}
      </text>
    </svg>
  </figure>`;
}

function day({ startedAt }: PastRun): string {
  return startedAt.slice(0, 16).replace('T', ' ');
}

function ids(all: readonly string[]): Html | null {
  if (all.length === 0) return null;
  const rest = all.length - mostIds;
  return html` (${all.slice(0, mostIds).map((id) => html`<a href="#${id}">${id}</a>`)}${rest > 0 ? `, ${rest} more` : ''})`;
}
