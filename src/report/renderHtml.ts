import { extname } from 'node:path';
import { loadHeadings } from '../catalogue/loadCatalogue.ts';
import { assemblePageScript } from '../core/pageScript.ts';
import { causesOf } from './causes.ts';
import { noHistory, standingSince, type History } from './history/history.ts';
import { renderEvidence } from './html/evidence.ts';
import { renderFindings } from './html/findings.ts';
import { renderHead } from './html/head.ts';
import { renderHelp } from './html/help.ts';
import { renderHistory } from './html/history.ts';
import { html, type Html } from './html/html.ts';
import { renderLatencyPlot } from './html/latencyPlot.ts';
import { renderLimits } from './html/limits.ts';
import { renderLoad } from './html/load.ts';
import { renderNotJudged } from './html/notJudged.ts';
import { dataElement, pageOf } from './html/page.ts';
import { renderRequirementTable } from './html/requirements.ts';
import { renderSectionMap } from './html/sectionMap.ts';
import { renderSideEffects } from './html/sideEffects.ts';
import { style } from './html/style.ts';
import { renderOpenPoints, renderTimings } from './html/tables.ts';
import { noEvidence, type PageEvidence } from './page/pageData.ts';
import type { RunResult } from './result.ts';
import { headlineOf, headlineText } from './headline.ts';

/** The report in one file. It loads nothing: evidence that it does not contain is linked. */
export function renderHtml(
  result: RunResult,
  evidence: PageEvidence = noEvidence,
  history: History = noHistory,
): string {
  const since = sinceOf(result, history);
  const parts = partsOf(result, { evidence, history, since }).filter(([, , part]) => part !== null);
  const anchors = parts
    .filter(([anchor]) => anchor !== 'evidence' || evidence.index.length > 0)
    .map(([anchor, title]) => [anchor, title] as const);
  const body = html`<a class="skip" href="#${parts[0]?.[0] ?? 'requirements'}">To the findings</a>
    ${renderHead(result, causesOf(result), anchors)}
    <main>
      ${result.load === undefined ? renderSectionMap(result.requirements, loadHeadings()) : null}
      ${parts.map(([, , part]) => part)}
    </main>
    <footer>
      Gatecheck ${result.tool.version}, catalogue ${result.tool.catalogue}, run ${result.run.id}<br /><code
        >${result.run.command}</code
      >
    </footer>
    ${renderHelp()} ${dataElement('result', result)} ${dataElement('evidence-data', evidence)}
    ${dataElement('since', since)}`;
  const title = `Gatecheck: ${headlineText(headlineOf(result))}`;
  return pageOf({ title, style, body, script: script() });
}

let assembled: string | null = null;

function script(): string {
  return (assembled ??= assemblePageScript(
    new URL(`page/script${extname(import.meta.url)}`, import.meta.url),
  ));
}

type Part = readonly [anchor: string, title: string, part: Html | null];

interface Shown {
  readonly evidence: PageEvidence;
  readonly history: History;
  readonly since: Readonly<Record<string, string>>;
}

/** Since when the failing requirements fail. */
function sinceOf({ requirements }: RunResult, history: History): Readonly<Record<string, string>> {
  return Object.fromEntries(
    requirements.flatMap(({ id }) => {
      const since = standingSince(history, id);
      return since === null ? [] : [[id, since] as const];
    }),
  );
}

/** Empty parts are left out. */
function partsOf(result: RunResult, { evidence, history, since }: Shown): Part[] {
  const causes = causesOf(result);
  const rules = new Map(result.requirements.map((row) => [row.id, row]));
  const { load, limits, openPoints, sideEffects, timings = [] } = result;
  return [
    ['load', 'Load', load === undefined ? null : renderLoad(load)],
    [
      'findings',
      `Findings (${causes.length})`,
      renderFindings(causes, { evidence, rules, effects: sideEffects, limits, since }),
    ],
    ['not-judged', 'Not judged', renderNotJudged(result, evidence.index.length > 0)],
    ['limits', 'Rate limits', limits === undefined ? null : renderLimits(result, evidence.index.length > 0)],
    ['open-points', 'Open points', openPoints.length === 0 ? null : renderOpenPoints(result)],
    [
      'timings',
      'Response times',
      timings.length === 0 ? null : renderTimings(result, renderLatencyPlot(timings)),
    ],
    ['history', 'History', renderHistory(history, result)],
    ['requirements', `Requirements (${result.requirements.length})`, renderRequirementTable(result)],
    ['evidence', 'Evidence', renderEvidence(evidence)],
    [
      'side-effects',
      'Left behind',
      sideEffects.length === 0 ? null : renderSideEffects(sideEffects, evidence.index.length > 0),
    ],
  ];
}
