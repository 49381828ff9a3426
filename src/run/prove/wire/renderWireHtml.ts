import { html, type Html } from '../../../report/html/html.ts';
import { pageOf } from '../../../report/html/page.ts';
import { style } from '../../../report/html/style.ts';
import { survivorsOf, type MutantOutcome } from './outcomes.ts';
import { missedIn, wireSummary } from './renderWire.ts';
import { mapOf, type MapPlace, type Tone } from './wireMap.ts';
import { alarmed, isWireProved, type WireProof } from './wireProof.ts';

/** The proof of the wire as one self-contained page, with the map of the wire. */
export function renderWireHtml(proof: WireProof): string {
  const body = html`<main>
    <h1>${headingOf(proof)}</h1>
    <ul>
      ${wireSummary(proof).map((line) => html`<li>${line.trim()}</li>`)}
    </ul>
    ${alarmSection(proof)} ${mapSection(proof)} ${survivorSection(proof)}
  </main>`;
  return pageOf({ title: 'Gatecheck: proof of the wire', style: `${style}${mapStyle}`, body });
}

function headingOf(proof: WireProof): string {
  const holds = isWireProved(proof);
  if (proof.onTarget) return holds ? 'What this set-up notices' : 'A variation raises an alarm';
  return `The proof of the wire ${holds ? 'holds' : 'does not hold'}`;
}

const tones: Readonly<Record<Tone, string>> = {
  seen: 'every change is noticed',
  partly: 'some changes are noticed',
  grey: 'no change is noticed',
  free: 'nothing that has to be noticed',
};

const mapStyle = `
.wire { display: flex; flex-wrap: wrap; gap: .3rem; margin: .3rem 0 .8rem; }
.wire span { border-radius: 5px; padding: .05rem .4rem; font: .8em ui-monospace, Menlo, monospace; border: 1px solid var(--line); }
.wire .seen { border-color: var(--pass); color: var(--pass); }
.wire .partly { border-color: var(--warn); color: var(--warn); }
.wire .grey { background: var(--soft); color: var(--ground); }
.wire .free { color: var(--soft); border-style: dashed; }
`;

function alarmSection({ variations }: WireProof): Html | null {
  if (variations.length === 0) return null;
  return html`<h2>Variations with an alarm</h2>
    <ul>
      ${alarmed(variations).map(
        ({ job, alarms }) =>
          html`<li>
            <code>${job}</code>
            ${alarms.map(({ row, status, reason }) => `${row} ${status}: ${reason}`).join('; ')}
          </li>`,
      )}
    </ul>`;
}

function mapSection({ mutants }: WireProof): Html | null {
  if (mutants.length === 0) return null;
  const operations = Map.groupBy(mapOf(mutants), ({ about }) => about);
  return html`<h2>The map of the wire</h2>
    <p class="wire">
      ${Object.entries(tones).map(([tone, means]) => html`<span class="${tone}">${means}</span>`)}
    </p>
    ${[...operations].map(
      ([about, spots]) =>
        html`<h3>${about}</h3>
          ${[...Map.groupBy(spots, ({ family, at }) => `${family} ${at}`.trimEnd())].map(
            ([name, some]) =>
              html`<p class="soft">${name}</p>
                <div class="wire">${some.map(spotMark)}</div>`,
          )}`,
    )}`;
}

function spotMark({ path, tone, sums }: MapPlace): Html {
  const { noticed, undecided, accepted } = sums;
  const title = `${noticed} noticed, ${undecided} undecided, ${missedIn(sums)}, ${accepted} accepted`;
  return html`<span class="${tone}" title="${title}">${path === '' ? '(whole)' : path}</span>`;
}

function survivorSection({ mutants }: WireProof): Html | null {
  const survivors = survivorsOf(mutants);
  if (survivors.length === 0) return null;
  return html`<h2>What no check noticed</h2>
    <p>To try one again: <code>gatecheck prove --wire --mutant 'ID'</code></p>
    <table>
      <thead>
        <tr>
          <th>mutant</th>
          <th>outcome</th>
          <th>merely warned or undecided</th>
        </tr>
      </thead>
      <tbody>
        ${survivors.map(survivorRow)}
      </tbody>
    </table>`;
}

function survivorRow({ mutant, outcome, rows, reason }: MutantOutcome): Html {
  return html`<tr>
    <td><code>${mutant.id}</code></td>
    <td>${outcome}</td>
    <td>${rows.join(', ')} ${reason.slice(0, 200)}</td>
  </tr>`;
}
