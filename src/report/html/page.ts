import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

/** A page in one file: it loads nothing, and its policy only allows its own style and script. */
export function pageOf(parts: {
  readonly title: string;
  readonly style: string;
  readonly body: Html;
  readonly script?: string;
}): string {
  const { title, style, body, script } = parts;
  const scripts = script === undefined ? '' : `; script-src ${hashOf(script)}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src ${new Html(hashOf(style))}${new Html(scripts)}; base-uri 'none'; form-action 'none'"
        />
        <title>${title}</title>
        ${element('style', style)}
      </head>
      <body>
        ${body} ${script === undefined ? null : element('script', script)}
      </body>
    </html> `.markup;
}

/** Data for the page's script: JSON that cannot end its element, whatever it contains. */
export function dataElement(id: string, data: unknown): Html {
  const text = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return html`<script type="application/json" id="${id}">
    ${new Html(text)}
  </script>`;
}

/** An element whose text is exactly the one that its hash in the policy was computed from. */
function element(name: 'style' | 'script', text: string): Html {
  return new Html(`<${name}>${text}</${name}>`);
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
