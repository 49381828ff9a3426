import { escapeText } from '../text/xml.ts';

/** Markup that is safe to put into a page. Only `html` makes it, so whatever else comes in is escaped. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Insert = string | number | Html | readonly Insert[] | null;

/** A template whose every insert is escaped, unless it is markup already. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  return new Html(String.raw({ raw: strings }, ...inserts.map(render)));
}

function render(insert: Insert): string {
  if (insert === null) return '';
  if (insert instanceof Html) return insert.markup;
  if (typeof insert === 'object') return insert.map(render).join('\n');
  return escapeText(String(insert));
}

/** Concatenates markup without the line ends that a list of inserts gets; for places where spaces show. */
export function concatenated(parts: readonly Html[]): Html {
  return new Html(parts.map(({ markup }) => markup).join(''));
}

/** An id that may break after its dots. */
export function breakable(id: string): Html {
  return concatenated(
    id.split(/(?<=\.)/).map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`)),
  );
}
