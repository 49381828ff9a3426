/**
 * What the page does: follows what passes, shows the newest first, and sends what a person chooses. Whatever came from the
 * wire becomes text of an element, never markup.
 */
export const proxyScript = `
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
