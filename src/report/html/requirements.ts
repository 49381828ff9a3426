import { renderRule } from '../page/ruleView.ts';
import { resultLevels, type RequirementResult, type RunResult } from '../result.ts';
import { countsText, states } from '../states.ts';
import { renderFolded } from './tables.ts';
import { html, type Html } from './html.ts';

/** Every requirement with its verdict: a list that the page's script fills, and a table for use without one. */
export function renderRequirementTable({ requirements, findings }: RunResult): Html {
  const byRequirement = Map.groupBy(findings, ({ requirement }) => requirement);
  const links = {
    findingsOf: (id: string) => byRequirement.get(id) ?? [],
    hasEvidence: false,
  };
  return renderFolded(
    {
      anchor: 'requirements',
      title: `Requirements (${requirements.length})`,
      note: countsText(requirements),
    },
    html`<form id="rule-filter" data-live hidden>
        ${renderSelect('verdict', 'Verdict', states)} ${renderSelect('level', 'Level', resultLevels)}
        ${renderSelect('api', 'API', ['webcheckin', 'flight-alerts', 'shared'])}
        ${renderSelect('section', 'Section', sectionsOf(requirements))}
        <label>Words <input type="search" name="words" placeholder="id, title, section, reason" /></label>
        <button type="button" data-act="rules-csv">Save as CSV</button>
        <output aria-live="polite"></output>
      </form>
      <div class="scroll" tabindex="0" role="region" aria-label="Requirements">
        <table class="rules">
          <thead>
            <tr>
              <th scope="col">Requirement</th>
              <th scope="col">Verdict</th>
              <th scope="col">Level</th>
              <th scope="col">Rule, reason and checks</th>
              <th scope="col" class="number">Samples</th>
            </tr>
          </thead>
          <tbody id="rules"></tbody>
        </table>
      </div>
      <button type="button" id="more-rules" hidden>more</button>
      <noscript>
        <table class="rules">
          <tbody>
            ${requirements.map((row) => renderRule(row, links))}
          </tbody>
        </table>
      </noscript>`,
  );
}

function sectionsOf(rows: readonly RequirementResult[]): readonly string[] {
  return [
    ...new Set(
      rows.flatMap(({ source }) => source.map(({ document, section }) => `${document}: ${section}`)),
    ),
  ];
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
