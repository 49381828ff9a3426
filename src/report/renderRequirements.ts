import type { CatalogueRow, OpenPoint } from '../catalogue/row.ts';
import { sourceText } from './sources.ts';
import { plural } from './text/format.ts';
import { code, escapeMarkdown } from './text/markdown.ts';
import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import { variantsOf } from './compare/matrix.ts';
import type { RunResult } from './result.ts';
import { oneLine, shorten } from './text/printable.ts';

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

interface QuestionInput {
  readonly points: readonly OpenPoint[];
  readonly catalogue: Pick<Catalogue, 'get'>;
  /** Sentences of the documents, by the id of a point. */
  readonly quotes: ReadonlyMap<string, readonly string[]>;
  /** Results that show what deployments do. */
  readonly results: readonly RunResult[];
}

/** The open points as a questionnaire for the provider: what the documents say, what was seen, and room for an answer. */
export function renderQuestions({ points, catalogue, quotes, results }: QuestionInput): string {
  const seen = results.map((result) => `- ${escapeMarkdown(nameOf(result))}`);
  return `${[
    '# Questions about the partner APIs',
    `${plural(points.length, 'question')} that the two documents leave open or answer in two ways. Each answer makes a rule that can be verified.`,
    ...(seen.length === 0 ? [] : [`What was observed comes from:\n\n${seen.join('\n')}`]),
    ...points.map((point) => question(point, { catalogue, quotes, results })),
  ].join('\n\n')}\n`;
}

function nameOf({ target, run }: RunResult): string {
  return `${target.baseUrl ?? (Object.values(target.baseUrls).join(' + ') || target.kind)}, ${run.startedAt.slice(0, 10)}`;
}

function question(point: OpenPoint, { catalogue, quotes, results }: Omit<QuestionInput, 'points'>): string {
  const observed = results.flatMap((result) => observationOf(point.id, result));
  const answers = point.variants.map(({ name, title }) => {
    const by = observed.filter(({ classes }) => classes.includes(name)).map(({ where }) => where);
    const mark = by.length === 0 ? '' : ` — **observed** at ${escapeMarkdown([...new Set(by)].join(', '))}`;
    return `- [ ] ${code(name)}: ${escapeMarkdown(title)}${mark}`;
  });
  const quoted = (quotes.get(point.id) ?? []).map((text) => `> ${escapeMarkdown(text)}`);
  const details = observed.map(
    ({ where, text }) => `Observed at ${escapeMarkdown(where)}: ${escapeMarkdown(text)}`,
  );
  const affected = point.affects.map((id) => `- ${id}: ${escapeMarkdown(catalogue.get(id).title)}`);
  return [
    `## ${point.id}: ${escapeMarkdown(point.title)}`,
    `${escapeMarkdown(sourceText([...point.source]))}${quoted.length === 0 ? '; the document does not say.' : ':'}`,
    ...(quoted.length === 0 ? [] : [quoted.join('\n>\n')]),
    [...answers, ...(point.openEnded ? ['- [ ] something else:'] : [])].join('\n'),
    ...details,
    ...(affected.length === 0 ? [] : [`Rules that depend on it:\n\n${affected.join('\n')}`]),
    'Answer: ____',
  ].join('\n\n');
}

function observationOf(id: string, result: RunResult) {
  const observed = result.openPoints.find((point) => point.id === id)?.observed ?? null;
  if (observed === null) return [];
  return [{ where: nameOf(result), text: shorten(oneLine(observed), 300), classes: variantsOf(observed) }];
}
