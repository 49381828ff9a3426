import type { CatalogueRow } from '../catalogue/row.ts';
import { sourceText } from './sources.ts';
import { plural } from './text/format.ts';
import { code, escapeMarkdown } from './text/markdown.ts';

/** A row of the catalogue and the checks that verify it. */
export type RequirementListing = CatalogueRow & {
  readonly checks: readonly { readonly id: string; readonly title: string }[];
};

export const requirementFormats = ['table', 'json', 'markdown'] as const;
type RequirementFormat = (typeof requirementFormats)[number];

/** The catalogue as text for a terminal, a program or a page; the given rows are filtered and in order. */
export function renderRequirements(rows: readonly RequirementListing[], format: RequirementFormat): string {
  return renderers[format](rows);
}

const renderers: Record<RequirementFormat, (rows: readonly RequirementListing[]) => string> = {
  table: renderTable,
  json: (rows) => `${JSON.stringify({ requirements: rows }, null, 2)}\n`,
  markdown: renderMarkdown,
};

function renderTable(rows: readonly RequirementListing[]): string {
  const idWidth = widest(rows.map(({ id }) => id));
  const levelWidth = widest(rows.map(({ level }) => level));
  const blocks = rows.map((row) => {
    const margin = ' '.repeat(idWidth + levelWidth + 4);
    const head = `${row.id.padEnd(idWidth)}  ${row.level.padEnd(levelWidth)}  ${row.title}`;
    return [head, ...details(row).map((line) => margin + line)].join('\n');
  });
  return `${[...blocks, tally(rows)].join('\n')}\n`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}

function details(row: RequirementListing): string[] {
  return [
    sourceText([...row.source]),
    ...condition(row),
    ...variants(row).map((variant) => `variant ${variant}`),
    ...verification(row),
  ];
}

function condition(row: RequirementListing): string[] {
  return row.level !== 'open' && row.condition !== null ? [`applies only if ${row.condition}`] : [];
}

function variants(row: RequirementListing): string[] {
  return row.level === 'open' ? row.variants.map(({ name, title }) => `${name}: ${title}`) : [];
}

function verification({ checks, excused }: RequirementListing): string[] {
  if (checks.length > 0) return checks.map(({ id, title }) => `checked by ${id}: ${title}`);
  return [excused === null ? 'not checked' : `excused: ${excused}`];
}

function tally(rows: readonly RequirementListing[]): string {
  const checked = rows.filter(({ checks }) => checks.length > 0).length;
  const excused = rows.filter((row) => row.checks.length === 0 && row.excused !== null).length;
  const rest = rows.length - checked - excused;
  return `${plural(rows.length, 'row')}: ${checked} checked, ${excused} excused, ${rest} not checked`;
}

function renderMarkdown(rows: readonly RequirementListing[]): string {
  const lines = rows.map((row) => `| ${cells(row).join(' | ')} |`);
  return [
    '# Requirements',
    '',
    tally(rows),
    '',
    '| id | level | statement | source | checked by |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

function cells(row: RequirementListing): string[] {
  const statement = [row.title, ...condition(row), ...variants(row).map((variant) => `– ${variant}`)];
  return [
    code(row.id),
    row.level,
    statement.map(escapeMarkdown).join('<br>'),
    escapeMarkdown(sourceText([...row.source])),
    row.checks.length > 0
      ? row.checks.map(({ id }) => code(id)).join('<br>')
      : verification(row).map(escapeMarkdown).join(),
  ];
}
