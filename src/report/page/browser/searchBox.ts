import { html, type Html } from '../../html/html.ts';
import { find, indexOf, type Entry } from '../search.ts';
import { byId } from './dom.ts';
import { lazily } from './lazily.ts';
import { evidence, result } from './pageResult.ts';

/** Everything that a search finds; making it takes a moment. */
export const searchable = lazily((): readonly Entry[] => indexOf(result, evidence));

/** The search over the whole page. */
export const searchBox = byId('search') as HTMLInputElement;
const found = byId('found');

/** Kinds of which all hits are shown. */
const whole = new Set<string>();

/** Shows what new words in the search box match. */
export function showFound(): void {
  whole.clear();
  renderFound();
}

/** Shows all hits of a kind. */
export function showAllFound(kind: string): void {
  whole.add(kind);
  renderFound();
}

function renderFound(): void {
  const groups = find(searchable(), searchBox.value, whole);
  found.hidden = searchBox.value.trim() === '';
  found.innerHTML = html`${
    groups.length === 0
      ? html`<p class="soft">Nothing found.</p>`
      : groups.map(
          ({ kind, total, hits }) =>
            html`<h3>${kind} (${total})</h3>
              <ul>
                ${hits.map(({ address, title }) => html`<li><a href="${address}">${title}</a></li>`)}
              </ul>
              ${renderRest(kind, total - hits.length)}`,
        )
  }`.markup;
}

function renderRest(kind: string, left: number): Html | null {
  if (left <= 0) return null;
  return whole.has(kind)
    ? html`<p class="soft">… and ${left} more: search for more words.</p>`
    : html`<button type="button" data-act="all-found" data-kind="${kind}">${left} more</button>`;
}
