import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { openLivePage, pageAction, policyOf, type Page } from '../../sink/livePage.ts';
import type { ProxyBoard } from './board.ts';
import { faultForm, type FaultPlan } from './faults.ts';
import { pageStyle } from '../../sink/pageStyle.ts';

interface ProxyPageOptions {
  readonly board: ProxyBoard;
  readonly faults: FaultPlan;
  readonly clock: Clock;
  readonly port: number;
  readonly exportHar: () => Promise<Uint8Array>;
}

/** The live page of a proxy: what passes, what it breaks, and the faults in force. */
export function openProxyPage({ board, faults, clock, port, exportHar }: ProxyPageOptions): Promise<Page> {
  return openLivePage({
    ...{ html: renderProxyPage(), policy: proxyPolicy, clock, port },
    har: { name: 'traffic.har', export: exportHar },
    follow: async (send, over) => {
      let seen = 0;
      while (!over.aborted) {
        const { version } = board;
        const news = board.since(seen);
        await send(news);
        seen = news.passed.at(-1)?.seq ?? seen;
        await board.news(version, over);
      }
    },
    actions: {
      fault: pageAction(z.strictObject({ fault: z.string().max(100) }), ({ fault }) => {
        const read = faultForm.safeParse(fault.trim());
        if (!read.success) return read.error.issues[0]?.message ?? 'expected another fault';
        return faults.add(read.data) ? null : 'there are fifty faults already';
      }),
      drop: pageAction(z.strictObject({ id: z.int() }), ({ id }) =>
        faults.drop(id) ? null : 'no such fault',
      ),
    },
  });
}

/**
 * What the page does: follows what passes, shows the newest first, and sends what a person chooses. Whatever came from the
 * wire becomes text of an element, never markup.
 */
const proxyScript = `
const most = 200;
const byId = (id) => document.getElementById(id);
const rows = byId('passed');
const filter = byId('filter');
const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
};
const post = async (path, content) => {
  try {
    const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) });
    return await answer.json();
  } catch {
    return { ok: false, error: 'the proxy is gone' };
  }
};
const source = new EventSource('news');
const live = byId('live');
source.onopen = () => { live.textContent = 'live'; live.className = 'live on'; rows.replaceChildren(); };
source.onerror = () => { live.textContent = 'not connected'; live.className = 'live off'; };
source.onmessage = ({ data }) => {
  const { passed, faults, counts } = JSON.parse(data);
  passed.forEach(show);
  while (rows.children.length > 2 * most) rows.lastElementChild.remove();
  byId('none').hidden = rows.children.length > 0;
  byId('counts').textContent = counts.requests + ' requests, ' + counts.callbacks + ' callbacks, ' + counts.violated +
    ' break a rule, ' + counts.struck + ' struck by a fault' + (counts.unrecorded > 0 ? ', ' + counts.unrecorded + ' not recorded' : '');
  byId('faults').replaceChildren(...faults.map(fault));
};
function fault({ id, text, struck, isOver }) {
  const drop = make('button', '', 'Remove');
  drop.type = 'button';
  drop.addEventListener('click', () => post('do/drop', { id }));
  return make('li', '', make('code', isOver ? 'soft' : '', text), ' struck ' + struck + (isOver ? ', over ' : ' '), drop);
}
function show(one) {
  const { at, kind, what, key, answer, ms, notes, violated, request, response } = one;
  const toggle = make('button', '', new Date(at).toLocaleTimeString([], { hour12: false }) + at.slice(19, 23));
  toggle.type = 'button';
  toggle.setAttribute('aria-expanded', 'false');
  const told = make('td', '', ...violated.flatMap(({ id, title }) => [make('div', 'bad', id + ' ' + title)]), ...notes.map((note) => make('div', 'odd', note)));
  const row = make('tr', 'arrival', make('td', 'time', toggle), make('td', 'label', (kind === 'callback' ? 'callback ' : '') + what), make('td', '', key),
    make('td', /^2/.test(answer) ? 'answer good' : 'answer odd', answer), make('td', 'number', String(ms)), told);
  const texts = [what, key, request.target, request.body, response ? response.body : '', ...violated.flatMap(({ id, title }) => [id, title]), ...notes];
  row.dataset.words = texts.join(' ').toLowerCase();
  row.dataset.broken = String(violated.length > 0);
  const detail = make('tr', 'detail', make('td', '', make('div', 'parts', part('Request', request), ...(response ? [part('Answer', response)] : []))));
  detail.firstElementChild.colSpan = 6;
  detail.hidden = true;
  row.addEventListener('click', () => {
    if (String(getSelection()) !== '') return;
    detail.hidden = !detail.hidden;
    row.classList.toggle('open', !detail.hidden);
    toggle.setAttribute('aria-expanded', String(!detail.hidden));
  });
  row.hidden = !fits(row);
  rows.prepend(row, detail);
}
function part(title, view) {
  const fields = view.headers.map(([name, value]) => make('li', '', make('code', '', make('b', '', name + ': '), value)));
  return make('div', '', make('h4', '', title + ', ' + view.size), make('code', '', view.target), make('ol', 'headers', ...fields), make('pre', '', view.pretty ?? view.body));
}
function fits({ dataset: { words, broken } }) {
  const asked = filter.elements.words.value.toLowerCase().split(/\\s+/);
  return asked.every((word) => words.includes(word)) && (!filter.elements.broken.checked || broken === 'true');
}
filter.addEventListener('input', () => {
  for (const row of rows.querySelectorAll('tr.arrival')) {
    row.hidden = !fits(row);
    if (row.hidden) row.nextElementSibling.hidden = true;
  }
});
filter.addEventListener('submit', (event) => event.preventDefault());
byId('fault').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = byId('fault');
  const output = form.querySelector('output');
  const reply = await post('do/fault', { fault: form.elements.fault.value });
  output.value = reply.ok ? '' : reply.error;
  output.className = reply.ok ? '' : 'bad';
  if (reply.ok) form.reset();
});
`;

