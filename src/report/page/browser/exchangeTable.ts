import { html } from '../../html/html.ts';
import { csvOf } from '../csv.ts';
import { renderEvidenceLine, renderEvidenceRow } from '../exchangeView.ts';
import { arrive, button, byId, say, valuesOf } from './dom.ts';
import { download } from './download.ts';
import { GrowingList } from './growingList.ts';
import { lazily } from './lazily.ts';
import { evidence } from './pageResult.ts';

const places = new Map(evidence.index.map(([id], place) => [id, place]));
const evidenceList = new GrowingList(byId('exchanges'), button('more-exchanges'), (place: number) => {
  const row = evidence.index[place];
  return row ? renderEvidenceRow(row, place, evidence) : html``;
});
const texts = lazily(() =>
  evidence.index.map((row) => `${row.join(' ')} ${evidence.checks[row[6]] ?? ''}`.toLowerCase()),
);

/** The filter of the exchanges. */
export const evidenceForm = byId('evidence-filter') as HTMLFormElement;

/** Shows the exchanges that match the filter. */
export function filterEvidence(): void {
  const shown = shownExchanges();
  evidenceList.show(shown);
  say(evidenceForm, `${shown.length} of ${evidence.total} shown`);
}

/** Positions of the exchanges that match the filter. */
function shownExchanges(): readonly number[] {
  const { check = '', words = '' } = valuesOf(evidenceForm);
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const number = evidence.checks.indexOf(check);
  return evidence.index.flatMap((row, place) => {
    const fits =
      (check === '' || row[6] === number) && sought.every((word) => texts()[place]?.includes(word));
    return fits ? [place] : [];
  });
}

/** Saves the exchanges that are shown as CSV. */
export function saveExchanges(): void {
  const rows = shownExchanges().flatMap((place) => {
    const row = evidence.index[place];
    return row ? [[...row.slice(0, 6), evidence.checks[row[6]] ?? '', row[7]]] : [];
  });
  const head = ['id', 'after ms', 'method', 'target', 'answer', 'took ms', 'check', 'breaks'];
  download('exchanges.csv', 'text/csv', csvOf([head, ...rows]));
}

/** Scrolls to an exchange and opens it; the filter is cleared, since it may hide it. */
export function goToExchange(id: string): void {
  const place = places.get(id);
  if (place === undefined) return;
  evidenceForm.reset();
  filterEvidence();
  evidenceList.reach(place);
  showExchange(id);
  arrive(document.getElementById(`evidence-${id}`));
}

/** Shows the exchange of a row below it, or hides it again. */
export function toggleExchange(pressed: HTMLElement): void {
  if (pressed.getAttribute('aria-expanded') !== 'true') showExchange(pressed.dataset.id ?? '');
  else {
    pressed.closest('tr')?.nextElementSibling?.remove();
    setToggle(pressed, false);
  }
}

function setToggle(toggle: HTMLElement, isOpen: boolean): void {
  toggle.setAttribute('aria-expanded', String(isOpen));
  toggle.textContent = isOpen ? 'Hide' : 'Show';
}

/** Shows the complete exchange below its row. */
function showExchange(id: string): void {
  const row = document.getElementById(`evidence-${id}`);
  const line = evidence.lines[id];
  const toggle = row?.querySelector<HTMLElement>('[data-act=exchange]');
  if (!row || !line || !toggle || toggle.getAttribute('aria-expanded') === 'true') return;
  setToggle(toggle, true);
  row.insertAdjacentHTML(
    'afterend',
    html`<tr class="whole">
      <td colspan="7">${renderEvidenceLine(line)}</td>
    </tr>`.markup,
  );
}
