import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import type { OpenPoint } from '../catalogue/row.ts';
import { variantsOf } from './compare/variants.ts';
import { sourceText } from './sources.ts';
import type { RunResult } from './result.ts';
import { plural } from './text/format.ts';
import { code, escapeMarkdown } from './text/markdown.ts';
import { oneLine, shorten } from './text/printable.ts';

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
