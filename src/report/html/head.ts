import type { RunResult } from '../result.ts';
import {
  coverageText,
  ofSelection,
  targetText,
  trafficText,
  verdictMarks,
  verdictMeanings,
} from '../verdictText.ts';
import { statusTexts } from '../statuses.ts';
import { html, type Html } from './html.ts';

/** The first screen: the verdict, why it is so, how much was judged, and at what cost. */
export function renderHead(
  result: RunResult,
  parts: readonly (readonly [anchor: string, title: string])[],
): Html {
  const { verdict, reasons = [] } = result.summary;
  return html`<header class="top">
    <div class="card verdict ${verdict}">
      <h1><span aria-hidden="true">${verdictMarks[verdict]}</span> ${verdict}${ofSelection(result)}</h1>
      <p>${verdictMeanings[verdict]}</p>
      ${
        reasons.length === 0
          ? null
          : html`<ul>
              ${reasons.map((reason) => html`<li>${reason}</li>`)}
            </ul>`
      }
      <div class="bars">${renderBar(result, 'must')}${renderBar(result, 'should')}</div>
      <ul class="facts">
        ${renderCounts(result)}
      </ul>
      <p class="soft">${targetText(result)} · ${trafficText(result)}</p>
      <p class="soft">started <time datetime="${result.run.startedAt}">${result.run.startedAt}</time></p>
    </div>
    <nav aria-label="Parts of this report">
      ${parts.map(([anchor, title]) => html`<a href="#${anchor}">${title}</a>`)}
    </nav>
  </header>`;
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

function renderCounts({ summary }: RunResult): Html[] {
  return Object.values(statusTexts).map(
    ({ mark, count, words }) =>
      html`<li><span aria-hidden="true">${mark}</span> <b>${summary[count] ?? 0}</b> ${words}</li>`,
  );
}
