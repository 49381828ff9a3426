/**
 * What the page does: it follows the board, shows what is new, and sends what a person chooses. Whatever came from a sender
 * becomes text of an element, never markup.
 */
export const pageScript = `
const at = (id) => document.getElementById(id);
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
async function ask(path, what, output) {
  const sent = await fetch('do/' + path, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(what),
  }).then((answer) => answer.json()).catch(() => ({ ok: false, error: 'the sink is gone' }));
  output.value = sent.ok ? 'done' : sent.error;
  output.classList.toggle('bad', !sent.ok);
  if (sent.ok) setTimeout(() => { if (output.value === 'done') output.value = ''; }, 1500);
  return sent.ok;
}

const cards = new Map();
function showAddress(address) {
  const card = cards.get(address.token) ?? makeCard(address);
  card.count.textContent = address.count === 1 ? '1 delivery' : address.count + ' deliveries';
  card.checked.textContent = address.expects === null ? 'credential not checked'
    : address.mismatches === 0 ? address.expects + ' checked' : address.mismatches + ' without the right ' + address.expects;
  card.checked.className = address.expects === null ? 'soft' : address.mismatches === 0 ? 'good' : 'bad';
  if (card.known !== address.answer) card.script.value = card.known = address.answer;
}
function makeCard({ token, label, url, expects }) {
  const count = make('span', 'soft');
  const checked = make('span', 'soft');
  const copy = make('button', '', 'Copy');
  copy.type = 'button';
  copy.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(url).catch(() => undefined);
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 1200);
  });
  const script = make('input');
  script.setAttribute('list', 'scripts');
  script.name = 'script';
  script.spellcheck = false;
  script.title = 'A status, +2s for late, =/next for a redirect, x3 for three times; or silence, reset, close-early; commas between. The last one stays.';
  const answerTold = make('output');
  const answer = make('form', 'answer', make('label', '', 'Answers ', script), make('button', '', 'Set'), answerTold);
  answer.addEventListener('submit', (event) => {
    event.preventDefault();
    ask('answer', { token, script: script.value }, answerTold);
  });
  const name = make('select', '', ...['X-API-Key', 'Authorization'].map((text) => new Option(text)));
  name.name = 'name';
  name.value = expects ?? (label === 'flight-alerts' ? 'Authorization' : 'X-API-Key');
  const value = make('input');
  Object.assign(value, { type: 'password', name: 'value', autocomplete: 'off', placeholder: 'empty: not checked' });
  const expectTold = make('output');
  const expect = make('form', 'expect', make('label', '', 'Expect in ', name), make('label', '', 'this value ', value), make('button', '', 'Check'), expectTold);
  expect.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (await ask('expect', { token, name: name.value, value: value.value }, expectTold)) value.value = '';
  });
  const title = make('h3', '', label, count, checked);
  at('addresses').append(make('article', 'card', title, make('div', 'url', make('code', '', url), copy), answer, expect));
  at('filter').elements.label.append(new Option(label, label));
  const card = { count, checked, script, known: null };
  cards.set(token, card);
  return card;
}

const most = 200;
const opened = new Set();
const filter = at('filter');
let waiting = [];
function showArrival(arrival) {
  const { seq, at: time, label, method, answer, credential, about, target, size } = arrival;
  const toggle = make('button', '', new Date(time).toLocaleTimeString([], { hour12: false }) + time.slice(19, 23));
  toggle.type = 'button';
  const tone = { match: 'good', mismatch: 'bad', missing: 'bad', unchecked: 'soft' }[credential.status];
  const told = { match: 'match ', mismatch: 'mismatch: ', missing: '', unchecked: '' }[credential.status] + credential.text;
  const row = make('tr', 'arrival',
    make('td', 'time', toggle),
    make('td', label === null ? 'label bad' : 'label', label ?? 'unknown path'),
    make('td', 'method', method),
    make('td', 'answer ' + (answer.startsWith('2') ? 'good' : 'odd'), answer),
    make('td', tone, told),
    make('td', 'about', label === null ? target : about),
    make('td', 'number', size.split(' bytes')[0] + ' B'));
  row.dataset.label = label ?? '';
  row.dataset.words = [target, ...arrival.headers.flat(), arrival.body, about].join(' ').toLowerCase();
  let detail = null;
  const open = (yes) => {
    if (yes) { detail ??= makeDetail(arrival); row.after(detail); opened.add(seq); }
    else { detail?.remove(); opened.delete(seq); }
    row.classList.toggle('open', yes);
    toggle.setAttribute('aria-expanded', String(yes));
  };
  row.addEventListener('click', () => { if (String(getSelection()) === '') open(!row.classList.contains('open')); });
  row.hidden = !fits(row);
  at('arrivals').prepend(row);
  if (opened.has(seq)) open(true);
}
function makeDetail({ target, connection, ms, headers, body, pretty, size }) {
  const list = make('ol', 'headers', ...headers.map(([name, value]) => make('li', '', make('code', '', make('b', '', name + ': '), value))));
  const pre = make('pre', '', pretty ?? body);
  const swap = make('button', 'swap', 'Raw');
  swap.type = 'button';
  swap.hidden = pretty === null;
  swap.addEventListener('click', () => {
    const toRaw = swap.textContent === 'Raw';
    swap.textContent = toRaw ? 'Pretty' : 'Raw';
    pre.textContent = toRaw ? body : pretty;
  });
  const cell = make('td', '', make('div', 'parts',
    make('div', '', make('h4', '', 'Request'), make('code', '', target), make('p', 'soft', 'connection ' + connection + ', ' + ms + ' ms from header to last byte'),
      make('h4', '', 'Headers, as they stood on the wire'), list),
    make('div', '', make('h4', '', 'Body, ' + size, swap), pre)));
  cell.colSpan = 7;
  return make('tr', 'detail', cell);
}
function fits({ dataset }) {
  const { label, words } = Object.fromEntries(new FormData(filter));
  return (!label || dataset.label === label) && words.toLowerCase().split(/\\s+/).every((word) => dataset.words.includes(word));
}
function refilter() {
  for (const row of at('arrivals').querySelectorAll('tr.arrival')) {
    row.hidden = !fits(row);
    if (row.nextSibling?.className === 'detail') row.nextSibling.hidden = row.hidden;
  }
}
function flush() {
  for (const arrival of waiting.splice(0)) showArrival(arrival);
  const rows = at('arrivals').querySelectorAll('tr.arrival');
  for (const row of [...rows].slice(most)) {
    if (row.nextSibling?.className === 'detail') row.nextSibling.remove();
    row.remove();
  }
  at('none').hidden = rows.length > 0;
}
filter.addEventListener('input', () => { refilter(); if (!filter.elements.paused.checked) flush(); });
filter.addEventListener('submit', (event) => event.preventDefault());
at('clear').addEventListener('click', () => { at('arrivals').replaceChildren(); waiting = []; opened.clear(); });
at('open').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  if (await ask('open', { label: form.elements.label.value }, form.querySelector('output'))) form.elements.label.value = '';
});

const news = new EventSource('news');
const live = at('live');
news.onopen = () => { live.textContent = 'live'; live.className = 'live on'; };
news.onerror = () => { live.textContent = 'not connected'; live.className = 'live off'; };
news.onmessage = ({ data }) => {
  const { reset, addresses, arrivals, total, strays } = JSON.parse(data);
  addresses.forEach(showAddress);
  at('counts').textContent = (total === 1 ? '1 delivery' : total + ' deliveries') + (strays > 0 ? ', ' + strays + ' to unknown paths' : '');
  if (reset) { at('arrivals').replaceChildren(); waiting = []; }
  waiting.push(...arrivals);
  waiting = waiting.slice(-most);
  if (!filter.elements.paused.checked || reset) flush();
};
`;
