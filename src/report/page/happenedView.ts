import type { Finding } from '../../engine/finding.ts';
import { answerOf, headerNamedBy, memberNamedBy, valueNamedBy } from '../member.ts';
import { html, type Html } from '../html/html.ts';
import { callbacksOf, stepsOf } from '../steps.ts';
import { plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import { renderCallbackTimeline } from './callbackTimeline.ts';
import type { CauseContext } from './causeContext.ts';
import { momentTitle, noMarks, renderMoment, type Marks } from './exchangeView.ts';
import { gapsOf, grouped, type MomentGroup } from './grouped.ts';
import { bodyText, decisiveOf, momentsOf, type Moment } from './moments.ts';
import { isSilent } from '../silence.ts';
import { countedIn } from '../story.ts';
import { movedClockText, namesTime } from '../movedClock.ts';
import type { PageEvidence } from './pageData.ts';
import { offendingMember, refusedMember, valueOfCase } from './offending.ts';
import { provenanceOf, provenanceText, type Provenance } from './provenance.ts';
import { withLinks } from './ruleView.ts';
import { renderSequence } from './sequence.ts';
import { wrongOf } from './telling.ts';

const longest = 20_000;

/** The steps in order: the decisive one is open, the others are folded, similar ones are combined. */
export function renderHappened(finding: Finding, { evidence, effects }: CauseContext): Html | null {
  const moments = momentsOf(finding, evidence);
  if (moments.length === 0) return renderStored(finding);
  const decisive = decisiveOf(finding, moments);
  const isCounted = countedIn(finding).length > 0;
  const isUntold = isSilent(finding);
  const last = evidence.lines[decisive ?? ''];
  const sent = last?.type === 'exchange' ? bodyText(last.request.body) : '';
  const marks = {
    ...marksOf(finding),
    request:
      refusedMember(finding, sent) ??
      offendingMember(evidence.contrasts?.[finding.fingerprint], finding.message),
    quoted: valueOfCase(finding),
  };
  const groups = grouped(moments, decisive, { isCounted, ...wrongOf(finding) });
  return html`<h4>What happened</h4>
    ${renderSequence(groups, isUntold)} ${renderCallbackTimeline(moments, decisive)}
    <ol class="steps">
      ${groups.map((group) => renderGroup(group, marks, isUntold ? 'no callback came' : 'breaks the rule'))}
    </ol>
    ${namesTime(finding) ? renderMovedClock(groups, evidence.states) : null}
    ${provenanceOf(finding, moments, effects, evidence.lines).map((made) => renderMade(made, evidence.lines))}`;
}

/** How a record of the case was made before it: the request with its answer, folded, if the page has it. */
function renderMade(made: Provenance, lines: PageEvidence['lines']): Html {
  const line = lines[made.exchange ?? ''];
  const text = provenanceText(made);
  if (line?.type !== 'exchange') return html`<p class="soft">${withLinks(text)}.</p>`;
  const moment: Moment = { kind: 'exchange', line, id: line.id, at: Date.parse(line.startedAt) };
  return html`<details>
    <summary class="soft">${text}: ${momentTitle(moment)}</summary>
    ${renderMoment(moment, noMarks)}
  </details>`;
}

/** Only if what decides contains times. */
function renderMovedClock(groups: readonly MomentGroup[], states: PageEvidence['states']): Html | null {
  const moment = groups.find(({ isDecisive }) => isDecisive)?.moments[0];
  const text = moment === undefined ? null : movedClockText(states, moment.at);
  return text === null ? null : html`<p class="soft">${text}</p>`;
}

function renderGroup({ moments, isDecisive, isTelling }: MomentGroup, marks: Marks, verdict: string): Html {
  const [first] = moments;
  const more = moments.length - 1;
  const gaps = gapsOf({ moments });
  const [before, after] = [renderGap(gaps[0]), renderGap(gaps[1])];
  if (isDecisive)
    return html`<li class="decisive">
      ${before}
      <p class="step">${momentTitle(first)} <span class="badge fail">${verdict}</span></p>
      ${renderMoment(first, marks)} ${after}
    </li>`;
  return html`<li>
    ${before}
    <details ${isTelling ? html`open` : null}>
      <summary>
        ${momentTitle(first)}${more === 0 ? null : html` <span class="soft">and ${more} more like this one</span>`}
      </summary>
      ${renderMoment(first, isTelling ? { ...noMarks, request: marks.member ?? 'callbackData' } : noMarks)}
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
    ${after}
  </li>`;
}

/** Gaps between the steps are mentioned, so that nothing seems to follow from what it does not follow. */
function renderGap(left: number): Html | null {
  return left === 0 ? null : html`<p class="soft">… ${plural(left, 'more request')} of this case</p>`;
}

/** What is wrong with the decisive answer, according to the finding. */
function marksOf(finding: Finding): Marks {
  const member = memberNamedBy(finding);
  const value = valueNamedBy(finding);
  return { member, value, header: headerNamedBy(finding), status: answerOf(finding) !== null };
}

/** If the evidence is missing: what the finding itself stores. */
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
