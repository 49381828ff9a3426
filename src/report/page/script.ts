// What the page of the report does: it shows what stands in it as data, a part at a time, and leads from one thing to
// another. All markup comes from the escaping template.
import { causeByFingerprint, causesOf, type Cause } from '../causes.ts';
import { html, type Html } from '../html/html.ts';
import type { RunResult } from '../result.ts';
import { arrive, button, byId, copy, read, say, valuesOf } from './browser/dom.ts';
import { download } from './browser/download.ts';
import { GrowingList } from './browser/growingList.ts';
import { addZoom } from './browser/zoom.ts';
import type { CauseContext } from './causeContext.ts';
import { renderCauseBody, renderCauseHead } from './causeView.ts';
import { csvOf } from './csv.ts';
import { renderEvidenceLine, renderEvidenceRow } from './evidenceView.ts';
import type { PageEvidence } from './pageData.ts';
import { renderRule } from './ruleView.ts';
import { find, indexOf, type Entry } from './search.ts';

const result = read('result') as RunResult;
const evidence = read('evidence-data') as PageEvidence;
const causes = causesOf(result);
const causeOf = causeByFingerprint(causes);
const rules = new Map(result.requirements.map((row) => [row.id, row]));
const findingsOf = Map.groupBy(result.findings, ({ requirement }) => requirement);
const context: CauseContext = {
  evidence,
  rules,
  effects: result.sideEffects,
  since: read('since') as CauseContext['since'],
};
const links = {
  findingsOf: (id: string) => (findingsOf.get(id) ?? []).map(({ fingerprint }) => fingerprint),
  hasEvidence: evidence.index.length > 0,
};

const causeList = new GrowingList(byId('causes'), button('more-causes'), renderCause);
const ruleList = new GrowingList(
  byId('rules'),
  button('more-rules'),
  (row: RunResult['requirements'][number]) => renderRule(row, links),
);
const places = new Map(evidence.index.map(([id], place) => [id, place]));
const evidenceList = new GrowingList(byId('exchanges'), button('more-exchanges'), (place: number) => {
  const row = evidence.index[place];
  return row ? renderEvidenceRow(row, place, evidence) : html``;
});

/** What the filters look in, made when they are first used. */
const ruleTexts = lazily(() =>
  result.requirements.map((row) =>
    JSON.stringify([row.id, row.title, row.source, row.reason, row.checks]).toLowerCase(),
  ),
);
const exchangeTexts = lazily(() =>
  evidence.index.map((row) => `${row.join(' ')} ${evidence.checks[row[6]] ?? ''}`.toLowerCase()),
);
const ruleForm = byId('rule-filter') as HTMLFormElement;
const evidenceForm = byId('evidence-filter') as HTMLFormElement;
const searchBox = byId('search') as HTMLInputElement;
const found = byId('found');
const help = byId('help') as HTMLDialogElement;
let entries: readonly Entry[] | null = null;

start();

function start(): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) part.hidden = false;
  causeList.show(causes);
  const [first] = causes;
  if (first) setOpen(first, true);
  filterRules();
  if (evidence.index.length > 0) filterEvidence();
  ruleForm.addEventListener('input', () => {
    filterRules();
    remember('requirements', ruleForm);
  });
  evidenceForm.addEventListener('input', () => {
    filterEvidence();
    remember('evidence', evidenceForm);
  });
  for (const form of [ruleForm, evidenceForm])
    form.addEventListener('submit', (event) => event.preventDefault());
  searchBox.addEventListener('input', showFound);
  addEventListener('hashchange', go);
  addEventListener('keydown', onKey);
  addEventListener('click', onClick);
  addEventListener('beforeprint', () => causeList.reach(Math.min(causes.length, 200) - 1));
  document.addEventListener('toggle', addCopyButtons, true);
  addZoom();
  // Once the page is drawn, so that the first search does not wait for it.
  setTimeout(searchable, 300);
  go();
}

function renderCause(cause: Cause): Html {
  const { fingerprint, baselined, severity } = cause.lead;
  const standing = baselined ? 'known' : severity === 'warn' ? 'warn' : 'fail';
  return html`<article
    class="card cause ${standing}"
    id="finding-${fingerprint}"
    tabindex="-1"
    data-cause="${fingerprint}"
  >
    ${renderCauseHead(cause, context)}
    <p class="tools">
      <button type="button" data-act="toggle" aria-expanded="false">▸ Show details</button>
      <button type="button" data-act="link">Copy link</button>
      <button type="button" data-act="text">Copy as text</button>
    </p>
    <div class="detail" hidden></div>
  </article>`;
}

