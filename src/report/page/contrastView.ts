import { html, type Html } from '../html/html.ts';
import { shorten } from '../text/printable.ts';
import type { Contrast } from './pageData.ts';

/** The similar request that was answered correctly, and what differs in the one of the finding. */
export function renderContrast(contrast: Contrast | undefined): Html | null {
  if (contrast === undefined) return null;
  const { id, check, answer, differences, more } = contrast;
  const value = (text: string | null) =>
    text === null ? html`<span class="soft">absent</span>` : html`<code>${shorten(text, 120)}</code>`;
  return html`<h4>A similar request that was answered correctly</h4>
    <p>
      The most alike request of this run, <a href="#evidence/${id}">${id}</a>
      <span class="soft">(${check})</span>, got <b>${answer}</b>.
      ${differences.length === 0 ? 'It differs only in values that are new in each request: what was done before decides.' : 'It differs in:'}
    </p>
    ${
      differences.length === 0
        ? null
        : html`<ul class="contrast">
            ${differences.map(
              ({ member, here, there }) =>
                html`<li>
                  <b>${shorten(member, 120)}</b>: this request ${value(here)}, that one ${value(there)}
                </li>`,
            )}
            ${more === 0 ? null : html`<li class="soft">and ${more} more</li>`}
          </ul>`
    }`;
}

/** The same on one line. */
export function contrastText({ id, answer, differences, more }: Contrast): string {
  const value = (text: string | null) => (text === null ? 'absent' : shorten(text, 60));
  const told = differences
    .slice(0, 3)
    .map(({ member, here, there }) => `${shorten(member, 60)} ${value(there)} (here ${value(here)})`);
  const rest = differences.length - told.length + more;
  const all = rest > 0 ? [...told, `${rest} more`] : told;
  return `${id} got ${answer}${all.length === 0 ? ' for the same, after other requests' : ` with ${all.join(', ')}`}`;
}
