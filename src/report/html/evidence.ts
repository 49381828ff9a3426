import type { PageEvidence } from '../page/pageData.ts';
import { renderFolded } from './tables.ts';
import { html, type Html } from './html.ts';

/** All exchanges and callbacks: a list that the page's script fills, and links to the pages for use without a script. */
export function renderEvidence({ checks, index, total, perPage }: PageEvidence): Html {
  const shown = index.length < total ? `; the first ${index.length} are listed` : '';
  const note = `${total} exchanges and callbacks${shown}`;
  return renderFolded(
    { anchor: 'evidence', title: 'Evidence', note, isHidden: index.length === 0 },
    html`${
        perPage === 0
          ? null
          : html`<p class="soft"><a href="evidence/0001.html">All of it in full, page by page</a></p>`
      }
      <form id="evidence-filter" data-live hidden>
        <label
          >Check
          <select name="check">
            <option value="">all</option>
            ${checks.map((check) => html`<option>${check}</option>`)}
          </select>
        </label>
        <label>Words <input type="search" name="words" placeholder="x17, path, status, WCI-SUB-007" /></label>
        <button type="button" data-act="evidence-csv">Save as CSV</button>
        <output aria-live="polite"></output>
      </form>
      <div class="scroll" data-live hidden tabindex="0" role="region" aria-label="Evidence">
        <table>
          <thead>
            <tr>
              <th scope="col">Id</th>
              <th scope="col" class="number">After</th>
              <th scope="col">Request</th>
              <th scope="col">Answer</th>
              <th scope="col" class="number">Took</th>
              <th scope="col">Check</th>
              <th scope="col">Whole</th>
            </tr>
          </thead>
          <tbody id="exchanges"></tbody>
        </table>
      </div>
      <button type="button" id="more-exchanges" hidden>more</button>`,
  );
}
