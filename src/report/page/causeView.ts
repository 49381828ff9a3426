import type { Finding } from '../../engine/findings/finding.ts';
import type { Cause } from '../causes.ts';
import { isPassive } from '../causeTraits.ts';
import { html, concatenated, type Html } from '../html/html.ts';
import { renderTimeline } from '../html/timeline.ts';
import { caseNameOf, casesText } from '../caseName.ts';
import { scriptCommand } from '../replayParts.ts';
import { sourceText } from '../sources.ts';
import { findingState, stateText } from '../states.ts';
import { plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import type { CauseContext } from './causeContext.ts';
import { renderContrast, difference, type TextPart, spreadText } from './difference.ts';
import { placeOf } from '../placeOf.ts';
import { renderHappened } from './happenedView.ts';
import { withLinks } from './ruleView.ts';
import { reasonsOf } from '../story.ts';

const longest = 20_000;

/** The summary of a cause: the rule, the difference, and how much depends on it. */
export function renderCauseHead(cause: Cause, { rules, since }: CauseContext): Html {
  const { lead, others, heldBack } = cause;
  const rule = rules.get(lead.requirement);
  const state = findingState(lead);
  const place = placeOf(lead);
  const caseName = caseUnlessPlace(lead, place) === null ? null : casesText(lead, others);
  const facts = [
    rule ? sourceText(rule.source) : '',
    ...(since[lead.requirement] === undefined ? [] : [since[lead.requirement] ?? '']),
    ...(others.length > 0 ? [`${plural(others.length, 'more finding')} of this cause`] : []),
    ...(heldBack.length > 0 ? [`keeps ${plural(heldBack.length, 'requirement')} from being judged`] : []),
  ].filter(Boolean);
  return html`<p class="kind">
      <span class="badge ${state}">${stateText(state)}</span> ${lead.level ?? 'must'} ·
      <a href="#${lead.requirement}">${lead.requirement}</a>
    </p>
    <h3>${shorten(rule?.title ?? lead.message, 400)}</h3>
    ${place === null ? null : html`<p><code>${place}</code></p>`}
    ${caseName === null ? null : html`<p><span class="soft">In the case</span> <b>${caseName}</b></p>`}
    ${renderDifference(lead)} ${renderReasons(lead)}
    <p class="soft">${facts.join(' · ')}</p>`;
}

/** Null for a case that is only named after its operation. */
function caseUnlessPlace(lead: Finding, place: string | null): string | null {
  const name = caseNameOf(lead);
  return name !== null && place?.includes(` ${name},`) === true ? null : name;
}

/** Expected and got below each other, with the differences marked. */
function renderDifference({ expected, actual }: Finding): Html {
  const [want, got] = difference(expected, actual);
  return html`<dl class="difference">
    <dt>Expected</dt>
    <dd><code>${concatenated(want.map((part) => renderPart(part, 'ins')))}</code></dd>
    <dt>Actual</dt>
    <dd><code>${concatenated(got.map((part) => renderPart(part, 'mark')))}</code></dd>
  </dl>`;
}

/** What made the expectation true, step by step. */
function renderReasons(finding: Finding): Html | null {
  const reasons = reasonsOf(finding);
  if (reasons.length === 0) return null;
  return html`<p class="soft">Because of</p>
    <ol class="reasons">
      ${reasons.map((text) => html`<li>${withLinks(shorten(text, 300))}</li>`)}
    </ol>`;
}

function renderPart({ text, differs }: TextPart, name: 'ins' | 'mark'): Html {
  if (!differs) return html`${text}`;
  return name === 'ins' ? html`<ins>${text}</ins>` : html`<mark>${text}</mark>`;
}

/** Everything needed to repair it. */
export function renderCauseBody(cause: Cause, context: CauseContext): Html {
  const { lead, others, heldBack } = cause;
  const { rules, evidence } = context;
  const rule = rules.get(lead.requirement);
  const spread = spreadText(evidence.spreads?.[lead.requirement]);
  return html`${renderPlot(lead, context)} ${renderHappened(lead, context)}
    ${renderContrast(evidence.contrasts?.[lead.fingerprint])}
    ${
      spread === null
        ? null
        : html`<h4>Where it shows</h4>
            <p>${spread}.</p>`
    }
    <h4>The rule</h4>
    <blockquote>${shorten(rule?.quote ?? rule?.title ?? lead.message, 2000)}</blockquote>
    <p>
      ${rule === undefined ? null : `${sourceText(rule.source)}, a ${rule.level}. `}${rule?.advice?.why ?? null}
    </p>
    ${
      rule?.advice === undefined
        ? null
        : html`<h4>What to look at</h4>
            <p>${rule.advice.look}</p>`
    }
    ${
      others.length === 0
        ? null
        : html`<h4>Also by this cause (${others.length})</h4>
            <ul class="also">
              ${apart(others, lead).map((alike) => renderOther(alike, lead, rules))}
            </ul>`
    }
    ${
      heldBack.length === 0
        ? null
        : html`<h4>Not judged because of it (${heldBack.length})</h4>
            <details>
              <summary>${plural(heldBack.length, 'requirement')}</summary>
              <p class="ids">${heldBack.map((id) => html`<a href="#${id}">${id}</a>`)}</p>
            </details>`
    }
    ${renderAgain(lead, evidence)}`;
}

/** The requests of the key that a finding about a limit counts, over time. */
function renderPlot({ requirement, got }: Finding, { limits, evidence }: CauseContext): Html | null {
  const [first] = requirement.startsWith('SHR-LIM-') && got?.kind === 'count' ? got.ids : [];
  const line = evidence.lines[first ?? ''];
  const key = line?.type === 'exchange' ? line.key : null;
  const plot = limits?.timelines?.find(({ title }) => key !== null && ` ${title} `.includes(`, key ${key} `));
  return plot === undefined ? null : renderTimeline(plot);
}

type Alike = readonly [Finding, ...Finding[]];

/** The other findings; repeated ones of one case of a check are combined. */
function apart(others: readonly Finding[], lead: Finding): readonly Alike[] {
  const groups = Map.groupBy(others, ({ fingerprint }) => fingerprint);
  return [...groups]
    .filter(([fingerprint]) => fingerprint !== lead.fingerprint)
    .map(([, alike]) => alike as unknown as Alike);
}

/** Another finding of the cause; what it expected and got is shown only if it differs from the first. */
function renderOther([other, ...alike]: Alike, lead: Finding, rules: CauseContext['rules']): Html {
  const caseName = caseNameOf(other);
  const rule = rules.get(other.requirement);
  const isSame = other.expected === lead.expected && other.actual === lead.actual;
  return html`<li id="finding-${other.fingerprint}" tabindex="-1">
    <a href="#${other.requirement}">${other.requirement}</a> ${shorten(rule?.title ?? other.message, 300)}
    <span class="soft"
      >${other.check}${caseName === null ? '' : `, ${caseName}`}, confirmed
      ${other.confirmed}${alike.length > 0 ? `, ${alike.length} more times` : ''}${isSame ? ', expected and got the same' : ''}</span
    >
    ${isSame ? null : renderDifference(other)}
  </li>`;
}

function renderAgain(finding: Finding, evidence: CauseContext['evidence']): Html {
  const { reproduce, fingerprint, check, confirmed, counterexample, exchanges, logs = [] } = finding;
  const script = scriptCommand(finding, evidence);
  // What an oracle saw is the answer shown above.
  const shownAbove = isPassive(finding);
  return html`<h4>Reproduce</h4>
    ${copyable(reproduce.command)}
    ${reproduce.curl === null ? null : copyable(shorten(reproduce.curl, longest))}
    ${
      script === null
        ? null
        : html`<p class="soft">As a script that needs no Gatecheck:</p>
            ${copyable(script)}`
    }
    <dl>
      ${counterexample === null || shownAbove ? null : row('Case', html`<code>${shorten(counterexample, 2000)}</code>`)}
      ${row('Found by', html`<code>${check}</code>, confirmed ${confirmed}, seed ${reproduce.seed}`)}
      ${row('Fingerprint', html`<code>${fingerprint}</code>`)}
      ${exchanges.length === 0 ? null : row('Evidence', renderIds(exchanges))}
      ${logs.length === 0 ? null : row('Container log', html`<pre>${shorten(logs.map(({ at, container, text }) => `${at.slice(11, 23)}  ${container}  ${text}`).join('\n'), longest)}</pre>`)}
    </dl>`;
}

const mostIds = 12;

/** Links to the evidence; of a long list only both ends. */
function renderIds(ids: readonly string[]): Html {
  const link = (id: string) => html`<a href="#evidence/${id}">${id}</a> `;
  if (ids.length <= mostIds) return html`${ids.map(link)}`;
  return html`${ids.slice(0, 3).map(link)}… ${ids.slice(-3).map(link)}
    <span class="soft">(${ids.length})</span>`;
}

function row(term: string, value: Html): Html {
  return html`<dt>${term}</dt>
    <dd>${value}</dd>`;
}

/** Text for pasting; the page's script adds the button. */
export function copyable(text: string): Html {
  return html`<div class="copyable"><pre class="once">${text}</pre></div>`;
}
