import { sourceText } from '../digest.ts';
import { statuses } from '../../judge/kernel/verdict.ts';
import { resultLevels, type RequirementResult } from '../result.ts';
import { shorten } from '../text/printable.ts';
import { statusTexts } from '../statuses.ts';
import { html, type Html } from './html.ts';

const apiOfPrefix: Readonly<Record<string, string>> = { WCI: 'webcheckin', FLA: 'flight-alerts' };

/** Every requirement with its verdict, and a filter that the page's script brings to life. */
export function renderRequirementTable(rows: readonly RequirementResult[]): Html {
  return html`<section id="requirements">
    <h2>Requirements</h2>
    <form hidden>
      ${renderSelect('status', 'Verdict', statuses)} ${renderSelect('level', 'Level', resultLevels)}
      ${renderSelect('api', 'API', ['webcheckin', 'flight-alerts', 'shared'])}
      <label>Words <input type="search" name="words" placeholder="id, title, section, reason" /></label>
      <output aria-live="polite"></output>
    </form>
    <div class="scroll" tabindex="0" role="region" aria-label="Requirements">
      <table>
        <thead>
          <tr>
            <th scope="col">Requirement</th>
            <th scope="col">Verdict</th>
            <th scope="col">Level</th>
            <th scope="col">Rule and reason</th>
            <th scope="col" class="checks">Checks</th>
            <th scope="col" class="number">Samples</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(renderRow)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function renderSelect(name: string, label: string, values: readonly string[]): Html {
  return html`<label
    >${label}
    <select name="${name}">
      <option value="">all</option>
      ${values.map((value) => html`<option>${value}</option>`)}
    </select>
  </label>`;
}

function renderRow(row: RequirementResult): Html {
  const reason = row.excused ?? row.reason;
  const known = row.baselined ? html` <span class="soft">known</span>` : null;
  return html`<tr
    id="${row.id}"
    data-status="${row.verdict}"
    data-level="${row.level}"
    data-api="${apiOf(row)}"
  >
    <th scope="row">${row.id}</th>
    <td><span class="badge ${row.verdict}">${statusTexts[row.verdict].mark} ${row.verdict}</span>${known}</td>
    <td>
      ${row.level}${row.pinned === undefined ? null : html`<br /><span class="soft">pinned: ${row.pinned}</span>`}
    </td>
    <td class="rule">
      ${row.title}<br /><span class="soft">${sourceText(row.source)}</span
      >${reason === null ? null : html`<br />${shorten(reason, 600)}`}
    </td>
    <td class="checks">${row.checks.map((check) => html`<code>${check}</code><br />`)}</td>
    <td class="number">${row.samples}</td>
  </tr>`;
}

function apiOf(row: RequirementResult): string {
  return row.api ?? apiOfPrefix[row.id.slice(0, 3)] ?? 'shared';
}
