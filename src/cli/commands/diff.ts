import { z } from 'zod';
import { exitCodes, usageError } from '../../core/errors.ts';
import { diffResults } from '../../report/compare/diffResults.ts';
import { renderDiffMarkdown, renderDiffText } from '../../report/compare/renderDiff.ts';
import { share } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import { command } from '../command.ts';
import { readResults } from '../readResults.ts';

/** `diff A B`: compares two results. */
export const diffCommand = command({
  name: 'diff',
  about:
    'compare two results: newly failing and passing, open points, latency, limiter; exit 1 if something newly fails',
  argument: ['<results...>', 'two report directories or result files, the earlier one first'],
  options: {
    format: row({
      form: z.enum(['text', 'markdown', 'json']),
      default: 'text',
      flag: '--format <name>',
      help: 'text, markdown, json',
    }),
    maxSlowdown: row({
      form: share,
      default: null,
      flag: '--max-slowdown <percent>',
      help: 'exit 1 if the p95 of an operation grew by more than this, such as 50%',
    }),
    strict: row({
      form: z.boolean(),
      default: false,
      flag: '--strict',
      help: 'also exit 1 on a new warning, and on what is no longer judged',
    }),
  },
  examples: [
    'gatecheck diff reports/v1 reports/v2',
    'gatecheck diff qa/result.json production/result.json --format markdown --max-slowdown 50%',
  ],
  run: async ({ io, args, options: { format, maxSlowdown, strict } }) => {
    const [before, after, ...more] = await readResults(args, io.folder);
    if (!before || !after || more.length > 0)
      throw usageError(
        'TWO_RESULTS',
        `Expected two results; got ${args.length}.`,
        'Give the earlier one first.',
      );
    const diff = diffResults(before, after, maxSlowdown === null ? noticeable : { tolerance: maxSlowdown });
    const renders = {
      text: () => renderDiffText(diff, io.stdout.palette),
      markdown: () => renderDiffMarkdown(diff),
      json: () => `${JSON.stringify(diff, null, 2)}\n`,
    };
    io.stdout.write(renders[format]());
    const { failing, slower, warned, lost } = diff;
    const isWorse =
      failing.length > 0 ||
      (maxSlowdown !== null && slower.length > 0) ||
      (strict && warned.length + lost.length > 0);
    return isWorse ? exitCodes.gateNotMet : exitCodes.ok;
  },
});

/** Without a gate, an operation is reported if it takes twice as long, by more than a cold or busy server explains. */
const noticeable = { tolerance: 1, least: { p50Ms: 50, p95Ms: 100 } };
