import { existsSync } from 'node:fs';
import { copyFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { exitCodes, usageError, type ExitCode } from '../../core/errors.ts';
import { requirePlainFile } from '../../core/plainFile.ts';
import { readResult, resultFile } from '../../report/readResult.ts';
import type { MergeGates } from '../../report/mergeGate.ts';
import { mergeResults, withCommands } from '../../report/mergeResults.ts';
import { renderConsole } from '../../report/renderConsole.ts';
import { evidenceFor } from '../../report/evidence/collectEvidence.ts';
import { containerLogFile, prepareReportDir, refuseRunning, reportFiles } from '../../report/reportDir.ts';
import { forgetHolder, lastHolderOf } from '../../report/reportHold.ts';
import type { RunResult } from '../../report/result.ts';
import { writeReports } from '../../report/writeReports.ts';
import { keepAll } from '../../run/keep.ts';
import type { Io } from '../../core/io.ts';
import { shortPath } from '../../core/shortPath.ts';
import { path } from '../../settings/forms.ts';
import { row } from '../../settings/row.ts';
import { settingsTable } from '../../settings/table.ts';
import { replayLine, replayLineFrom } from '../again.ts';
import { command } from '../command.ts';
import { createTalk } from '../talk.ts';
import { openFile } from '../openFile.ts';

const { minMust, strict } = settingsTable;

/** `report`: renders the reports of a run again (from its journal if it was killed), or merges those of shards and targets. */
export const reportCommand = command({
  name: 'report',
  about: 'render the reports of a run, or merge those of shards and targets into one',
  argument: ['[results...]', 'report directories or result files (default: reports/latest)'],
  options: {
    merge: row({
      form: z.boolean(),
      default: false,
      flag: '--merge',
      help: 'join the results into one; exits by its verdict',
    }),
    reportDir: row({
      form: path,
      default: null,
      flag: '--report-dir <dir>',
      help: 'where the reports go',
      usual: 'of one result, its own directory',
    }),
    open: row({ form: z.boolean(), default: false, flag: '--open', help: 'open the report in a browser' }),
    minMust: { ...minMust, help: 'with --merge: exit 1 if fewer of the musts were judged' },
    strict: { ...strict, help: 'with --merge: also exit 1 on a warning or a partial verdict' },
  },
  examples: ['gatecheck report --open', 'gatecheck report --merge shard-1 shard-2 --report-dir merged'],
  run: ({ io, args, options }) => report(args, options, io),
});

interface ReportOptions extends MergeGates {
  readonly merge: boolean;
  readonly open: boolean;
  readonly reportDir: string | null;
}

async function report(given: readonly string[], options: ReportOptions, io: Io): Promise<ExitCode> {
  const { merge: merges, reportDir, open, ...gates } = options;
  if (!merges && given.length > 1)
    throw usageError(
      'TOO_MANY_RESULTS',
      `Expected one result; got ${given.length}.`,
      'Join them with --merge.',
    );
  const paths = await Promise.all(
    (given.length === 0 ? ['reports/latest'] : given).map((one) => resultFile(resolve(io.folder, one))),
  );
  const results = await Promise.all(paths.map((one) => resultOrJournal(one, io)));
  const [first] = results;
  const joined = merges || !first ? mergeResults(results, gates) : first;
  const dir = await reportDirFor(
    paths.map((one) => dirname(one)),
    { merges, reportDir, result: joined },
    io,
  );
  const result = merges ? withLinesFrom(joined, { dir, paths, results }, io) : joined;
  await writeAll(result, dir);
  forgetHolder(dir);
  if (merges) await tellMerged(result, dir, io);
  else await tellRendered(result, dir, io);
  if (open) await openFile(join(dir, reportFiles.html), io.env);
  return merges ? (result.summary.exitCode as ExitCode) : exitCodes.ok;
}

/** As after a run: with a line for GitHub where that runs it. */
async function tellMerged(result: RunResult, reportDir: string, io: Io): Promise<void> {
  const talk = createTalk({ quiet: false, verbose: false, json: false }, io);
  talk.stop();
  await talk.finish({ result, reportDir, exitCode: result.summary.exitCode ?? exitCodes.ok, notKept: null });
}

async function tellRendered(result: RunResult, dir: string, io: Io): Promise<void> {
  const files = [reportFiles.html, reportFiles.result].map((name) => shortPath(join(dir, name), io.folder));
  const look = { palette: io.stdout.palette, evidence: await evidenceFor(result, dir) };
  io.stdout.write(renderConsole(result, files, look));
}

interface Joined {
  readonly dir: string;
  /** The result files of the parts, and what they say. */
  readonly paths: readonly string[];
  readonly results: readonly RunResult[];
}

/** The findings with commands that find them: in what they were joined into, or in their part where each has a target of its own. */
function withLinesFrom(result: RunResult, { dir, paths, results }: Joined, io: Io): RunResult {
  const addresses = results.map(({ target }) =>
    target.kind === 'url' ? JSON.stringify(target.baseUrls) : '',
  );
  const isOneTarget = new Set(addresses).size === 1;
  const placeOf = (exchanges: readonly string[]) => {
    const part = Number(exchanges[0]?.split('/')[0] ?? 1);
    const own = paths[part - 1];
    return isOneTarget || own === undefined ? dir : dirname(own);
  };
  return withCommands(result, ({ reproduce, exchanges }) =>
    replayLineFrom(io, reproduce.command, placeOf(exchanges)),
  );
}

/** What cannot be written there is the user's to see to: nothing was sent, and the journal is left as it is. */
async function writeAll(result: RunResult, dir: string): Promise<void> {
  const failure = await keepAll(dir, [{ what: 'the reports', write: () => writeReports(result, dir) }]);
  if (failure?.code !== 'NOT_WRITTEN') {
    if (failure !== null) throw failure;
    return;
  }
  throw usageError(
    failure.code,
    failure.message,
    'Move away what is in the way, or name another place with --report-dir.',
  );
}

interface Target {
  readonly merges: boolean;
  readonly reportDir: string | null;
  readonly result: RunResult;
}

/** Where the reports go. The evidence is copied, and never removed with what is already there. */
async function reportDirFor(
  sources: readonly string[],
  { merges, reportDir, result }: Target,
  io: Io,
): Promise<string> {
  const wanted = reportDir === null ? null : await realOf(resolve(io.folder, reportDir));
  const owns = await Promise.all(sources.map(realOf));
  const [own] = owns;
  if (merges || own === undefined) {
    if (wanted !== null && owns.includes(wanted))
      throw usageError(
        'REPORT_DIR',
        `Expected a directory of its own for the merged result; got ${reportDir ?? ''}, which holds one of the results.`,
        'Name another one with --report-dir.',
      );
    return prepareReportDir(reportDir, mergedName(result), io.folder);
  }
  if (wanted === null || wanted === own) return own;
  const dir = await prepareReportDir(reportDir, mergedName(result), io.folder);
  for (const name of [reportFiles.evidence, containerLogFile])
    if (existsSync(join(own, name))) await copyFile(join(own, name), join(dir, name));
  return dir;
}

/** The path without links, such as `reports/latest`; unchanged if nothing is there yet. */
function realOf(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

/** A killed run left no result; its journal makes one. */
async function resultOrJournal(path: string, io: Io): Promise<RunResult> {
  const dir = dirname(path);
  requirePlainFile('the evidence of a run', join(dir, reportFiles.evidence));
  refuseRunning(dir);
  if (existsSync(path)) return readResult(path);
  const { resultOfKilled } = await import('../../run/killed.ts');
  const killed = await resultOfKilled(dir, {
    again: (fingerprint) => replayLine({ ...io, args: [] }, fingerprint, dir),
  });
  if (killed === null && endedEarly(dir)) throw nothingToReport(dir);
  return killed ?? readResult(path);
}

/** Whether a run began here that was killed before its first line. */
function endedEarly(dir: string): boolean {
  return lastHolderOf(dir) !== null || existsSync(join(dir, reportFiles.evidence));
}

function nothingToReport(dir: string) {
  const since = lastHolderOf(dir)?.since;
  const begun = since === undefined ? '' : ` that began at ${since}`;
  return usageError(
    'NOTHING_TO_REPORT',
    `Expected what a run found in ${dir}; got a run${begun} that was ended before it had sent its first request: it tested nothing and spent nothing.`,
    'Start it again with the same options.',
  );
}

function mergedName({ run }: RunResult): string {
  return run.id.includes('+') ? `${run.id.split('+')[0] ?? ''}-merged` : run.id;
}