/** The page loads nothing from elsewhere, and runs nothing but its own script. */
const proxyPolicy = policyOf(pageStyle, proxyScript);

const body = `<header>
  <h1>Proxy</h1>
  <span id="live" class="live" role="status">connecting</span>
  <span class="grow"></span>
  <span id="counts" class="soft"></span>
  <a class="button" href="har" download="traffic.har">Save HAR</a>
</header>
<main>
  <section aria-labelledby="h-faults">
    <h2 id="h-faults">Faults in force</h2>
    <ul id="faults"></ul>
    <form id="fault">
      <label>Add <input name="fault" list="kinds" maxlength="100" spellcheck="false" placeholder="429x3" required></label>
      <button>Add</button>
      <output></output>
    </form>
    <datalist id="kinds">
      <option value="429=5x1">once too many requests, retryAfter 5</option>
      <option value="latency=2s">answers two seconds late</option>
      <option value="500:10%">one of ten fails</option>
      <option value="reset">the connection breaks before the target sees it</option>
      <option value="lost">the answer is lost after the effect</option>
      <option value="callback-lost">callbacks are lost</option>
      <option value="callback-late=10s">callbacks come late</option>
      <option value="callback-twice">callbacks come twice</option>
      <option value="callback-503">callbacks are refused</option>
    </datalist>
  </section>
  <section aria-labelledby="h-passed">
    <h2 id="h-passed">Traffic</h2>
    <form id="filter">
      <label>Holds <input name="words" type="search" placeholder="text in path, header, body or rule"></label>
      <label class="check"><input name="broken" type="checkbox"> Only what breaks a rule</label>
    </form>
    <div class="scroll" tabindex="0" role="region" aria-label="What passed">
      <table>
        <thead><tr><th>Time</th><th>What</th><th>Key</th><th>Answer</th><th class="number">ms</th><th>Rules broken, and notes</th></tr></thead>
        <tbody id="passed"></tbody>
      </table>
      <p id="none" class="soft none">Nothing has passed yet. Give your client the address of the proxy as base URL.</p>
    </div>
    <p class="soft">The latest 200 are shown. Keys and credentials stand here as labels.</p>
  </section>
</main>
`;

/** The page before anything has passed; the script fills it, as text and never as markup. */
function renderProxyPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatecheck proxy</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
${body}<script type="module">${proxyScript}</script>
</body>
</html>
`;
}
