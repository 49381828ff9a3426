import { html } from '../../html/html.ts';
import { find, indexOf, type Entry } from '../search.ts';
import { byId } from './dom.ts';
import { lazily } from './lazily.ts';
import { evidence, result } from './pageResult.ts';

/** Everything that a search finds; making it takes a moment. */
export const searchable = lazily((): readonly Entry[] => indexOf(result, evidence));

/** The search over the whole page. */
export const searchBox = byId('search') as HTMLInputElement;
const found = byId('found');

/** Shows what the words in the search box match. */
export function showFound(): void {
  const groups = find(searchable(), searchBox.value);
  found.hidden = searchBox.value.trim() === '';
  found.innerHTML = html`${
    groups.length === 0
      ? html`<p class="soft">Nothing found.</p>`
      : groups.map(
          ({ kind, total, hits }) =>
            html`<h3>${kind} (${total})</h3>
              <ul>
                ${hits.map(({ address, title }) => html`<li><a href="${address}">${title}</a></li>`)}
              </ul>`,
        )
  }`.markup;
}
