import type { Finding } from '../../engine/finding.ts';
import { memberNamedBy, type Cause } from '../causes.ts';
import { html, concatenated, type Html } from '../html/html.ts';
import type { RequirementResult } from '../result.ts';
import { sourceText } from '../sources.ts';
import { standingOf } from '../standing.ts';
import { callbacksOf, stepsOf } from '../steps.ts';
import { plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import { adviceForRequirement } from './advice.ts';
import { difference, type TextPart } from './difference.ts';
import { momentTitle, noMarks, renderMoment, type Marks } from './exchangeView.ts';
import { bodyText, decisiveOf, grouped, momentsOf, type MomentGroup } from './moments.ts';
import type { PageEvidence } from './pageData.ts';
import { renderSequence } from './sequence.ts';

/** What a card is made with. */
export interface CauseContext {
  readonly evidence: PageEvidence;
  readonly rules: ReadonlyMap<string, RequirementResult>;
}

const words = { fail: '✗ failed', warn: '! warning', known: '= known' } as const;
const longest = 20_000;

/** What stands of a cause before it is opened: the rule, the difference, and how much hangs on it. */
export function renderCauseHead(cause: Cause, { rules }: CauseContext): Html {
  const { lead, others, heldBack } = cause;
  const rule = rules.get(lead.requirement);
  const standing = standingOf(lead);
  const facts = [
    rule ? sourceText(rule.source) : '',
    ...(others.length > 0 ? [`${plural(others.length, 'more finding')} of this cause`] : []),
    ...(heldBack.length > 0 ? [`keeps ${plural(heldBack.length, 'requirement')} from being judged`] : []),
  ].filter(Boolean);
  return html`<p class="kind">
      <span class="badge ${standing}">${words[standing]}</span> ${lead.level ?? 'must'} ·
      <a href="#${lead.requirement}">${lead.requirement}</a>
    </p>
    <h3>${shorten(rule?.title ?? lead.message, 400)}</h3>
    ${renderDifference(lead)}
    <p class="soft">${facts.join(' · ')}</p>`;
}

/** Expected and got below each other, what differs marked. */
function renderDifference({ expected, actual }: Finding): Html {
  const [want, got] = difference(expected, actual);
  return html`<dl class="difference">
    <dt>Expected</dt>
    <dd><code>${concatenated(want.map((part) => renderPart(part, 'ins')))}</code></dd>
    <dt>Got</dt>
    <dd><code>${concatenated(got.map((part) => renderPart(part, 'mark')))}</code></dd>
  </dl>`;
}

function renderPart({ text, differs }: TextPart, name: 'ins' | 'mark'): Html {
  if (!differs) return html`${text}`;
  return name === 'ins' ? html`<ins>${text}</ins>` : html`<mark>${text}</mark>`;
}

/** Everything that one needs to repair it. */
export function renderCauseBody(cause: Cause, context: CauseContext): Html {
  const { lead, others, heldBack } = cause;
  const { rules } = context;
  const rule = rules.get(lead.requirement);
  const { why, look } = adviceForRequirement(lead.requirement);
  return html`${renderHappened(lead, context)}
    <h4>The rule</h4>
    <blockquote>${shorten(rule?.title ?? lead.message, 2000)}</blockquote>
    <p>${rule === undefined ? null : `${sourceText(rule.source)}, a ${rule.level}. `}${why}</p>
    <h4>What to look at</h4>
    <p>${look}</p>
    ${
      others.length === 0
        ? null
        : html`<h4>Also by this cause (${others.length})</h4>
            <ul class="also">
              ${others.map((other) => renderOther(other, lead, rules))}
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
    ${renderAgain(lead)}`;
}

/** Another finding of the cause; what it expected and got only where that is not what the first one did. */
function renderOther(other: Finding, lead: Finding, rules: CauseContext['rules']): Html {
  const rule = rules.get(other.requirement);
  const isSame = other.expected === lead.expected && other.actual === lead.actual;
  return html`<li id="finding-${other.fingerprint}" tabindex="-1">
    <a href="#${other.requirement}">${other.requirement}</a> ${shorten(rule?.title ?? other.message, 300)}
    <span class="soft"
      >${other.check}, confirmed ${other.confirmed}${isSame ? ', expected and got the same' : ''}</span
    >
    ${isSame ? null : renderDifference(other)}
  </li>`;
}

function renderAgain({
  reproduce,
  fingerprint,
  check,
  confirmed,
  counterexample,
  exchanges,
  logs = [],
}: Finding): Html {
  return html`<h4>Have it again</h4>
    ${copyable(reproduce.command)}
    ${reproduce.curl === null ? null : copyable(shorten(reproduce.curl, longest))}
    <dl>
      ${counterexample === null ? null : row('Case', html`<code>${shorten(counterexample, 2000)}</code>`)}
      ${row('Found by', html`<code>${check}</code>, confirmed ${confirmed}, seed ${reproduce.seed}`)}
      ${row('Fingerprint', html`<code>${fingerprint}</code>`)}
      ${exchanges.length === 0 ? null : row('Evidence', html`${exchanges.slice(0, 60).map((id) => html`<a href="#evidence/${id}">${id}</a> `)}`)}
      ${logs.length === 0 ? null : row('Container log', html`<pre>${shorten(logs.map(({ at, container, text }) => `${at.slice(11, 23)}  ${container}  ${text}`).join('\n'), longest)}</pre>`)}
    </dl>`;
}

function row(term: string, value: Html): Html {
  return html`<dt>${term}</dt>
    <dd>${value}</dd>`;
}

/** Text that is made to be pasted; the script of the page adds the button. */
export function copyable(text: string): Html {
  return html`<div class="copyable"><pre class="once">${text}</pre></div>`;
}

/** The steps in their order: the one that decides is open, the others are folded, alike ones are one. */
function renderHappened(finding: Finding, { evidence }: CauseContext): Html | null {
  const moments = momentsOf(finding, evidence);
  if (moments.length === 0) return renderStored(finding);
  const decisive = decisiveOf(finding, moments);
  const groups = grouped(moments, decisive);
  const marks = marksOf(finding);
  const telling = tellingOf(groups, marks.member);
  return html`<h4>What happened</h4>
    ${renderSequence(moments, decisive)}
    <ol class="steps">
      ${groups.map((group) => renderGroup(group, { marks, isTelling: group === telling }))}
    </ol>`;
}

/**
 * The request that one has to see beside what decides: of a callback the one that gave the member, of a read answer the
 * last that changed anything.
 */
function tellingOf(groups: readonly MomentGroup[], member: string | null): MomentGroup | undefined {
  const at = groups.findIndex(({ isDecisive }) => isDecisive);
  const decisive = groups[at]?.moments[0];
  const isAsking = (asked: (body: string) => boolean) => (group: MomentGroup) =>
    group.moments[0].kind === 'exchange' && asked(bodyText(group.moments[0].line.request.body));
  if (decisive?.kind === 'delivery' && member !== null)
    return groups.findLast(isAsking((body) => body.includes(`"${member.split('.').at(-1) ?? member}"`)));
  if (decisive?.kind === 'exchange' && decisive.line.request.method === 'GET')
    return groups.slice(0, at).findLast(isAsking((body) => body !== ''));
  return undefined;
}

interface Shown {
  readonly marks: Marks;
  /** It is open, though it does not decide. */
  readonly isTelling: boolean;
}

function renderGroup({ moments, isDecisive }: MomentGroup, { marks, isTelling }: Shown): Html {
  const [first] = moments;
  const more = moments.length - 1;
  if (isDecisive)
    return html`<li class="decisive">
      <p class="step">${momentTitle(first)} <span class="badge fail">this shows it</span></p>
      ${renderMoment(first, marks)}
    </li>`;
  return html`<li>
    <details ${isTelling ? html`open` : null}>
      <summary>
        ${momentTitle(first)}${more === 0 ? null : html` <span class="soft">and ${more} more like this one</span>`}
      </summary>
      ${renderMoment(first, isTelling ? { ...noMarks, request: marks.member } : noMarks)}
      ${
        more === 0
          ? null
          : html`<p class="soft">
              Alike:
              ${shorten(
                moments
                  .slice(1)
                  .map(({ id }) => id)
                  .join(', '),
                2000,
              )}
            </p>`
      }
    </details>
  </li>`;
}

/** What a finding says that is wrong with the deciding answer. */
function marksOf(finding: Finding): Marks {
  const { expected, actual } = finding;
  const member = memberNamedBy(finding);
  const status = /\bHTTP \d/.test(expected) && /^HTTP \d/.test(actual);
  return { member, header: member === null && !status ? `${expected} ${actual}` : '', status };
}

/** Without evidence beside the report: what the finding itself keeps. */
function renderStored(finding: Finding): Html | null {
  const steps = [...stepsOf(finding), ...callbacksOf(finding)];
  if (steps.length === 0) return null;
  return html`<h4>What happened</h4>
    <ol class="steps">
      ${steps.map(({ line, body }) =>
        body === null
          ? html`<li><code>${shorten(line, 400)}</code></li>`
          : html`<li>
              <details>
                <summary><code>${shorten(line, 400)}</code></summary>
                <pre>${shorten(body, longest)}</pre>
              </details>
            </li>`,
      )}
    </ol>`;
}
