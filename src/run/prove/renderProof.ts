import { isProved, type DefectRow, type DialectRow, type KillMatrix } from './matrix.ts';
import { html } from '../../report/html/html.ts';
import { pageOf } from '../../report/html/page.ts';
import { style } from '../../report/html/style.ts';
import { escapeMarkdown } from '../../report/text/markdown.ts';
import { plainPalette, type Palette } from '../../core/palette.ts';
import { summarizeProof } from './summary.ts';

/** The proof as data. */
export function renderProofJson(matrix: KillMatrix): string {
  return `${JSON.stringify({ schemaVersion: 1, proved: isProved(matrix), summary: summarizeProof(matrix), ...matrix }, null, 2)}\n`;
}

/** The proof for a terminal: totals, and a line for whatever does not hold. */
export function renderProofConsole(matrix: KillMatrix, palette: Palette = plainPalette): string {
  const lines = summaryLines(matrix);
  const mark = isProved(matrix) ? palette.green('✓ PROVED') : palette.red('✗ NOT PROVED');
  const wrong = [
    ...matrix.dialects.filter(({ clean }) => !clean).flatMap(dialectLines),
    ...matrix.defects.filter(({ status }) => status !== 'killed').map(defectLine),
  ];
  return [mark, ...lines.map((line) => `  ${line}`), ...(wrong.length === 0 ? [] : ['', ...wrong]), ''].join(
    '\n',
  );
}

/** The kill matrix as Markdown. */
export function renderProofMarkdown(matrix: KillMatrix): string {
  return [
    `# Proof: ${isProved(matrix) ? 'holds' : 'does not hold'}`,
    '',
    ...summaryLines(matrix).map((line) => `- ${line}`),
    '',
    '## Defects',
    '',
    '| defect | breaks | status | killed by | not found | beyond |',
    '| --- | --- | --- | --- | --- | --- |',
    ...matrix.defects.map(markdownRow),
    '',
    '## Dialects that are not clean',
    '',
    ...bulletsOf(matrix.dialects.filter(({ clean }) => !clean)),
    '',
  ].join('\n');
}

/** The kill matrix as one self-contained page. */
export function renderProofHtml(matrix: KillMatrix): string {
  const rows = matrix.defects.map(
    (row) =>
      html`<tr>
        <td><code>${row.id}</code></td>
        <td>${row.breaks}${row.conditional ? ' (conditional)' : ''}</td>
        <td>${row.status}</td>
        <td>${row.kills.join(', ')}</td>
        <td>${missedRows(row)}</td>
        <td>${row.beyond.join(', ')}</td>
      </tr>`,
  );
  const unclean = matrix.dialects.filter(({ clean }) => !clean);
  const headings = ['defect', 'breaks', 'status', 'killed by', 'not found', 'beyond'];
  const body = html`<main>
    <h1>The proof ${isProved(matrix) ? 'holds' : 'does not hold'}</h1>
    <ul>
      ${summaryLines(matrix).map((line) => html`<li>${line}</li>`)}
    </ul>
    <h2>Dialects that are not clean</h2>
    <ul>
      ${unclean.map(({ id, wrong }) => html`<li><code>${id}</code> ${wrong.join('; ')}</li>`)}
    </ul>
    <h2>Defects</h2>
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th>${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </main>`;
  return pageOf({ title: 'Gatecheck: proof', style, body });
}

function summaryLines(matrix: KillMatrix): readonly string[] {
  const {
    dialects,
    clean,
    defects,
    killed,
    unchecked,
    conditional,
    watched,
    wellLed,
    oneCause,
    within,
    areas,
  } = summarizeProof(matrix);
  return [
    `${clean} of ${dialects} conforming dialects clean`,
    `${killed} of ${defects} defects killed by their rows and nothing beyond (${conditional} of them conditional)`,
    ...(unchecked === 0 ? [] : [`${unchecked} more defects break rules that no check that ran verifies`]),
    ...areas.map((area) => `${area.api}: ${area.killed} of ${area.defects}`),
    `first finding ${within.map((one) => `within ${one.requests} requests: ${one.defects} of ${defects}`).join(', ')}`,
    `seen by the oracles alone: ${watched} of ${defects}`,
    `first cause starts with a row of the defect: ${wellLed} of ${defects}; one cause alone: ${oneCause}`,
    `${matrix.requests} requests, ${Math.round(matrix.cpuMs / 100) / 10} s of CPU`,
  ];
}

function dialectLines({ id, wrong, dialect }: DialectRow): readonly string[] {
  const chosen = Object.entries(dialect).map(([name, variant]) => `${name}=${variant}`);
  return [`dialect ${id}: ${wrong.join('; ')}`, `  ${chosen.join(' ')}`];
}

function defectLine(row: DefectRow): string {
  const { id, status, breaks, kills, missed, beyond } = row;
  const details = [
    ...(status === 'unchecked' ? [`no check that ran verifies ${kills.join(' ')}`] : []),
    ...(missed.length === 0 ? [] : [`not found: ${missedRows(row)}`]),
    ...(beyond.length === 0 ? [] : [`beyond: ${beyond.join(', ')}`]),
  ];
  return `${status} ${id}: ${breaks} ${details.join('; ')}`;
}

function missedRows({ missed, warned }: DefectRow): string {
  return missed.map((id) => (warned.includes(id) ? `${id} (merely warned)` : id)).join(', ');
}

function markdownRow(row: DefectRow): string {
  const cells = [
    row.id,
    row.breaks,
    row.status,
    row.kills.join(', '),
    missedRows(row),
    row.beyond.join(', '),
  ];
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
}

function bulletsOf(rows: readonly DialectRow[]): readonly string[] {
  if (rows.length === 0) return ['None.'];
  return rows.map(({ id, wrong }) => `- ${escapeMarkdown(id)}: ${escapeMarkdown(wrong.join('; '))}`);
}
