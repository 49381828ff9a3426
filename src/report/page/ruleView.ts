import { breakable, concatenated, html, type Html } from '../html/html.ts';
import type { Finding } from '../../engine/findings/finding.ts';
import { findingName } from '../caseName.ts';
import type { RequirementResult } from '../result.ts';
import { sourceText } from '../sources.ts';
import { stateOf, stateText } from '../states.ts';
import { shorten } from '../text/printable.ts';

/** The targets of the links in a row. */
interface RuleLinks {
  readonly findingsOf: (requirement: string) => readonly Finding[];
  /** Whether the page shows the exchanges of a check. */
  readonly hasEvidence: boolean;
}

/** A row of the list of requirements, with links to its findings and its evidence. */
export function renderRule(row: RequirementResult, links: RuleLinks): Html {
  const reason = row.excused ?? row.reason;
  const state = stateOf(row);
  const soft = (text: string) => html`<br /><span class="soft">${text}</span>`;
  return html`<tr id="${row.id}" tabindex="-1">
    <th scope="row">${row.id}</th>
    <td data-label="Verdict">
      <span class="badge ${state}">${stateText(state)}</span>${state === 'known' ? soft(row.verdict) : null}
    </td>
    <td data-label="Level">${row.level}${row.pinned === undefined ? null : soft(`pinned: ${row.pinned}`)}</td>
    <td class="rule" data-label="Rule">
      ${shorten(row.title, 2000)}${soft(sourceText(row.source))}
      ${reason === null ? null : html`<p>${withLinks(shorten(reason, 600), links)}</p>`}${renderWays(row, links)}${renderChecks(row, links)}
    </td>
    <td class="number" data-label="Samples">${row.samples}</td>
  </tr>`;
}

function renderChecks({ checks }: RequirementResult, { hasEvidence }: RuleLinks): Html | null {
  if (checks.length === 0) return null;
  const shown = checks.map((check) => {
    const name = html`<code>${breakable(check)}</code>`;
    return hasEvidence
      ? html`<a href="#evidence?check=${encodeURIComponent(check.toWellFormed())}">${name}</a>`
      : name;
  });
  return html`<p class="ways checks">${shown}</p>`;
}

function renderWays(row: RequirementResult, { findingsOf, hasEvidence }: RuleLinks): Html | null {
  const ways = [
    ...findingsOf(row.id).map(
      (one) => html`<a href="#finding-${one.fingerprint}">finding: ${findingName(one)}</a>`,
    ),
    ...(row.heldBackBy ?? [])
      .slice(0, 3)
      .map((one) => html`<a href="#finding-${one}">held back by ${one}</a>`),
    ...(hasEvidence ? (row.evidence ?? []) : []).map((id) => html`<a href="#evidence/${id}">${id}</a>`),
  ];
  return ways.length === 0 ? null : html`<p class="ways">${ways}</p>`;
}

const linked = /\b(?:[A-Z]{3}-[A-Z]{2,3}-\d{3}|[xc]\d+)\b/g;

/** A text in which ids of requirements, exchanges and callbacks are links; those of exchanges only on a page that has them. */
export function withLinks(
  text: string,
  { hasEvidence = true }: { readonly hasEvidence?: boolean } = {},
): Html {
  const parts: Html[] = [];
  let at = 0;
  for (const { 0: id, index } of text.matchAll(linked)) {
    parts.push(
      html`${text.slice(at, index)}`,
      id.includes('-')
        ? html`<a href="#${id}">${id}</a>`
        : hasEvidence
          ? html`<a href="#evidence/${id}">${id}</a>`
          : html`${id}`,
    );
    at = index + id.length;
  }
  return concatenated([...parts, html`${text.slice(at)}`]);
}
