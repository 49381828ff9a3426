import { html, type Html } from '../html/html.ts';
import { pageOf } from '../html/page.ts';
import { style } from '../html/style.ts';
import { stateOf, stateText } from '../states.ts';
import { escapeMarkdown } from '../text/markdown.ts';
import { oneLine, shorten } from '../text/printable.ts';
import type { FactRow, ResultMatrix, RequirementRow } from './matrix.ts';

/** The matrix in one file that loads nothing and runs no scripts. */
export function renderMatrixHtml(matrix: ResultMatrix, version: string): string {
  const differing = matrix.requirements.filter(({ differs }) => differs);
  const points = matrix.points.filter(({ differs }) => differs);
  const part = (title: string, table: Html) =>
    html`<h2>${title}</h2>
      ${scrolled(title, table)}`;
  const heading = `${matrix.columns.length} targets side by side`;
  const body = html`<header class="top"><h1>${heading}</h1></header>
    <main>
      ${part('Summary', rowTable(matrix.columns, matrix.facts))}
      ${part(`Requirements that differ (${differing.length})`, requirementTable(matrix.columns, differing))}
      ${part(`Open points answered in different ways (${points.length})`, rowTable(matrix.columns, points))}
      ${matrix.limiters.length === 0 ? null : part('Limiters', rowTable(matrix.columns, matrix.limiters))}
      ${matrix.latencies.length === 0 ? null : part('Latency, p50 / p95', rowTable(matrix.columns, matrix.latencies))}
      <details>
        <summary>All ${matrix.requirements.length} requirements</summary>
        ${scrolled('All requirements', requirementTable(matrix.columns, matrix.requirements))}
      </details>
    </main>
    <footer>Gatecheck ${version}</footer>`;
  return pageOf({ title: `Gatecheck: ${heading}`, style, body });
}

/** What is wider than the page scrolls, by keys as well. */
function scrolled(name: string, table: Html): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}">${table}</div>`;
}

/** The same for a pull request: the summary, and what differs. */
export function renderMatrixMarkdown({
  columns,
  facts,
  requirements,
  points,
  limiters,
}: ResultMatrix): string {
  const parts: (readonly [heading: string, rows: readonly (readonly string[])[]])[] = [
    ['Summary', facts.map(cellsOf)],
    ['Requirements that differ', requirements.filter(({ differs }) => differs).map(verdictsOf)],
    ['Open points answered in different ways', points.filter(({ differs }) => differs).map(cellsOf)],
    ['Limiters', limiters.map(cellsOf)],
  ];
  const shown = parts
    .filter(([, rows]) => rows.length > 0)
    .map(([heading, rows]) => `### ${heading}\n\n${table(columns, rows)}`);
  return `${['## Gatecheck: targets side by side', ...shown].join('\n\n')}\n`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escapeMarkdown(shorten(cell, 200))).join(' | ')} |`;
  return [line(['', ...columns]), `|${' --- |'.repeat(columns.length + 1)}`, ...rows.map(line)].join('\n');
}

function cellsOf({ name, cells }: FactRow): readonly string[] {
  return [name, ...cells.map((cell) => cell ?? '–')];
}

function verdictsOf({ id, cells }: RequirementRow): readonly string[] {
  return [id, ...cells.map((cell) => (cell === null ? '–' : stateText(stateOf(cell))))];
}

function rowTable(columns: readonly string[], rows: readonly FactRow[]): Html {
  return html`<table class="side">
    ${headOf(columns)}
    <tbody>
      ${rows.map(
        ({ name, title, cells }) =>
          html`<tr>
            <th scope="row">
              ${name}${title === '' ? null : html`<br /><span class="soft">${shown(title)}</span>`}
            </th>
            ${cells.map((cell, column) => html`<td data-label="${columns[column] ?? ''}">${cell === null ? '–' : shown(cell)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function requirementTable(columns: readonly string[], rows: readonly RequirementRow[]): Html {
  return html`<table class="side">
    ${headOf(columns)}
    <tbody>
      ${rows.map(
        ({ id, title, level, cells, links }) =>
          html`<tr>
            <th scope="row">
              ${id} <span class="soft">${level}</span><br /><span class="soft">${shown(title)}</span>
            </th>
            ${cells.map((cell, column) => verdictCell(cell, columns[column] ?? '', links[column] ?? null))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** The verdict, with a link to the finding in the report of its column. */
function verdictCell(cell: RequirementRow['cells'][number], column: string, link: string | null): Html {
  if (cell === null) return html`<td data-label="${column}">–</td>`;
  const badge = html`<span class="badge ${cell.verdict}">${cell.verdict}</span>`;
  return html`<td data-label="${column}" title="${shown(cell.reason ?? '')}">
    ${link === null ? badge : html`<a href="${link}">${badge}</a>`}
  </td>`;
}

function headOf(columns: readonly string[]): Html {
  return html`<thead>
    <tr>
      <td></td>
      ${columns.map((column) => html`<th scope="col">${shown(column)}</th>`)}
    </tr>
  </thead>`;
}

function shown(text: string): string {
  return shorten(oneLine(text), 300);
}
