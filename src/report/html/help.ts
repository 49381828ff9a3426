import { html, type Html } from './html.ts';

/** The keys of the page, in words. */
export function renderHelp(): Html {
  const keys = [
    ['/', 'search everything'],
    ['j', 'next finding'],
    ['k', 'finding before'],
    ['?', 'this list'],
    ['Esc', 'close'],
  ] as const;
  return html`<dialog id="help" aria-labelledby="help-title">
    <h2 id="help-title">Keys</h2>
    <dl>
      ${keys.map(
        ([key, what]) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${what}</dd>`,
      )}
    </dl>
    <button type="button" data-act="close">Close</button>
  </dialog>`;
}
