import { html, type Html } from '../html/html.ts';
import { shorten } from '../text/printable.ts';
import { renderMoment } from './exchangeView.ts';
import { noMarks } from './findingStory.ts';
import type { Moment } from './moments.ts';
import { evidenceAddress, type EvidenceLine, type IndexRow, type PageEvidence } from './pageData.ts';

/** A row of the list of exchanges and callbacks. */
export function renderEvidenceRow(
  row: IndexRow,
  place: number,
  { checks, lines, perPage }: PageEvidence,
): Html {
  const [id, atMs, method, target, answer, durationMs, check, violated] = row;
  const whole =
    id in lines
      ? html`<button type="button" data-act="exchange" data-id="${id}" aria-expanded="false">Show</button>`
      : perPage > 0
        ? html`<a href="${evidenceAddress(place, id, perPage)}">whole</a>`
        : null;
  const broken = violated.split(',').filter(Boolean);
  return html`<tr id="evidence-${id}" tabindex="-1">
    <th scope="row">${id}</th>
    <td class="number" data-label="After">${(atMs / 1000).toFixed(3)} s</td>
    <td data-label="Request"><code>${method} ${shorten(target, 200)}</code></td>
    <td data-label="Answer">${answer}</td>
    <td class="number" data-label="Took">${durationMs} ms</td>
    <td data-label="Check">
      <code>${check < 0 ? '' : (checks[check] ?? '')}</code>${
        broken.length === 0
          ? null
          : html`<br />breaks ${broken.map((one) => html`<a href="#${one}">${one}</a> `)}`
      }
    </td>
    <td data-label="Whole">${whole}</td>
  </tr>`;
}

/** A complete exchange or callback. */
export function renderEvidenceLine(line: EvidenceLine): Html {
  const at = Date.parse(line.startedAt);
  const moment: Moment =
    line.type === 'exchange'
      ? { kind: 'exchange', at, id: line.id, line }
      : { kind: 'delivery', at, id: line.id, line };
  return renderMoment(moment, noMarks);
}
