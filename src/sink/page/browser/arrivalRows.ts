import { button, byId, make, within } from './dom.ts';

/** One row of the table. */
interface Arrival {
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Its cells after the time. */
  readonly cells: readonly HTMLTableCellElement[];
  /** What a search looks in. */
  readonly texts: readonly string[];
  /** What a filter may ask for. */
  readonly data?: Readonly<Record<string, string>>;
  /** What is shown below the row once somebody opens it. */
  readonly detail: () => readonly Node[];
}

interface Options {
  readonly rows: HTMLTableSectionElement;
  /** Its input `words` is searched for. */
  readonly filter: HTMLFormElement;
  /** Whether a row passes the other inputs of the filter. */
  readonly passes: (data: DOMStringMap) => boolean;
  /** Most rows that are shown. */
  readonly most: number;
}

/** What came, the newest first; a click on a row shows the whole of it, and it stays open if the row is shown anew. */
export class ArrivalRows {
  readonly #options: Options;
  readonly #opened = new Set<number>();

  constructor(options: Options) {
    this.#options = options;
    const { filter } = options;
    filter.addEventListener('input', () => this.#refilter());
    filter.addEventListener('submit', (event) => event.preventDefault());
  }

  add(arrivals: readonly Arrival[]): void {
    for (const arrival of arrivals) this.#show(arrival);
    const rows = this.#all();
    for (const row of rows.slice(this.#options.most)) {
      detailOf(row)?.remove();
      row.remove();
    }
    byId('none', HTMLElement).hidden = rows.length > 0;
  }

  clear(): void {
    this.#options.rows.replaceChildren();
  }

  /** Opens none of the earlier rows again. */
  forget(): void {
    this.#opened.clear();
  }

  #all(): readonly HTMLElement[] {
    return [...this.#options.rows.querySelectorAll<HTMLElement>('tr.arrival')];
  }

  #show({ seq, at, cells, texts, data, detail }: Arrival): void {
    const toggle = button(new Date(at).toLocaleTimeString([], { hour12: false }) + at.slice(19, 23));
    const row = make('tr', 'arrival', make('td', 'time', toggle), ...cells);
    this.#label(row);
    Object.assign(row.dataset, data, { words: texts.join(' ').toLowerCase() });
    let below: HTMLElement | null = null;
    const open = (isOpen: boolean) => {
      if (isOpen) row.after((below ??= detailRow(detail(), row.children.length)));
      else below?.remove();
      if (isOpen) this.#opened.add(seq);
      else this.#opened.delete(seq);
      row.classList.toggle('open', isOpen);
      toggle.setAttribute('aria-expanded', String(isOpen));
    };
    row.addEventListener('click', () => {
      // Someone who selects text wants to copy it.
      if (String(getSelection()) === '') open(!row.classList.contains('open'));
    });
    toggle.setAttribute('aria-expanded', 'false');
    row.hidden = !this.#fits(row);
    this.#options.rows.prepend(row);
    if (this.#opened.has(seq)) open(true);
  }

  /** Names each cell after its column: on a narrow page a row is a card without the head of the table. */
  #label(row: HTMLElement): void {
    const heads = [...(this.#options.rows.closest('table')?.querySelectorAll('thead th') ?? [])];
    for (const [index, cell] of [...row.children].entries())
      if (cell instanceof HTMLElement) cell.dataset.label = heads[index]?.textContent ?? '';
  }

  #refilter(): void {
    for (const row of this.#all()) {
      row.hidden = !this.#fits(row);
      const below = detailOf(row);
      if (below) below.hidden = row.hidden;
    }
  }

  /** Whether a row has what the filter asks for, and all words searched for. */
  #fits({ dataset }: HTMLElement): boolean {
    const { filter, passes } = this.#options;
    const asked = within(filter, '[name=words]', HTMLInputElement).value.toLowerCase().split(/\s+/);
    return passes(dataset) && asked.every((word) => (dataset.words ?? '').includes(word));
  }
}

function detailRow(parts: readonly Node[], columns: number): HTMLElement {
  const cell = make('td', '', make('div', 'parts', ...parts));
  cell.colSpan = columns;
  return make('tr', 'detail', cell);
}

function detailOf(row: HTMLElement): HTMLElement | null {
  const next = row.nextElementSibling;
  return next instanceof HTMLElement && next.className === 'detail' ? next : null;
}

/** A list of header fields, as they were on the wire. */
export function headerList(headers: readonly (readonly [name: string, value: string])[]): HTMLElement {
  const fields = headers.map(([name, value]) =>
    make('li', '', make('code', '', make('b', '', `${name}: `), value)),
  );
  return make('ol', 'headers', ...fields);
}
