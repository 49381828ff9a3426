import { variantTitle } from '../digest.ts';
import type { RunResult } from '../result.ts';
import { formatDuration } from '../text/format.ts';
import { html, type Html, type Insert } from './html.ts';

/** Which variant the target shows where the documents leave it open. */
export function renderOpenPoints({ openPoints }: RunResult): Html {
  const rows = openPoints.map(({ id, title, observed, pinned, variants = [] }) => [
    id,
    title,
    variantTitle(observed, variants) ?? html`<span class="soft">not seen</span>`,
    variantTitle(pinned, variants) ?? '',
  ]);
  const section = { anchor: 'open-points', title: 'Open points', caption: 'The dialect of this target.' };
  return renderTableSection(section, ['Point', 'Question', 'Observed', 'Pinned'], rows);
}

/** Response times by operation. */
export function renderTimings({ timings = [] }: RunResult): Html {
  const rows = timings.map(({ operation, count, p50Ms, p95Ms, p99Ms, maxMs }) => [
    operation,
    count,
    ...[p50Ms, p95Ms, p99Ms, maxMs].map(formatDuration),
  ]);
  const head = ['Operation', 'Responses', 'Median', '95 %', '99 %', 'Longest'];
  return renderTableSection({ anchor: 'timings', title: 'Response times', numbersFrom: 1 }, head, rows);
}

/** The section that contains a table. */
interface TableSection {
  readonly anchor: string;
  readonly title: string;
  readonly caption?: string;
  /** Columns from this one on are numbers. */
  readonly numbersFrom?: number;
}

/** A table in its own section. */
export function renderTableSection(
  { anchor, title, caption = '', numbersFrom = Number.POSITIVE_INFINITY }: TableSection,
  head: readonly string[],
  rows: readonly (readonly Insert[])[],
): Html {
  const tone = (index: number) => (index >= numbersFrom ? html` class="number"` : null);
  const cell = (insert: Insert, index: number) =>
    index === 0
      ? html`<th scope="row">${insert}</th>`
      : html`<td data-label="${head[index] ?? ''}" ${tone(index)}>${insert}</td>`;
  return html`<section id="${anchor}">
    <h2>${title}</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}">
      <table>
        ${
          caption === ''
            ? null
            : html`<caption>
                ${caption}
              </caption>`
        }
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
    </div>
  </section>`;
}
