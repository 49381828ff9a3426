import { html, type Html } from '../../../report/html/html.ts';
import { pageOf } from '../../../report/html/page.ts';
import { style } from '../../../report/html/style.ts';
import { variations as known } from '../../../wire/variations.ts';
import { wireSummary } from './renderWire.ts';
import type { VariationResult } from './variationJob.ts';
import { isWireProved, type WireProof } from './wireProof.ts';

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
