import type { Cause } from '../causes.ts';
import type { CauseContext } from '../page/causeContext.ts';
import { copyable, renderCauseBody, renderCauseHead } from '../page/causeView.ts';
import { findingState } from '../states.ts';
import { html, type Html } from './html.ts';

/** Number of causes that are shown in full without a script; of the others, only the summary and the command. */
const whole = 20;

/** The findings by cause: a list that the page's script fills, and what is shown without one. */
export function renderFindings(causes: readonly Cause[], context: CauseContext): Html {
  return html`<section id="findings" tabindex="-1">
    <h2>Findings</h2>
    ${
      causes.length === 0
        ? html`<p class="soft">None.</p>`
        : html`<p class="soft">
            x… is a request with its answer, c… a callback. Keys go by their role: primary, other (of another
            enterprise), issued (made for the run, with the enterprise that it is of; new-… is one of a
            check), unknown (never issued).
          </p>`
    }
    <div id="causes"></div>
    <button type="button" id="more-causes" hidden>more</button>
    <noscript>
      ${causes.map(
        (cause, index) =>
          html`<article class="card cause ${findingState(cause.lead)}" id="finding-${cause.lead.fingerprint}">
            ${renderCauseHead(cause, context)}
            ${index < whole ? renderCauseBody(cause, context) : copyable(cause.lead.reproduce.command)}
          </article>`,
      )}
    </noscript>
  </section>`;
}
