import type { RunResult } from '../result.ts';
import { shorten } from '../text/printable.ts';
import { howToRecognise } from '../text/recognise.ts';
import { renderFolded } from './tables.ts';
import { html, type Html } from './html.ts';

type SideEffects = RunResult['sideEffects'];

/** Most side effects of one group that are shown; result.json has all. */
const most = 200;

/** Everything that the run left behind, by kind and the role of the key, folded: the APIs have no delete. */
export function renderSideEffects(effects: SideEffects, hasEvidence: boolean): Html {
  const groups = Map.groupBy(
    effects,
    ({ kind, key }) => `${kind}${key === null ? '' : ` with ${roleOf(key)}`}`,
  );
  const kinds = Map.groupBy(effects, ({ kind }) => kind);
  const note = [...kinds].map(([kind, own]) => `${kind}: ${own.length}`).join(' · ');
  return renderFolded(
    { anchor: 'side-effects', title: `Left behind (${effects.length})`, note },
    html`<p class="soft">Records, subscriptions, quota and states that remain. ${howToRecognise}</p>
      ${[...groups].map(([name, own]) => renderGroup(name, own, hasEvidence))}`,
  );
}

/** A run with a state handler has a key for nearly every check: `issued#12` is one of the issued ones. */
function roleOf(key: string): string {
  return key.replace(/#\d+$/, '');
}

function renderGroup(name: string, effects: SideEffects, hasEvidence: boolean): Html {
  const possible = effects.filter(({ certainty }) => certainty === 'possible').length;
  return html`<details class="card">
    <summary>
      ${name}: ${effects.length}${possible === 0 ? '' : `, ${possible} of them only possible`}
    </summary>
    <ul class="effects">
      ${effects.slice(0, most).map(
        ({ id, certainty, createdAt, exchange }) =>
          html`<li>
            <code>${shorten(id ?? 'unknown', 200)}</code>
            <span class="soft">${certainty === 'possible' ? 'possible, ' : ''}${createdAt}</span>
            ${exchange === null ? null : hasEvidence ? html`<a href="#evidence/${exchange}">${exchange}</a>` : exchange}
          </li>`,
      )}
    </ul>
    ${effects.length > most ? html`<p class="soft">… and ${effects.length - most} more in result.json.</p>` : null}
  </details>`;
}
