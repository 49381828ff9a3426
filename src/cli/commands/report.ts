import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { exitCodes, usageError, type ExitCode } from '../../core/errors.ts';
import { loadResult } from '../../report/loadResult.ts';
import { mergeResults } from '../../report/mergeResults.ts';
import { renderConsole } from '../../report/renderConsole.ts';
import { prepareReportDir, reportFiles } from '../../report/reportDir.ts';
import type { RunResult } from '../../report/result.ts';
import { writeReports } from '../../report/writeReports.ts';
import type { Io } from '../../core/io.ts';
import { FieldReader, problemsError } from '../../settings/problem.ts';
import type { AddCommand } from '../command.ts';
import { parseShare } from '../../settings/values/share.ts';
import { addExamples } from './example.ts';

interface RawReportOptions {
  readonly merge?: boolean;
  readonly reportDir?: string;
  readonly minMust?: string;
  readonly strict?: boolean;
}

/** `report`: renders the reports of a run anew, or joins those of shards and targets. */
export const addReport: AddCommand = (command, io, finish) => {
  command
    .description('render the reports of a run, or merge those of shards and targets into one')
    .argument('[results...]', 'report directories or result files (default: reports/latest)')
    .option('--merge', 'join the results into one; exits by its verdict')
    .option('--report-dir <dir>', 'where the reports go (default: of one result, its own directory)')
    .option('--min-must <percent>', 'with --merge: exit 1 if fewer of the musts were judged')
    .option('--strict', 'with --merge: exit 1 on a warning or a partial verdict as well');
  addExamples(command, 'gatecheck report', 'gatecheck report --merge shard-1 shard-2 --report-dir merged');
  command.action(async (given: readonly string[], raw: RawReportOptions) => {
    finish(await report(given, raw, io));
  });
};

async function report(given: readonly string[], raw: RawReportOptions, io: Io): Promise<ExitCode> {
  const merges = raw.merge ?? false;
  const gates = { minMust: readMinMust(raw.minMust), strict: raw.strict ?? false };
  if (!merges && given.length > 1)
    throw usageError(
      'TOO_MANY_RESULTS',
      `Expected one result; got ${given.length}.`,
      'Join them with --merge.',
    );
  const paths = await Promise.all((given.length === 0 ? ['reports/latest'] : given).map(fileOf(io)));
  const results = await Promise.all(paths.map(loadResult));
  const [first] = results;
  const result = merges || !first ? mergeResults(results, gates) : first;
  const own = merges ? null : join(paths[0] ?? '', '..');
  const dir =
    raw.reportDir === undefined && own !== null
      ? own
      : await prepareReportDir(raw.reportDir ?? null, mergedName(result), io.folder);
  await writeReports(result, dir);
  const files = [reportFiles.html, reportFiles.result].map((name) => relative(io.folder, join(dir, name)));
  io.stdout.write(renderConsole(result, files, io.stdout.palette));
  return merges ? (result.summary.exitCode as ExitCode) : exitCodes.ok;
}

/** A report directory stands for the result in it. */
function fileOf(io: Io): (given: string) => Promise<string> {
  return async (given) => {
    const path = resolve(io.folder, given);
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => !path.endsWith('.json'),
    );
    return isFolder ? join(path, reportFiles.result) : path;
  };
}

function mergedName({ run }: RunResult): string {
  return run.id.includes('+') ? `${run.id.split('+')[0] ?? ''}-merged` : run.id;
}

function readMinMust(given: string | undefined): number | null {
  const reader = new FieldReader();
  const share = reader.read('--min-must', given, parseShare);
  if (reader.problems.length > 0) throw problemsError(reader.problems);
  return share ?? null;
}