/** Opens or closes a card; its inside is made the first time. */
function setOpen(cause: Cause, open: boolean): HTMLElement | null {
  causeList.reach(causes.indexOf(cause));
  const card = document.getElementById(`finding-${cause.lead.fingerprint}`);
  const detail = card?.querySelector<HTMLElement>('.detail');
  if (!card || !detail) return null;
  if (open && detail.childElementCount === 0) {
    detail.innerHTML = renderCauseBody(cause, context).markup;
    addCopyButtons();
  }
  detail.hidden = !open;
  const toggle = card.querySelector<HTMLElement>('[data-act=toggle]');
  toggle?.setAttribute('aria-expanded', String(open));
  if (toggle) toggle.textContent = open ? '▾ Hide details' : '▸ Show details';
  return card;
}

function addCopyButtons(): void {
  for (const box of document.querySelectorAll('.copyable:not(:has(button))'))
    box.insertAdjacentHTML('beforeend', html`<button type="button" data-act="copy">Copy</button>`.markup);
}

function shownRules(): RunResult['requirements'] {
  const { verdict = '', level = '', api = '', section = '', words = '' } = valuesOf(ruleForm);
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return result.requirements.filter((row, index) => {
    return (
      (verdict === '' || row.verdict === verdict) &&
      (level === '' || row.level === level) &&
      (api === '' || row.api === api) &&
      (section === '' || row.source.some((one) => `${one.document}: ${one.section}` === section)) &&
      sought.every((word) => ruleTexts()[index]?.includes(word))
    );
  });
}

function filterRules(): void {
  const rows = shownRules();
  ruleList.show(rows);
  say(ruleForm, `${rows.length} of ${result.requirements.length} shown`);
}

/** Places of the exchanges that the filter lets through. */
function shownExchanges(): readonly number[] {
  const { check = '', words = '' } = valuesOf(evidenceForm);
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const number = evidence.checks.indexOf(check);
  return evidence.index.flatMap((row, place) => {
    const fits =
      (check === '' || row[6] === number) && sought.every((word) => exchangeTexts()[place]?.includes(word));
    return fits ? [place] : [];
  });
}

function filterEvidence(): void {
  const shown = shownExchanges();
  evidenceList.show(shown);
  say(evidenceForm, `${shown.length} of ${evidence.total} shown`);
}

function saveRules(): void {
  const rows = shownRules().map(
    ({ id, verdict, level, title, reason, checks, samples }) =>
      [id, verdict, level, title, reason ?? '', checks.join(' '), samples] as const,
  );
  const head = ['requirement', 'verdict', 'level', 'rule', 'reason', 'checks', 'samples'];
  download('requirements.csv', 'text/csv', csvOf([head, ...rows]));
}

function saveExchanges(): void {
  const rows = shownExchanges().flatMap((place) => {
    const row = evidence.index[place];
    return row ? [[...row.slice(0, 6), evidence.checks[row[6]] ?? '', row[7]]] : [];
  });
  const head = ['id', 'after ms', 'method', 'target', 'answer', 'took ms', 'check', 'breaks'];
  download('exchanges.csv', 'text/csv', csvOf([head, ...rows]));
}

/** Puts the filter into the address, so that it can be sent on. */
function remember(part: string, form: HTMLFormElement): void {
  const given = new URLSearchParams(Object.entries(valuesOf(form)).filter(([, value]) => value !== ''));
  history.replaceState(null, '', given.size === 0 ? `#${part}` : `#${part}?${given}`);
}

/** Goes where the address leads: a finding, a requirement, an exchange, a filter, or an anchor of the page. */
function go(): void {
  const [place = '', query = ''] = decodeURIComponent(location.hash.slice(1)).split('?');
  const [part, id] = place.split('/');
  if (place.startsWith('finding-')) goToFinding(place.slice('finding-'.length));
  else if (rules.has(place)) goToRule(place);
  else if (part === 'evidence' && id !== undefined) goToExchange(place.slice('evidence/'.length));
  else if (place === 'requirements' && query !== '') fillIn(ruleForm, query, filterRules);
  else if (place === 'evidence' && query !== '') fillIn(evidenceForm, query, filterEvidence);
}

function goToFinding(fingerprint: string): void {
  const cause = causeOf.get(fingerprint);
  if (!cause) return;
  setOpen(cause, true);
  arrive(document.getElementById(`finding-${fingerprint}`));
}

function goToRule(id: string): void {
  ruleForm.reset();
  filterRules();
  ruleList.reach(result.requirements.findIndex((row) => row.id === id));
  arrive(document.getElementById(id));
}

