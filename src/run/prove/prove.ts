import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { exitCodes, type ExitCode } from '../../core/errors.ts';
import { abortOnInterrupt } from '../../core/interrupt.ts';
import type { Io } from '../../core/io.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { readSuites } from '../../engine/session/suites.ts';
import { writeText } from '../../report/writeWhole.ts';
import { renderCurve, toCurve, type Curve } from './informativeOrder.ts';
import type { JobResult } from './job.ts';
import { documentedJob, jobsOf } from './jobs.ts';
import { isProved, toMatrix, type DefectRow, type DialectRow, type KillMatrix } from './matrix.ts';
import type { ProofSettings } from './proofSettings.ts';
import { runJobs } from './runJobs.ts';
import { html } from '../../report/html/html.ts';
import { pageOf } from '../../report/html/page.ts';
import { style } from '../../report/html/style.ts';
import { escapeMarkdown } from '../../report/text/markdown.ts';
import { plainPalette, type Palette } from '../../core/palette.ts';

/** Judges everything requested, prints the totals and writes the matrix into a folder. */
export async function prove(settings: ProofSettings, dir: string, io: Io): Promise<ExitCode> {
  await mkdir(dir, { recursive: true });
  const jobs = jobsOf(settings);
  const { signal, release } = abortOnInterrupt(io);
  const results = await runJobs<JobResult>(jobs, {
    signal,
    ...(settings.threads === null ? {} : { threads: settings.threads }),
    onResult: (_result, done) => {
      if (done % 25 === 0 || done === jobs.length)
        io.stderr.write(`prove: ${done} of ${jobs.length} deployments judged\n`);
    },
  });
  release();
  if (settings.curve && results.length === jobs.length)
    return tellCurve(toCurve(jobs, results, settings.defects), dir, io);
  const matrix = toMatrix({
    ...{ jobs, results, defects: settings.defects },
    ...verifiedRows(await readSuites(), results),
  });
  await writeText(join(dir, 'proof.json'), renderProofJson(matrix));
  await writeText(join(dir, 'proof.md'), renderProofMarkdown(matrix));
  await writeText(join(dir, 'proof.html'), renderProofHtml(matrix));
  if (results.length < jobs.length) {
    io.stderr.write(
      `interrupted: ${results.length} of ${jobs.length} deployments were judged, which proves nothing\n`,
    );
    return exitCodes.interrupted;
  }
  io.stdout.write(renderProofConsole(matrix, io.stdout.palette));
  io.stdout.write(`\n  ${relative(io.folder, join(dir, 'proof.html'))}\n`);
  return isProved(matrix) ? exitCodes.ok : exitCodes.gateNotMet;
}

async function tellCurve(curve: Curve, dir: string, io: Io): Promise<ExitCode> {
  await writeText(join(dir, 'curve.json'), `${JSON.stringify(curve, null, 2)}\n`);
  io.stdout.write(renderCurve(curve));
  io.stdout.write(`  ${relative(io.folder, join(dir, 'curve.json'))}\n`);
  return exitCodes.ok;
}

/** Rows that a check with requests verifies, and those and what an oracle judges if nothing is wrong. */
function verifiedRows(checks: readonly EngineCheck[], results: readonly JobResult[]) {
  const sent = new Set(checks.flatMap(({ kind, verifies }) => (kind === 'passive' ? [] : verifies)));
  const conforming = results.filter(({ job }) => job === documentedJob);
  const seen = (conforming.length > 0 ? conforming : results).flatMap(({ rows }) => rows.map(({ id }) => id));
  return { sent, verified: new Set([...sent, ...seen]) };
}

/** The proof as data. */
function renderProofJson(matrix: KillMatrix): string {
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
function renderProofMarkdown(matrix: KillMatrix): string {
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
function renderProofHtml(matrix: KillMatrix): string {
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

function missedRows({ missed, reasons }: DefectRow): string {
  return missed.map((id) => `${id} (${reasons[id] ?? ''})`).join(', ');
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

/** The totals of a proof. */
interface ProofSummary {
  readonly dialects: number;
  readonly clean: number;
  readonly defects: number;
  readonly killed: number;
  /** Defects of rules that no check verifies; they are counted separately. */
  readonly unchecked: number;
  readonly conditional: number;
  /** Defects of which the oracles saw something, without the assertions of the checks. */
  readonly watched: number;
  /** Defects of which the first cause starts with a row of `kills`. */
  readonly wellLed: number;
  /** Defects that come to one cause. */
  readonly oneCause: number;
  /** Number of defects of which something was found within this many requests. */
  readonly within: readonly { readonly requests: number; readonly defects: number }[];
  readonly areas: readonly { readonly api: string; readonly defects: number; readonly killed: number }[];
}

function summarizeProof({ dialects, defects: all }: KillMatrix): ProofSummary {
  const defects = all.filter(({ status }) => status !== 'unchecked');
  return {
    dialects: dialects.length,
    clean: dialects.filter(({ clean }) => clean).length,
    defects: defects.length,
    killed: defects.filter(isKilled).length,
    unchecked: all.length - defects.length,
    conditional: defects.filter(({ conditional }) => conditional).length,
    watched: defects.filter(({ watched }) => watched.length > 0).length,
    wellLed: defects.filter(({ kills, leads: [first] }) => first !== undefined && kills.includes(first))
      .length,
    oneCause: defects.filter(({ leads }) => leads.length === 1).length,
    within: [60, 300].map((requests) => ({
      requests,
      defects: defects.filter((row) => isFoundWithin(row, requests)).length,
    })),
    areas: [...Map.groupBy(defects, ({ api }) => api)].map(([api, rows]) => ({
      api,
      defects: rows.length,
      killed: rows.filter(isKilled).length,
    })),
  };
}

function isKilled({ status }: DefectRow): boolean {
  return status === 'killed';
}

function isFoundWithin({ requestsToFirstFinding }: DefectRow, requests: number): boolean {
  return requestsToFirstFinding !== null && requestsToFirstFinding <= requests;
}
