// The proxy's page: it follows what passes, shows what is new, and sends the user's faults. Whatever came from the wire becomes text of
// an element, never markup.
import { ArrivalRows, headerList } from './browser/arrivalRows.ts';
import { asking, onSubmit } from './browser/asking.ts';
import { button, byId, make, within } from './browser/dom.ts';
import { follow } from './browser/live.ts';
import type { ArrivalView } from './news.ts';
import type { FaultView, PassedView, ProxyNews, ProxyRequests } from './proxyNews.ts';

/** Most rows that are shown. */
const mostRows = 200;

const filter = byId('filter', HTMLFormElement);
const isBrokenOnly = within(filter, '[name=broken]', HTMLInputElement);
const fault = byId('fault', HTMLFormElement);
const said = within(fault, 'output', HTMLOutputElement);
const ask = asking<ProxyRequests>();
const rows = new ArrivalRows({
  ...{ rows: byId('passed', HTMLTableSectionElement), filter, most: mostRows },
  passes: ({ broken }) => !isBrokenOnly.checked || broken === 'true',
});

follow(show, () => rows.clear());
onSubmit(fault, async (form, output) => {
  const text = within(form, '[name=fault]', HTMLInputElement).value;
  if (await ask('fault', { fault: text }, output)) form.reset();
});

function show({ passed, faults, counts }: ProxyNews): void {
  rows.add(passed.map(rowOf));
  const { requests, callbacks, violated, struck, unrecorded } = counts;
  const left = unrecorded > 0 ? `, ${unrecorded} not recorded` : '';
  byId('counts', HTMLElement).textContent =
    `${requests} requests, ${callbacks} callbacks, ${violated} break a rule, ${struck} struck by a fault${left}`;
  byId('faults', HTMLElement).replaceChildren(...faults.map(faultItem));
}

function faultItem({ id, text, struck, isOver }: FaultView): HTMLElement {
  const drop = button('Remove');
  drop.addEventListener('click', () => void ask('drop', { id }, said));
  return make(
    'li',
    '',
    make('code', isOver ? 'soft' : '', text),
    ` struck ${struck}${isOver ? ', over' : ''} `,
    drop,
  );
}

function rowOf(passed: PassedView) {
  const { seq, at, what, key, notes, violated, request, response } = passed;
  return {
    ...{ seq, at, cells: cellsOf(passed), data: { broken: String(violated.length > 0) } },
    texts: [
      ...[what, key, request.target, request.body, response?.body ?? ''],
      ...violated.flatMap(({ id, title }) => [id, title]),
      ...notes,
    ],
    detail: () => [part('Request', request), ...(response === null ? [] : [part('Answer', response)])],
  };
}

function cellsOf({
  kind,
  what,
  key,
  answer,
  ms,
  notes,
  violated,
}: PassedView): readonly HTMLTableCellElement[] {
  return [
    make('td', 'label', (kind === 'callback' ? 'callback ' : '') + what),
    make('td', '', key),
    make('td', answer.startsWith('2') ? 'answer good' : 'answer odd', answer),
    make('td', 'number', String(ms)),
    make(
      'td',
      '',
      ...violated.map(({ id, title }) => make('div', 'bad', `${id} ${title}`)),
      ...notes.map((note) => make('div', 'odd', note)),
    ),
  ];
}

function part(title: string, { size, target, headers, pretty, body }: ArrivalView): HTMLElement {
  return make(
    'div',
    '',
    make('h4', '', `${title}, ${size}`),
    make('code', '', target),
    headerList(headers),
    make('pre', '', pretty ?? body),
  );
}
