// The page's script: it follows the board, shows what is new, and sends the user's choices. Whatever came from a sender becomes text of
// an element, never markup. The page contains the whole script, by its hash, with the modules that it imports.
import { ArrivalRows, headerList } from './browser/arrivalRows.ts';
import { asking, onSubmit } from './browser/asking.ts';
import { button, byId, make, within } from './browser/dom.ts';
import { follow } from './browser/live.ts';
import type { AddressView, BoardEntry, CredentialVerdict, News, Requests } from './news.ts';

/** Most rows that are shown. */
const mostRows = 200;

const addresses = byId('addresses', HTMLElement);
const filter = byId('filter', HTMLFormElement);
const labels = within(filter, 'select', HTMLSelectElement);
const paused = within(filter, '[name=paused]', HTMLInputElement);
const ask = asking<Requests>();
const rows = new ArrivalRows({
  ...{ rows: byId('arrivals', HTMLTableSectionElement), filter, most: mostRows },
  passes: ({ label }) => labels.value === '' || labels.value === label,
});

/** How the verdict about a credential is shown. */
const tones: Readonly<
  Record<CredentialVerdict['status'], { readonly tone: string; readonly before: string }>
> = {
  match: { tone: 'good', before: 'match ' },
  mismatch: { tone: 'bad', before: 'mismatch: ' },
  missing: { tone: 'bad', before: '' },
  unchecked: { tone: 'soft', before: '' },
};

const cards = new Map<string, Card>();
let waiting: readonly BoardEntry[] = [];

follow(show);
filter.addEventListener('input', () => {
  if (!paused.checked) flush();
});
byId('clear', HTMLElement).addEventListener('click', () => {
  forget();
  rows.forget();
});
onSubmit(byId('open', HTMLFormElement), async (form, output) => {
  const name = within(form, 'input', HTMLInputElement);
  if (await ask('open', { label: name.value }, output)) name.value = '';
});

function show({ reset, addresses: views, arrivals: entries, total, strays }: News): void {
  views.forEach(showAddress);
  const unknown = strays > 0 ? `, ${strays} to unknown paths` : '';
  byId('counts', HTMLElement).textContent = deliveries(total) + unknown;
  if (reset) forget();
  waiting = [...waiting, ...entries].slice(-mostRows);
  if (!paused.checked || reset) flush();
}

function deliveries(count: number): string {
  return count === 1 ? '1 delivery' : `${count} deliveries`;
}

function forget(): void {
  rows.clear();
  waiting = [];
}

/** The parts of an address's card that change. */
interface Card {
  readonly count: HTMLElement;
  readonly checked: HTMLElement;
  readonly script: HTMLInputElement;
  /** The script that was last shown: what the user is typing stays. */
  shown: string | null;
}

function showAddress(address: AddressView): void {
  const card = cards.get(address.token) ?? makeCard(address);
  const { expects, mismatches, count, answer } = address;
  card.count.textContent = deliveries(count);
  const isWrong = mismatches > 0;
  card.checked.textContent =
    expects === null
      ? 'credential not checked'
      : isWrong
        ? `${mismatches} with a wrong or missing ${expects}`
        : `${expects} checked`;
  card.checked.className = expects === null ? 'soft' : isWrong ? 'bad' : 'good';
  if (card.shown !== answer) card.script.value = card.shown = answer;
}

function makeCard(address: AddressView): Card {
  const count = make('span', 'soft');
  const checked = make('span', 'soft');
  const { form, script } = answerForm(address);
  const title = make('h3', '', address.label, count, checked);
  const url = make('div', 'url', make('code', '', address.url), copyButton(address.url));
  addresses.append(make('article', 'card', title, url, form, expectForm(address)));
  labels.append(new Option(address.label, address.label));
  const card = { count, checked, script, shown: null };
  cards.set(address.token, card);
  return card;
}

