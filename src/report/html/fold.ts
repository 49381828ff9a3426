import { html, type Html } from './html.ts';

interface Fold {
  readonly anchor: string;
  readonly title: string;
  /** What is in it, in a few words. */
  readonly note: string;
  readonly isHidden?: boolean;
}

/** What one looks up rather than reads: a section that shows its title and what it holds, and the rest once it is opened or linked to. */
export function renderFolded({ anchor, title, note, isHidden = false }: Fold, content: Html): Html {
  return html`<section id="${anchor}" tabindex="-1" ${isHidden ? html`hidden` : null}>
    <details class="fold">
      <summary>
        <h2>${title}</h2>
        <span class="soft">${note}</span>
      </summary>
      ${content}
    </details>
  </section>`;
}
