import type { RequirementResult } from '../result.ts';
import { documentTitle } from '../sources.ts';
import { stateOf, stateTexts } from '../states.ts';
import { html, type Html } from './html.ts';

/** States in the order in which they color a section: the worst first. */
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

/** The headings of each document in reading order. */
export type Headings = ReadonlyMap<string, readonly string[]>;

/** The sections of both documents in their order, each with a bar of its verdicts that leads to its requirements. */
export function renderSectionMap(rows: readonly RequirementResult[], headings: Headings): Html {
  const documents = Map.groupBy(
    rows.flatMap((row) => row.source.map((source) => ({ ...source, row }))),
    ({ document }) => document,
  );
  return html`<section class="map" aria-label="Sections by verdict">
    <p class="soft">
      Sections of the documents: rules that failed (✗), warned (!), passed (✓), and those left open. A rule
      counts in each of its sections.
    </p>
    ${[...documents].map(([document, own]) => {
      const order = headings.get(document) ?? [];
      const placeOf = (section: string) => (order.includes(section) ? order.indexOf(section) : order.length);
      const sections = [...Map.groupBy(own, ({ section }) => section)].toSorted(
        ([one], [other]) => placeOf(one) - placeOf(other),
      );
      return html`<div>
        <h2>${documentTitle(document)}</h2>
        <ul>
          ${sections.map(([section, all]) =>
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
      ${order
        .filter((status) => rows.some((row) => stateOf(row) === status && !row.excused))
        .map((status) => html`<span class="${status}">${stateTexts[status].counted}</span>`)}
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
  return html`<li class="${worst}" title="${summary || 'nothing to observe'}">
    <a href="${address}">${section.replace('/extPartner/api/', '')}</a>
    <span class="soft">${shortText(counts)}</span>
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
  </li>`;
}

interface Count {
  readonly status: (typeof order)[number];
  readonly count: number;
}

/** `✗ 1 · 19 ✓ · 3 open`: what is wrong, what passed, and what nobody judged. */
function shortText(counts: readonly Count[]): string {
  const of = (status: Count['status']) => counts.find((one) => one.status === status)?.count ?? 0;
  const open = of('inconclusive') + of('skipped');
  const wrong = (['fail', 'warn'] as const).filter((status) => of(status) > 0);
  return [
    ...wrong.map((status) => `${stateTexts[status].mark} ${of(status)}`),
    ...(of('pass') > 0 ? [`${of('pass')} ✓`] : []),
    ...(open > 0 ? [`${open} open`] : []),
  ].join(' · ');
}
