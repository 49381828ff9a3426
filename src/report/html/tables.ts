import { variantTitle } from '../digest.ts';
import type { RunResult } from '../result.ts';
import { formatDuration, plural } from '../text/format.ts';
import { html, type Html, type Insert } from './html.ts';

/** Which variant the target shows where the documents leave it open. */
export function renderOpenPoints({ openPoints }: RunResult): Html {
  const rows = openPoints.map(({ id, title, observed, pinned, variants = [] }) => [
    id,
    title,
    variantTitle(observed, variants) ?? html`<span class="soft">not seen</span>`,
    variantTitle(pinned, variants) ?? '',
  ]);
  const title = `Open points (${rows.length})`;
  const seen = openPoints.filter(({ observed }) => observed !== null).length;
  return renderFolded(
    { anchor: 'open-points', title, note: `${seen} seen: the dialect of this target` },
    renderTable({ title }, ['Point', 'Question', 'Observed', 'Pinned'], rows),
  );
}

/** Response times by operation, below their plot. */
export function renderTimings({ timings = [] }: RunResult, plot: Html): Html {
  const rows = timings.map(({ operation, count, p50Ms, p95Ms, p99Ms, maxMs }) => [
    operation,
    count,
    ...[p50Ms, p95Ms, p99Ms, maxMs].map(formatDuration),
  ]);
  const head = ['Operation', 'Responses', 'Median', '95 %', '99 %', 'Longest'];
  const title = 'Response times';
  return renderFolded(
    { anchor: 'timings', title, note: plural(timings.length, 'operation') },
    html`${plot}${renderTable({ title, numbersFrom: 1 }, head, rows)}`,
  );
}

interface Table {
  readonly title: string;
  /** Columns from this one on are numbers. */
  readonly numbersFrom?: number;
}

/** A table in its own section. */
export function renderTableSection(
  { anchor, ...table }: Table & { readonly anchor: string },
  head: readonly string[],
  rows: readonly (readonly Insert[])[],
): Html {
  return html`<section id="${anchor}">
    <h2>${table.title}</h2>
    ${renderTable(table, head, rows)}
  </section>`;
}

function renderTable(
  { title, numbersFrom = Number.POSITIVE_INFINITY }: Table,
  head: readonly string[],
  rows: readonly (readonly Insert[])[],
): Html {
  const tone = (index: number) => (index >= numbersFrom ? html` class="number"` : null);
  const cell = (insert: Insert, index: number) =>
    index === 0
      ? html`<th scope="row">${insert}</th>`
      : html`<td data-label="${head[index] ?? ''}" ${tone(index)}>${insert}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
    <table>
      <thead>
        <tr>
          ${head.map((name, index) => html`<th scope="col" ${tone(index)}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map(cell)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

interface Fold {
  readonly anchor: string;
  readonly title: string;
  /** What is in it, in a few words. */
  readonly note: string;
  readonly isHidden?: boolean;
}

/** What one looks up rather than reads: a section that shows its title and what it holds, and the rest once it is opened or linked to. */
export function renderFolded({ anchor, title, note, isHidden = false }: Fold, content: Html): Html {
  return html`<section id="${anchor}" tabindex="-1" ${isHidden ? html`hidden` : null}>
    <details class="fold">
      <summary>
        <h2>${title}</h2>
        <span class="soft">${note}</span>
      </summary>
      ${content}
    </details>
  </section>`;
}
