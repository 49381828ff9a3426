import type { RequirementResult } from '../result.ts';
import { documentTitle } from '../sources.ts';
import { stateOf, stateTexts } from '../states.ts';
import { html, type Html } from './html.ts';

/** States in the order in which they colour a section: the worst first. */
const order = [
  'fail',
  'warn',
  'inconclusive',
  'known',
  'skipped',
  'observed',
  'not-applicable',
  'pass',
] as const;

/** The sections of both documents, each with a bar of its verdicts that leads to its requirements. */
export function renderSectionMap(rows: readonly RequirementResult[]): Html {
  const documents = Map.groupBy(
    rows.flatMap((row) => row.source.map((source) => ({ ...source, row }))),
    ({ document }) => document,
  );
  return html`<section class="map" aria-label="Sections by verdict">
    <p class="soft">
      Sections of the documents: rules passed of all, or what is wrong. A rule counts in each of its sections.
    </p>
    ${[...documents].map(([document, own]) => {
      const sections = Map.groupBy(own, ({ section }) => section);
      return html`<div>
        <h2>${documentTitle(document)}</h2>
        <ul>
          ${[...sections].map(([section, all]) =>
            renderSection(
              document,
              section,
              all.map(({ row }) => row),
            ),
          )}
        </ul>
      </div>`;
    })}
    <p class="legend">
      ${order.map((status) => html`<span class="${status}">${stateTexts[status].counted}</span>`)}
    </p>
  </section>`;
}

function renderSection(document: string, section: string, rows: readonly RequirementResult[]): Html {
  const counts = order
    .map((status) => ({
      status,
      count: rows.filter((row) => stateOf(row) === status && !row.excused).length,
    }))
    .filter(({ count }) => count > 0);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const summary = counts.map(({ status, count }) => `${count} ${stateTexts[status].counted}`).join(', ');
  const worst = counts[0]?.status ?? 'pass';
  const passed = rows.filter(({ verdict }) => verdict === 'pass').length;
  let x = 0;
  const bars = counts.map(({ status, count }) => {
    const from = x;
    x += (count * 100) / total;
    return html`<rect
      class="${status}"
      x="${from.toFixed(2)}"
      width="${(x - from).toFixed(2)}"
      height="8"
    />`;
  });
  const address = `#requirements?section=${encodeURIComponent(`${document}: ${section}`.toWellFormed())}`;
  const wrong = counts.filter(({ status }) => status === 'fail' || status === 'warn');
  const short =
    wrong.length > 0
      ? wrong.map(({ status, count }) => `${stateTexts[status].mark} ${count}`).join(' ')
      : `${passed}/${total}`;
  return html`<li class="${worst}" title="${summary || 'nothing to observe'}">
    <a href="${address}">${section.replace('/extPartner/api/', '')}</a> <span class="soft">${short}</span>
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
  </li>`;
}
