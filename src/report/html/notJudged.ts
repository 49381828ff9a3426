import { isJudged } from '../../judge/kernel/verdict.ts';
import { withLinks } from '../page/ruleView.ts';
import { groupByReason, type ReasonGroup } from '../reasonGroups.ts';
import type { RequirementResult, RunResult } from '../result.ts';
import { plural } from '../text/format.ts';
import { shorten } from '../text/printable.ts';
import { html, type Html } from './html.ts';

/** Most rows of one reason that are named; the list of requirements has all. */
const mostNamed = 12;

/** Most reasons that are shown at first. */
const mostReasons = 5;

/** The musts and shoulds that were not judged, by reason and by name, with what would enable them or what prevented it. */
export function renderNotJudged({ requirements, findings }: RunResult, hasEvidence: boolean): Html | null {
  const open = requirements.filter(
    ({ verdict, excused, level }) =>
      excused === undefined &&
      (level === 'must' || level === 'should') &&
      !isJudged(verdict) &&
      verdict !== 'observed' &&
      verdict !== 'not-applicable',
  );
  if (open.length === 0) return null;
  const known = new Set(findings.map(({ fingerprint }) => fingerprint));
  const groups = groupByReason(open);
  const rest = groups.slice(mostReasons);
  return html`<section id="not-judged" tabindex="-1">
    <h2>Not judged (${open.length})</h2>
    ${groups.slice(0, mostReasons).map((group) => renderGroup(group, { known, hasEvidence }))}
    ${
      rest.length === 0
        ? null
        : html`<details>
            <summary>
              ${plural(rest.length, 'more reason')}:
              ${plural(rest.flatMap(({ ids }) => ids).length, 'requirement')}
            </summary>
            ${rest.map((group) => renderGroup(group, { known, hasEvidence }))}
          </details>`
    }
  </section>`;
}

function renderGroup(
  { reason, rows, heldBackBy }: ReasonGroup,
  { known, hasEvidence }: { readonly known: ReadonlySet<string>; readonly hasEvidence: boolean },
): Html {
  const blamed = heldBackBy.filter((one) => known.has(one));
  return html`<div class="card group">
    <p>
      <b>${rows.length}</b> ${withLinks(shorten(reason, 600), { hasEvidence })}${
        blamed.length === 0
          ? null
          : html`. To blame: ${blamed.slice(0, 3).map((one) => html`<a href="#finding-${one}">${one}</a> `)}`
      }
    </p>
    ${renderNames(rows)}
  </div>`;
}

function renderNames(rows: readonly RequirementResult[]): Html {
  const sorted = rows.toSorted((one, other) => Number(one.level !== 'must') - Number(other.level !== 'must'));
  const rest = sorted.slice(mostNamed);
  return html`<ul class="names">
      ${sorted
        .slice(0, rest.length > 0 ? 4 : mostNamed)
        .map(
          ({ id, title, level }) =>
            html`<li>
              <a href="#${id}">${id}</a> ${shorten(title, 200)} <span class="soft">${level}</span>
            </li>`,
        )}
    </ul>
    ${
      rest.length === 0
        ? null
        : html`<details>
            <summary>${sorted.length - 4} more</summary>
            <p class="ids">
              ${sorted.slice(4, 500).map(({ id, title }) => html`<a href="#${id}" title="${shorten(title, 200)}">${id}</a>`)}
            </p>
          </details>`
    }`;
}
