import { z } from 'zod';
import { path, shard, words } from '../forms.ts';
import { row } from '../row.ts';

/** Where the reports go, what counts as a failure, and which part of the checks a run takes. */
export const reportRows = {
  reportDir: row({
    form: path,
    default: null,
    flag: '--report-dir <dir>',
    help: 'where the reports go',
    usual: 'reports/<run id> and the link reports/latest',
    example: 'reports/qa',
  }),
  baseline: row({
    form: path,
    default: null,
    flag: '--baseline <file>',
    help: 'known failures, which are reported but do not fail the run',
    example: 'gatecheck.baseline.json',
  }),
  updateBaseline: row({
    form: z.boolean(),
    default: false,
    flag: '--update-baseline',
    file: false,
    help: 'write the failures of this run into the baseline; existing entries keep their reason, entries that pass now are removed',
  }),
  baselineReason: row({
    form: words,
    default: null,
    flag: '--reason <text>',
    file: false,
    help: 'why the failures are known, for the entries that --update-baseline adds',
  }),
  strict: row({
    form: z.boolean(),
    default: false,
    flag: '--strict',
    help: 'also exit non-zero on warnings and on a partial verdict',
    example: true,
  }),
  shard: row({
    form: shard,
    default: null,
    flag: '--shard <i/n>',
    file: false,
    help: 'run one of n disjoint parts, such as 1/4',
    example: '1/4',
  }),
};
