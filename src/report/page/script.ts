// The script of the report page: it shows the page's data bit by bit and makes links work. All markup comes from the escaping template.
// The parts of the page are in browser/.
import {
  addCopyButtons,
  causeTicket,
  goToFinding,
  goToNextFinding,
  showCauses,
  showCausesForPrint,
  toggleCause,
} from './browser/causeCards.ts';
import { arrive, byId, copy, valuesOf } from './browser/dom.ts';
import {
  evidenceForm,
  filterEvidence,
  goToExchange,
  saveExchanges,
  toggleExchange,
} from './browser/exchangeTable.ts';
import { causeOf, evidence, rules } from './browser/pageResult.ts';
import { filterRules, goToRule, ruleForm, saveRules } from './browser/ruleTable.ts';
import { searchable, searchBox, showAllFound, showFound } from './browser/searchBox.ts';
import { addZoom } from './browser/zoom.ts';

const help = byId('help') as HTMLDialogElement;

start();

function start(): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) part.hidden = false;
  showCauses();
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
  addEventListener('beforeprint', showCausesForPrint);
  document.addEventListener('toggle', addCopyButtons, true);
  addZoom();
  // After the page is drawn, so that the first search does not have to wait.
  setTimeout(searchable, 300);
  go();
}

/** Stores the filter in the address, so that it can be shared. */
function remember(part: string, form: HTMLFormElement): void {
  const given = new URLSearchParams(Object.entries(valuesOf(form)).filter(([, value]) => value !== ''));
  history.replaceState(null, '', given.size === 0 ? `#${part}` : `#${part}?${given}`);
}

/** Goes to the address: a finding, a requirement, an exchange, a filter, or an anchor of the page. */
function go(): void {
  const [place = '', query = ''] = decodeURIComponent(location.hash.slice(1)).split('?');
  const [part, id] = place.split('/');
  if (place.startsWith('finding-')) goToFinding(place.slice('finding-'.length));
  else if (rules.has(place)) goToRule(place);
  else if (part === 'evidence' && id !== undefined) goToExchange(place.slice('evidence/'.length));
  else if (place === 'requirements' && query !== '') fillIn(ruleForm, query, filterRules);
  else if (place === 'evidence' && query !== '') fillIn(evidenceForm, query, filterEvidence);
  else if (place !== '') arrive(document.getElementById(place));
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

function onClick({ target }: MouseEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const pressed = target.closest<HTMLElement>('[data-act]');
  if (!pressed) {
    // Following a link to the current address triggers no event.
    const link = target.closest('a');
    if (link?.hash && link.hash === location.hash) go();
    return;
  }
  const card = pressed.closest<HTMLElement>('[data-cause]');
  const cause = causeOf.get(card?.dataset.cause ?? '');
  const actions: Record<string, () => void> = {
    toggle: () => cause && toggleCause(cause, pressed),
    link: () => void copy(`${location.href.split('#')[0]}#${card?.id ?? ''}`, pressed),
    markdown: () => cause && void copy(causeTicket(cause), pressed),
    copy: () => void copy(pressed.parentElement?.querySelector('pre')?.textContent ?? '', pressed),
    exchange: () => toggleExchange(pressed),
    'rules-csv': saveRules,
    'evidence-csv': saveExchanges,
    'all-found': () => showAllFound(pressed.dataset.kind ?? ''),
    help: () => help.showModal(),
    close: () => help.close(),
  };
  actions[pressed.dataset.act ?? '']?.();
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
    j: () => goToNextFinding(1),
    k: () => goToNextFinding(-1),
    '?': () => help.showModal(),
  };
  const action = actions[key];
  if (!action || help.open) return;
  event.preventDefault();
  action();
}
