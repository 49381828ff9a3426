import { existsSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { exitCodes, usageError } from '../../core/errors.ts';
import { makeMatrix } from '../../report/compare/matrix.ts';
import { renderMatrixHtml, renderMatrixMarkdown } from '../../report/compare/renderMatrix.ts';
import { reportFiles } from '../../report/reportDir.ts';
import { path } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import { version } from '../../version.ts';
import { command } from '../command.ts';
import { readResults } from '../readResults.ts';
import { writeOutput } from '../writeOutput.ts';

const formats = ['html', 'markdown', 'json'] as const;

/** `matrix R…`: several results side by side. */
export const matrixCommand = command({
  name: 'matrix',
  about: 'show several results side by side, a column for each, as a page, Markdown or JSON',
  argument: ['<results...>', 'report directories or result files'],
  options: {
    format: row({
      form: z.enum(formats),
      default: null,
      flag: '--format <name>',
      help: 'html, markdown, json',
      usual: 'by the end of --output: .html, .md or .json, else html',
    }),
    output: row({
      form: path,
      default: null,
      flag: '--output <file>',
      help: 'where it goes',
      usual: 'matrix.html for a page, else stdout',
    }),
  },
  examples: [
    'gatecheck matrix reports/qa reports/production',
    'gatecheck matrix reports/* --output matrix.md',
  ],
  run: async ({ io, args, options }) => {
    const format = options.format ?? formatOf(options.output);
    const { output } = options;
    if (args.length < 2)
      throw usageError('TWO_RESULTS', `Expected at least two results; got ${args.length}.`);
    const file = output ?? (format === 'html' ? 'matrix.html' : null);
    const reports = args.map((arg) =>
      reportOf(resolve(io.folder, arg), resolve(io.folder, file ?? 'matrix.html')),
    );
    const matrix = makeMatrix(await readResults(args, io.folder), reports);
    const renders = {
      html: () => renderMatrixHtml(matrix, version),
      markdown: () => renderMatrixMarkdown(matrix),
      json: () => `${JSON.stringify(matrix, null, 2)}\n`,
    };
    await writeOutput(renders[format](), file, io);
    return exitCodes.ok;
  },
});

/** The address of the report beside a result, from the page; null if there is none. */
function reportOf(result: string, page: string): string | null {
  const folder = extname(result) === '.json' ? dirname(result) : result;
  const report = join(folder, reportFiles.html);
  if (!existsSync(report)) return null;
  return relative(dirname(page), report).split(sep).map(encodeURIComponent).join('/');
}

const formatOfEnding: Readonly<Record<string, (typeof formats)[number]>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.json': 'json',
};

/** The form that the name of a file asks for. */
function formatOf(output: string | null): (typeof formats)[number] {
  return formatOfEnding[extname(output ?? '').toLowerCase()] ?? 'html';
}
