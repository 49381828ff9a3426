import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Io } from '../../../core/io.ts';
import { writeText } from '../../../report/writeWhole.ts';
import { renderWireConsole, renderWireJson, wireSummary } from './renderWire.ts';
import { isWireProved, type WireProof } from './wireProof.ts';
import { html, type Html } from '../../../report/html/html.ts';
import { pageOf } from '../../../report/html/page.ts';
import { style } from '../../../report/html/style.ts';
import { variations as known } from '../../../wire/variations.ts';
import type { VariationResult } from './variationJob.ts';

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
