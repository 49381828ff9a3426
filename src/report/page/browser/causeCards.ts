import type { Cause } from '../../causes.ts';
import { html, type Html } from '../../html/html.ts';
import type { CauseContext } from '../causeContext.ts';
import { findingState } from '../../states.ts';
import { ticketOf } from '../ticket.ts';
import { renderCauseBody, renderCauseHead } from '../causeView.ts';
import { arrive, button, byId } from './dom.ts';
import { GrowingList } from './growingList.ts';
import { causeOf, causes, evidence, result, rules, since } from './pageResult.ts';

const context: CauseContext = {
  ...{ evidence, rules, since },
  effects: result.sideEffects,
  limits: result.limits,
};
const causeList = new GrowingList(byId('causes'), button('more-causes'), renderCause);

/** Shows the cards, the first of them open. */
export function showCauses(): void {
  causeList.show(causes);
  const [first] = causes;
  if (first) setOpen(first, true);
}

/** Number of cards that are printed, and of those with their details. */
const printed = { cards: 200, whole: 40 };

/** Makes what is printed; the style shows details there that are closed on the screen. */
export function showCausesForPrint(): void {
  causeList.reach(Math.min(causes.length, printed.cards) - 1);
  for (const cause of causes.slice(0, printed.whole)) fillIn(cause);
}

/** The detail of a card; its content is made the first time. */
function fillIn(cause: Cause): HTMLElement | null {
  const card = document.getElementById(`finding-${cause.lead.fingerprint}`);
  const detail = card?.querySelector<HTMLElement>('.detail') ?? null;
  if (detail?.childElementCount === 0) {
    detail.innerHTML = renderCauseBody(cause, context).markup;
    addCopyButtons();
  }
  return detail;
}

function renderCause(cause: Cause): Html {
  const { fingerprint } = cause.lead;
  return html`<article
    class="card cause ${findingState(cause.lead)}"
    id="finding-${fingerprint}"
    tabindex="-1"
    data-cause="${fingerprint}"
  >
    ${renderCauseHead(cause, context)}
    <p class="tools">
      <button type="button" data-act="toggle" aria-expanded="false">▸ Show details</button>
      <button type="button" data-act="link">Copy link</button>
      <button type="button" data-act="markdown">Copy as Markdown</button>
    </p>
    <div class="detail" hidden></div>
  </article>`;
}

/** Opens a card, or closes it. */
export function toggleCause(cause: Cause, pressed: HTMLElement): void {
  const open = pressed.getAttribute('aria-expanded') !== 'true';
  setOpen(cause, open);
  if (open) history.replaceState(null, '', `#finding-${cause.lead.fingerprint}`);
}

/** Opens or closes a card. */
function setOpen(cause: Cause, open: boolean): void {
  causeList.reach(causes.indexOf(cause));
  const detail = fillIn(cause);
  if (!detail) return;
  detail.hidden = !open;
  const toggle = detail.closest('.cause')?.querySelector<HTMLElement>('[data-act=toggle]');
  toggle?.setAttribute('aria-expanded', String(open));
  if (toggle) toggle.textContent = open ? '▾ Hide details' : '▸ Show details';
}

/** Gives each text that can be copied its button. */
export function addCopyButtons(): void {
  for (const box of document.querySelectorAll('.copyable:not(:has(button))'))
    box.insertAdjacentHTML('beforeend', html`<button type="button" data-act="copy">Copy</button>`.markup);
}

/** Scrolls to the card of a finding and opens it. */
export function goToFinding(fingerprint: string): void {
  const cause = causeOf.get(fingerprint);
  if (!cause) return;
  setOpen(cause, true);
  arrive(document.getElementById(`finding-${fingerprint}`));
}

/** Goes to the next or the previous finding. */
export function goToNextFinding(by: 1 | -1): void {
  const card = document.activeElement?.closest<HTMLElement>('[data-cause]');
  const at = causes.findIndex(({ lead }) => lead.fingerprint === card?.dataset.cause);
  const next = causes[at < 0 ? 0 : at + by];
  if (!next) return;
  setOpen(next, true);
  history.replaceState(null, '', `#finding-${next.lead.fingerprint}`);
  arrive(document.getElementById(`finding-${next.lead.fingerprint}`));
}

/** A finding as Markdown, for an issue tracker. */
export function causeTicket(cause: Cause): string {
  const { fingerprint, requirement } = cause.lead;
  const link = `${location.href.split('#')[0] ?? ''}#finding-${fingerprint}`;
  return ticketOf(cause, { rule: rules.get(requirement), evidence, result, link });
}
