import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Io } from '../../../core/io.ts';
import { writeText } from '../../../report/writeWhole.ts';
import { html, type Html } from '../../../report/html/html.ts';
import { pageOf } from '../../../report/html/page.ts';
import { style } from '../../../report/html/style.ts';
import { variations as known, variations } from '../../../wire/variations.ts';
import type { VariationResult, VariationJob } from './variationJob.ts';
import { plainPalette, type Palette } from '../../../core/palette.ts';
import { matches } from '../../../catalogue/pattern.ts';
import type { WireSettings } from './wireSettings.ts';

/** Writes the report into a folder, as data and as a page. */
export async function writeWire(proof: WireProof, dir: string, { redactor }: Io): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeText(join(dir, 'wire.json'), redactor.redact(renderWireJson(proof)));
  await writeText(join(dir, 'wire.html'), redactor.redact(renderWireHtml(proof)));
}

/** Prints the totals, and where the report is. */
export function printWire(proof: WireProof, dir: string, { stdout, redactor, folder }: Io): void {
  stdout.write(redactor.redact(renderWireConsole(proof, stdout.palette)));
  stdout.write(`\n  ${relative(folder, join(dir, 'wire.html'))}\n`);
}

/** The proof of the wire as one self-contained page: each variation with its law and its alarms. */
export function renderWireHtml(proof: WireProof): string {
  const body = html`<main>
    <h1>${headingOf(proof)}</h1>
    <ul>
      ${wireSummary(proof).map((line) => html`<li>${line}</li>`)}
    </ul>
    <table>
      <thead>
        <tr>
          <th>variation</th>
          <th>why it must not matter</th>
          <th>requests</th>
          <th>alarms</th>
        </tr>
      </thead>
      <tbody>
        ${proof.variations.map(variationRow)}
      </tbody>
    </table>
  </main>`;
  return pageOf({ title: 'Gatecheck: proof of the wire', style, body });
}

function headingOf(proof: WireProof): string {
  if (proof.variations.length === 0) return 'No variation was tried';
  const holds = isWireProved(proof);
  if (proof.onTarget) return holds ? 'No variation raises an alarm' : 'A variation raises an alarm';
  return `The proof of the wire ${holds ? 'holds' : 'does not hold'}`;
}

function variationRow({ job, variation, requests, alarms }: VariationResult): Html {
  return html`<tr>
    <td><code>${job}</code></td>
    <td>${known.find(({ id }) => id === variation)?.law ?? null}</td>
    <td>${requests}</td>
    <td>
      ${
        alarms.length === 0
          ? 'none'
          : alarms.map(({ row, status, reason }) => html`<p>${row} ${status}: ${reason}</p>`)
      }
    </td>
  </tr>`;
}

/** Longest part of a reason that fits on a line of a terminal. */
const longestReason = 300;

/** The proof of the wire as data. */
export function renderWireJson(proof: WireProof): string {
  const { variations, onTarget } = proof;
  const clean = variations.length - alarmed(variations).length;
  const summary = { variations: variations.length, clean };
  return `${JSON.stringify({ schemaVersion: 2, proved: isWireProved(proof), summary, onTarget, variations }, null, 2)}\n`;
}

/** The proof of the wire for a terminal: totals and alarms. */
export function renderWireConsole(proof: WireProof, palette: Palette = plainPalette): string {
  const blocks = [
    [markOf(proof, palette), ...wireSummary(proof).map((line) => `  ${line}`)],
    alarmLines(proof),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The totals in sentences. */
function wireSummary({ variations, onTarget = [] }: WireProof): readonly string[] {
  const clean = variations.length - alarmed(variations).length;
  return [...onTarget, `${clean} of ${variations.length} variations without an alarm`];
}

function markOf(proof: WireProof, { green, red, yellow }: Palette): string {
  const isTarget = proof.onTarget !== undefined;
  if (isWireProved(proof)) return green(`✓ ${isTarget ? 'NO ALARM' : 'PROVED'}`);
  if (proof.variations.length === 0) return yellow('? NOTHING TRIED');
  return red(`✗ ${isTarget ? 'ALARM' : 'NOT PROVED'}`);
}

function alarmLines({ variations }: WireProof): readonly string[] {
  return alarmed(variations).flatMap(({ job, alarms }) => [
    `variation ${job}`,
    ...alarms.map(({ row, status, reason }) => `  ${row} ${status}: ${reason.slice(0, longestReason)}`),
  ]);
}

/** The result of a proof of the wire. */
export interface WireProof {
  readonly variations: readonly VariationResult[];
  /** For a proof in front of somebody's target: what was tried with what. Missing for the reference. */
  readonly onTarget?: readonly string[];
}

/** A job for each variation with each of its seeds. */
export function variationJobs({
  seed,
  variation: patterns,
  rounds,
  setUp,
}: WireSettings): readonly VariationJob[] {
  const chosen = variations.filter(({ id }) => isChosen(patterns, id));
  return Array.from({ length: rounds }, (_, round) => seed + round).flatMap((one) =>
    chosen.map(({ id }) => ({
      ...{ id: `${id}#${one}`, variation: id, seed: one },
      setUp: setUp ?? 'embedded',
    })),
  );
}

/** Whether the patterns ask for a variation; without patterns all are meant. */
export function isChosen(patterns: readonly string[], id: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matches(pattern, id));
}

/** Variations behind which something failed, or a must was no longer decided. */
export function alarmed(results: readonly VariationResult[]): readonly VariationResult[] {
  return results.filter(({ alarms }) => alarms.length > 0);
}

/** Whether the proof holds: variations were tried, and none raised an alarm. */
export function isWireProved({ variations: results }: WireProof): boolean {
  return results.length > 0 && alarmed(results).length === 0;
}