function copyButton(url: string): HTMLButtonElement {
  const copy = button('Copy');
  copy.addEventListener('click', () => {
    const done = () => {
      copy.textContent = 'Copied';
      setTimeout(() => (copy.textContent = 'Copy'), 1200);
    };
    void navigator.clipboard.writeText(url).then(done, () => undefined);
  });
  return copy;
}

function answerForm({ token }: AddressView) {
  const script = make('input');
  script.setAttribute('list', 'scripts');
  script.name = 'script';
  script.spellcheck = false;
  script.title =
    'A status, +2s to delay it, =/next for a redirect, x3 for three times; or silence, reset, close-early; comma-separated. The last one stays.';
  const form = make(
    'form',
    'answer',
    make('label', '', 'Answers ', script),
    make('button', '', 'Set'),
    make('output'),
  );
  onSubmit(form, (_form, output) => ask('answer', { token, script: script.value }, output));
  return { form, script };
}

function expectForm({ token, label, expects }: AddressView): HTMLFormElement {
  const names = ['X-API-Key', 'Authorization'] as const;
  const name = make('select', '', ...names.map((text) => new Option(text)));
  name.name = 'name';
  name.value = expects ?? (label === 'flight-alerts' ? names[1] : names[0]);
  const value = make('input');
  const hidden = {
    type: 'password',
    name: 'value',
    autocomplete: 'off',
    placeholder: 'empty: not checked',
  } as const;
  Object.assign(value, hidden);
  const form = make(
    'form',
    'expect',
    make('label', '', 'Expect in ', name),
    make('label', '', 'this value ', value),
    make('button', '', 'Check'),
    make('output'),
  );
  onSubmit(form, async (_form, output) => {
    const chosen = names[name.selectedIndex] ?? names[0];
    if (await ask('expect', { token, name: chosen, value: value.value }, output)) value.value = '';
  });
  return form;
}

/** Shows what has been held back, the newest first. */
function flush(): void {
  rows.add(waiting.map(rowOf));
  waiting = [];
}

function rowOf(arrival: BoardEntry) {
  const { seq, at, label, target, headers, body, about } = arrival;
  return {
    ...{ seq, at, cells: cellsOf(arrival), data: { label: label ?? '' } },
    texts: [target, ...headers.flat(), body, about],
    detail: () => detailOf(arrival),
  };
}

function cellsOf(arrival: BoardEntry): readonly HTMLTableCellElement[] {
  const { label, method, answer, credential, about, target, size } = arrival;
  const { tone, before } = tones[credential.status];
  return [
    make('td', label === null ? 'label bad' : 'label', label ?? 'unknown path'),
    make('td', 'method', method),
    make('td', answer.startsWith('2') ? 'answer good' : 'answer odd', answer),
    make('td', tone, before + credential.text),
    make('td', 'about', label === null ? target : about),
    make('td', 'number', `${size.split(' bytes', 1)[0] ?? ''} B`),
  ];
}

function detailOf({ target, connection, ms, headers, body, pretty, size }: BoardEntry): readonly Node[] {
  const pre = make('pre', '', pretty ?? body);
  const request = make(
    'div',
    '',
    make('h4', '', 'Request'),
    make('code', '', target),
    make('p', 'soft', `connection ${connection}, ${ms} ms from header to last byte`),
    make('h4', '', 'Headers, as they were on the wire'),
    headerList(headers),
  );
  return [request, make('div', '', make('h4', '', `Body, ${size}`, rawButton(pre, body, pretty)), pre)];
}

/** Switches between the body as it came and indented JSON. */
function rawButton(pre: HTMLElement, body: string, pretty: string | null): HTMLButtonElement {
  const swap = button('Raw');
  swap.hidden = pretty === null;
  swap.addEventListener('click', () => {
    const isRaw = swap.textContent === 'Raw';
    swap.textContent = isRaw ? 'Pretty' : 'Raw';
    pre.textContent = isRaw ? body : pretty;
  });
  return swap;
}
