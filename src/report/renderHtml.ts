import { createHash } from 'node:crypto';
import { digest } from './digest.ts';
import { renderFindings } from './html/findings.ts';
import { renderHead } from './html/head.ts';
import { Html, html } from './html/html.ts';
import { renderLimits } from './html/limits.ts';
import { renderLoad } from './html/load.ts';
import { renderRequirementTable } from './html/requirements.ts';
import { script } from './html/script.ts';
import { style } from './html/style.ts';
import { renderOpenPoints, renderReasons, renderSideEffects, renderTimings } from './html/tables.ts';
import type { RunResult } from './result.ts';
import { ofSelection } from './verdictText.ts';

/** The whole report in one file: it loads nothing, and its policy lets nothing run but its own style and script. */
export function renderHtml(result: RunResult): string {
  const parts = partsOf(result);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'"
        />
        <title>Gatecheck: ${result.summary.verdict}${ofSelection(result)}</title>
        ${element('style', style)}
      </head>
      <body>
        ${renderHead(
          result,
          parts.map(([anchor, title]) => [anchor, title]),
        )}
        <main>${parts.map(([, , part]) => part)}</main>
        <footer>
          Gatecheck ${result.tool.version}, catalogue ${result.tool.catalogue}, run ${result.run.id}<br /><code
            >${result.run.command}</code
          >
        </footer>
        <script type="application/json" id="result">
          ${embedded(result)}
        </script>
        ${element('script', script)}
      </body>
    </html> `.markup;
}

type Part = readonly [anchor: string, title: string, part: Html];

/** What is empty is left out. */
function partsOf(result: RunResult): Part[] {
  const { findings, rules, skipped, inconclusive, notApplicable } = digest(result);
  const table: (readonly [shown: boolean, part: () => Part])[] = [
    [result.load !== undefined, () => ['load', 'Load', result.load ? renderLoad(result.load) : html``]],
    [true, () => ['findings', `Findings (${findings.length})`, renderFindings({ findings, rules })]],
    [
      inconclusive.length > 0,
      () => ['inconclusive', 'Inconclusive', renderReasons('inconclusive', 'Inconclusive', inconclusive)],
    ],
    [
      skipped.length > 0,
      () => [
        'skipped',
        'Not judged',
        renderReasons('skipped', 'Not judged, and what would enable it', skipped),
      ],
    ],
    [
      notApplicable.length > 0,
      () => [
        'not-applicable',
        'Not applicable',
        renderReasons(
          'not-applicable',
          'Not applicable: the deployment did not bring it about',
          notApplicable,
        ),
      ],
    ],
    [result.limits !== undefined, () => ['limits', 'Rate limits', renderLimits(result.limits ?? {})]],
    [result.openPoints.length > 0, () => ['open-points', 'Open points', renderOpenPoints(result)]],
    [result.sideEffects.length > 0, () => ['side-effects', 'Left behind', renderSideEffects(result)]],
    [(result.timings ?? []).length > 0, () => ['timings', 'Response times', renderTimings(result)]],
    [
      true,
      () => [
        'requirements',
        `Requirements (${result.requirements.length})`,
        renderRequirementTable(result.requirements),
      ],
    ],
  ];
  return table.filter(([shown]) => shown).map(([, part]) => part());
}

/** JSON that cannot end its script element, whatever stands in it. */
function embedded(result: RunResult): Html {
  return new Html(
    JSON.stringify(result).replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}

/** An element whose text is exactly what its hash in the policy was made of. */
function element(name: 'style' | 'script', text: string): Html {
  return new Html(`<${name}>${text}</${name}>`);
}

function hashOf(text: string): Html {
  return new Html(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
