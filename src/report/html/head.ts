import type { Finding } from '../../engine/findings/finding.ts';
import { caseNameOf } from '../caseName.ts';
import type { Cause } from '../causes.ts';
import type { RunResult } from '../result.ts';
import { nextStep, recordAgain } from '../next.ts';
import { headlineOf, headlineText, isLoad as isOfLoad } from '../headline.ts';
import { countStates, findingState, stateTexts } from '../states.ts';
import { plural } from '../text/format.ts';
import { oneLine, shorten } from '../text/printable.ts';
import { causeLine } from '../terminal/cause.ts';
import { coverageText, targetText, trafficText } from '../verdictText.ts';
import { html, type Html } from './html.ts';

type Anchor = readonly [anchor: string, title: string];

/** The first screen: the verdict, its reasons, what to do next, and how much was judged. */
export function renderHead(result: RunResult, causes: readonly Cause[], anchors: readonly Anchor[]): Html {
  const isLoad = isOfLoad(result);
  const head = headlineOf(result);
  const reasons = (result.summary.reasons ?? []).filter((reason) => !isSaidBy(headlineText(head), reason));
  const documents = result.tool.documents ?? [];
  return html`<header class="top">
    <p class="product">
      <b>Gatecheck</b> ${isLoad ? 'load report' : 'conformance report'} of
      <b>${shorten(result.target.name ?? targetOf(result), 200)}</b>
      <span class="soft"
        >${documents.map(({ title: name, version }) => `${name} ${version}`).join(' · ')}</span
      >
    </p>
    <div class="tools" data-live hidden>
      <label class="seek"
        >Search everything <input id="search" type="search" placeholder="rules, requests, ids (key /)"
      /></label>
      <button type="button" data-act="help" aria-label="Keys">?</button>
    </div>
    <div id="found" class="card" role="region" aria-label="Found" hidden></div>
    <div class="card verdict ${head.tone}">
      <h1><span aria-hidden="true">${head.mark}</span> ${headlineText(head)}</h1>
      <p>${head.meaning}</p>
      ${
        reasons.length === 0
          ? null
          : reasons.length === 1
            ? html`<p>${shorten(reasons[0] ?? '', 2000)}</p>`
            : html`<ul>
                ${reasons.map((reason) => html`<li>${shorten(reason, 2000)}</li>`)}
              </ul>`
      }
      ${renderNext(result, causes)}${renderCauses(result, causes)}
      ${isLoad ? null : html`<div class="bars">${renderBar(result, 'must')}${renderBar(result, 'should')}</div>`}
      ${
        isLoad
          ? null
          : html`<ul class="facts">
              ${renderCounts(result)}
            </ul>`
      }
      <p class="soft">${targetText(result)} · ${trafficText(result)}</p>
      <p class="soft">started <time datetime="${result.run.startedAt}">${result.run.startedAt}</time></p>
    </div>
    <nav aria-label="Parts of this report">
      ${anchors.map(([anchor, name]) => html`<a href="#${anchor}">${name}</a>`)}
    </nav>
  </header>`;
}

/** Whether the headline ends with a reason. */
function isSaidBy(headline: string, reason: string): boolean {
  return headline.toLowerCase().endsWith(`: ${reason.replace(/\.$/, '').toLowerCase()}`);
}

function targetOf({ target }: RunResult): string {
  return target.baseUrl ?? (Object.values(target.baseUrls).join(', ') || `${target.kind} target`);
}

/** What to do now. */
function renderNext(result: RunResult, causes: readonly Cause[]): Html | null {
  const { summary } = result;
  const next = nextStep(result, causes);
  if (next !== null)
    return html`<p class="next">
        <b>Next:</b> ${next.count} Start with
        <a href="#finding-${next.lead.fingerprint}">${next.lead.requirement}: ${shorten(next.title, 300)}</a>
        ${next.blocks} Once it is fixed,
        ${next.command === null ? recordAgain : html`run <code>${shorten(next.command, 300)}</code>`}.
      </p>
      ${causes.length === 1 ? html`<p class="got">${renderGot(next.lead)}</p>` : null}`;
  if (isOfLoad(result)) return null;
  if (summary.verdict === 'partial' || summary.verdict === 'inconclusive')
    return html`<p class="next">
      <b>Next:</b> look at <a href="#not-judged">what was not judged</a>, and enable it.
    </p>`;
  return null;
}

/** Causes that are shown with their rule; the others are one line. */
const mostCauses = 10;
const mostListed = 100;

/** If there is more than one cause, one line for each, so that nobody has to scroll for them. */
function renderCauses({ requirements }: RunResult, causes: readonly Cause[]): Html | null {
  if (causes.length < 2) return null;
  const titles = new Map(requirements.map(({ id, title }) => [id, title]));
  return html`<ol class="causes" aria-label="Causes">
    ${causes.slice(0, mostCauses).map(({ lead, broken, heldBack }) => {
      const facts = [
        ...(broken.length > 1 ? [`breaks ${plural(broken.length, 'rule')}`] : []),
        ...(heldBack.length > 0 ? [`keeps ${heldBack.length} from being judged`] : []),
      ];
      return html`<li class="${findingState(lead)}">
        <a href="#finding-${lead.fingerprint}"
          ><b>${lead.requirement}</b> ${shorten(titles.get(lead.requirement) ?? lead.message, 160)}</a
        >${facts.length === 0 ? null : html` <span class="soft">${facts.join(', ')}</span>`}<br />
        <span class="soft">${renderGot(lead)}</span>
      </li>`;
    })}
    ${causes.slice(mostCauses, mostListed).map(({ lead }) => html`<li class="${findingState(lead)} rest"><a href="#finding-${lead.fingerprint}">${lead.requirement}</a> <span class="soft">${causeLine(lead)}</span></li>`)}
    ${causes.length > mostListed ? html`<li class="more soft">and <a href="#findings">${causes.length - mostListed} more</a></li>` : null}
  </ol>`;
}

const longestValue = 160;

/** What the target does, next to the rule that says what it should do. */
function renderGot(finding: Finding): Html {
  const { expected, actual } = finding;
  const name = caseNameOf(finding);
  return html`${name === null ? null : html`${oneLine(shorten(name, 60))}: `}got
    <code>${oneLine(shorten(actual, longestValue))}</code>, expected
    <code>${oneLine(shorten(expected, longestValue))}</code>`;
}

function renderBar(result: RunResult, level: 'must' | 'should'): Html {
  const { judged, total } = result.summary.coverage[level];
  const share = total === 0 ? 0 : (judged * 100) / total;
  return html`<div>
    <div>${coverageText(result, level)}</div>
    <div class="bar" aria-hidden="true">
      <svg viewBox="0 0 100 1" preserveAspectRatio="none">
        <rect width="${share.toFixed(1)}" height="1" />
      </svg>
    </div>
  </div>`;
}

function renderCounts({ requirements }: RunResult): Html[] {
  return countStates(requirements).map(({ state, count }) => {
    const { mark, counted } = stateTexts[state];
    return html`<li>
      <a href="#requirements?verdict=${state}"
        ><span aria-hidden="true">${mark}</span> <b>${count}</b> ${counted}</a
      >
    </li>`;
  });
}