function goToExchange(id: string): void {
  const place = places.get(id);
  if (place === undefined) return;
  evidenceForm.reset();
  filterEvidence();
  evidenceList.reach(place);
  showExchange(id);
  arrive(document.getElementById(`evidence-${id}`));
}

function fillIn(form: HTMLFormElement, query: string, filter: () => void): void {
  form.reset();
  for (const [name, value] of new URLSearchParams(query)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) field.value = value;
  }
  filter();
  arrive(form.closest('section'));
}

/** The exchange below its row, whole. */
function showExchange(id: string): void {
  const row = document.getElementById(`evidence-${id}`);
  const line = evidence.lines[id];
  const toggle = row?.querySelector('[data-act=exchange]');
  if (!row || !line || !toggle || toggle.getAttribute('aria-expanded') === 'true') return;
  toggle.setAttribute('aria-expanded', 'true');
  row.insertAdjacentHTML(
    'afterend',
    html`<tr class="whole">
      <td colspan="7">${renderEvidenceLine(line)}</td>
    </tr>`.markup,
  );
}

function onClick({ target }: MouseEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const pressed = target.closest<HTMLElement>('[data-act]');
  if (!pressed) {
    // A place that one is at already makes no event of its own.
    const link = target.closest('a');
    if (link?.hash && link.hash === location.hash) go();
    return;
  }
  const card = pressed.closest<HTMLElement>('[data-cause]');
  const cause = causeOf.get(card?.dataset.cause ?? '');
  const actions: Record<string, () => void> = {
    toggle: () => cause && toggleCause(cause, pressed),
    link: () => void copy(`${location.href.split('#')[0]}#${card?.id ?? ''}`, pressed),
    text: () => cause && void copy(causeText(cause), pressed),
    copy: () => void copy(pressed.parentElement?.querySelector('pre')?.textContent ?? '', pressed),
    exchange: () => toggleExchange(pressed),
    'rules-csv': saveRules,
    'evidence-csv': saveExchanges,
    help: () => help.showModal(),
    close: () => help.close(),
  };
  actions[pressed.dataset.act ?? '']?.();
}

function toggleCause(cause: Cause, pressed: HTMLElement): void {
  const open = pressed.getAttribute('aria-expanded') !== 'true';
  setOpen(cause, open);
  if (open) history.replaceState(null, '', `#finding-${cause.lead.fingerprint}`);
}

function toggleExchange(pressed: HTMLElement): void {
  if (pressed.getAttribute('aria-expanded') !== 'true') showExchange(pressed.dataset.id ?? '');
  else {
    pressed.closest('tr')?.nextElementSibling?.remove();
    pressed.setAttribute('aria-expanded', 'false');
  }
}

function causeText({ lead }: Cause): string {
  const rule = rules.get(lead.requirement);
  return [
    `${lead.requirement}: ${rule?.title ?? lead.message}`,
    `Expected: ${lead.expected}`,
    `Got: ${lead.actual}`,
    `Again: ${lead.reproduce.command}`,
  ].join('\n');
}

function onKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (key === 'Escape' && target === searchBox) {
    searchBox.value = '';
    showFound();
  }
  const isTyping = target instanceof HTMLElement && target.matches('input, select, textarea');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions: Record<string, () => void> = {
    '/': () => searchBox.focus(),
    j: () => move(1),
    k: () => move(-1),
    '?': () => help.showModal(),
  };
  const action = actions[key];
  if (!action || help.open) return;
  event.preventDefault();
  action();
}

/** To the next finding or the one before. */
function move(by: 1 | -1): void {
  const card = document.activeElement?.closest<HTMLElement>('[data-cause]');
  const at = causes.findIndex(({ lead }) => lead.fingerprint === card?.dataset.cause);
  const next = causes[at < 0 ? 0 : at + by];
  if (!next) return;
  setOpen(next, true);
  history.replaceState(null, '', `#finding-${next.lead.fingerprint}`);
  arrive(document.getElementById(`finding-${next.lead.fingerprint}`));
}

function searchable(): readonly Entry[] {
  return (entries ??= indexOf(result, evidence));
}

function showFound(): void {
  const groups = find(searchable(), searchBox.value);
  found.hidden = searchBox.value.trim() === '';
  found.innerHTML = html`${
    groups.length === 0
      ? html`<p class="soft">Nothing found.</p>`
      : groups.map(
          ({ kind, total, hits }) =>
            html`<h3>${kind} (${total})</h3>
              <ul>
                ${hits.map(({ address, title }) => html`<li><a href="${address}">${title}</a></li>`)}
              </ul>`,
        )
  }`.markup;
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
