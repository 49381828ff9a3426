import type { Finding } from '../../engine/findings/finding.ts';
import { html, type Html } from '../html/html.ts';
import { callbacksOf, stepsOf } from '../steps.ts';
import { formatDuration, plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import type { CauseContext } from './causeContext.ts';
import { momentTitle, renderMoment } from './exchangeView.ts';
import { findingStory, noMarks, type FindingStory, type Marks, type StoryStep } from './findingStory.ts';
import type { Moment } from './moments.ts';
import { withLinks } from './ruleView.ts';

const longest = 20_000;

/** The steps in order: the decisive one is open, the others are folded, similar ones are combined. */
export function renderHappened(finding: Finding, { evidence, effects }: CauseContext): Html | null {
  const story = findingStory(finding, evidence, effects);
  if (story === null) return renderStored(finding);
  const { steps, marks, verdict, clock, made } = story;
  return html`<h4>What happened</h4>
    <ol class="steps">
      ${steps.map((step) => renderStep(step, marks, verdict))}
    </ol>
    ${clock === null ? null : html`<p class="soft">${clock}</p>`} ${made.map(renderMade)}`;
}

/** How a record of the case was made before it: the request with its answer, folded, if the page has it. */
function renderMade({ text, line }: FindingStory['made'][number]): Html {
  if (line?.type !== 'exchange') return html`<p class="soft">${withLinks(text)}.</p>`;
  const moment: Moment = { kind: 'exchange', line, id: line.id, at: Date.parse(line.startedAt) };
  return html`<details>
    <summary class="soft">${text}: ${momentTitle(moment)}</summary>
    ${renderMoment(moment, noMarks)}
  </details>`;
}

function renderStep(step: StoryStep, marks: Marks, verdict: string): Html {
  const [first] = step.moments;
  const more = step.moments.length - 1;
  const [before, after] = [renderGap(step.gaps[0]), renderGap(step.gaps[1])];
  const when = step.afterMs === 0 ? null : html`<span class="soft">+${formatDuration(step.afterMs)}</span>`;
  if (step.isDecisive)
    return html`${before}
      <li class="decisive" value="${step.number}">
        <p class="step">${momentTitle(first)} ${when} <span class="badge fail">${verdict}</span></p>
        ${renderMoment(first, marks)}
      </li>
      ${after}`;
  return html`${before}
    <li value="${step.number}">
      <details ${step.isInformative ? html`open` : null}>
        <summary>
          ${momentTitle(first)}
          ${when}${more === 0 ? null : html` <span class="soft">and ${more} more like this one</span>`}
        </summary>
        ${renderMoment(first, step.isInformative ? { ...noMarks, request: marks.member ?? 'callbackData' } : noMarks)}
        ${more === 0 ? null : html`<p class="soft">Alike: ${alikeText(step)}</p>`}
      </details>
    </li>
    ${after}`;
}

function alikeText({ moments }: StoryStep): string {
  const ids = moments.slice(1).map(({ id }) => id);
  return shorten(ids.join(', '), 2000);
}

/** Gaps between the steps are mentioned, so that nothing seems to follow from what it does not follow. */
function renderGap(left: number): Html | null {
  return left === 0 ? null : html`<li class="gap soft">… ${plural(left, 'more request')} of this case</li>`;
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
