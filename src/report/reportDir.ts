import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { GatecheckError, usageError } from '../core/errors.ts';
import { requirePlainFile } from '../core/plainFile.ts';
import { makeFolder } from '../core/makeFolder.ts';
import { giveReportDirBack, holderOf, takeReportDir, type Holder } from './reportHold.ts';

/** Names of the files in a report directory. */
export const reportFiles = {
  result: 'result.json',
  junit: 'junit.xml',
  markdown: 'summary.md',
  html: 'report.html',
  evidence: 'evidence.ndjson',
  har: 'evidence.har',
  ctrf: 'ctrf.json',
} as const;

/** The folder next to them with the evidence as pages for reading. */
export const evidenceFolder = 'evidence';

/** Next to them: the runs against this target, for the next run; it is kept if a directory is used again. */
export const historyFile = 'history.json';

/** Next to them: the results that `allure` renders. */
export const allureFolder = 'allure-results';

/** Next to them, if the target is an image: what its containers logged. */
export const containerLogFile = 'container.log';

/**
 * Creates the report directory and makes sure that it is writable, before anything is sent. A `dir` of null means
 * `<root>/reports/<run id>` and the link `<root>/reports/latest`. Removes what an earlier run left in it, and takes it for this
 * process until `giveReportDirBack`. Returns the absolute path; throws a GatecheckError with code `REPORT_DIR`, or
 * `REPORT_DIR_TAKEN` if a run that is still going writes there.
 */
export async function prepareReportDir(dir: string | null, runId: string, root: string): Promise<string> {
  const path = dir === null ? join(resolve(root), 'reports', runId) : resolve(root, dir);
  try {
    makeFolder(path);
    await proveWritable(path);
    claimReportDir(path);
    await removeEarlier(path);
    if (dir === null) await linkLatest(join(resolve(root), 'reports'), runId);
  } catch (cause) {
    giveReportDirBack(path);
    throw cause instanceof GatecheckError ? cause : refusal(path, cause);
  }
  return path;
}

/** Takes a report directory for this process; throws `REPORT_DIR_TAKEN` if a run that is still going writes there. */
export function claimReportDir(path: string): void {
  let holder: Holder | null;
  try {
    holder = takeReportDir(path);
  } catch (cause) {
    throw refusal(path, cause);
  }
  if (holder !== null) throw taken(path, holder);
}

/** Refuses a directory in which something stands in the way of a report, before anything is sent. */
export function refuseOccupied(dir: string): void {
  for (const name of Object.values(reportFiles)) requirePlainFile(name, join(dir, name));
}

/** Refuses to read what a run that is still going has written so far. */
export function refuseRunning(dir: string): void {
  const holder = holderOf(dir);
  if (holder === null) return;
  throw usageError(
    'STILL_RUNNING',
    `Expected a run that has ended in ${dir}; got one that has been going since ${holder.since} (process ${holder.pid}).`,
    'Wait for its end, or stop it with Ctrl-C: it writes its own reports then.',
  );
}

function taken(path: string, { pid, since }: Holder) {
  return usageError(
    'REPORT_DIR_TAKEN',
    `Expected a report directory that nobody writes to; got ${path}, where a run has been going since ${since} (process ${pid}).`,
    'Name another one with --report-dir, or wait for the end of that run. Nothing was sent.',
  );
}

async function proveWritable(path: string): Promise<void> {
  const probe = join(path, `.probe-${randomUUID()}`);
  await writeFile(probe, '');
  await rm(probe);
}

async function removeEarlier(path: string): Promise<void> {
  const names = [...Object.values(reportFiles), containerLogFile];
  await Promise.all(names.map((name) => rm(join(path, name), { force: true })));
  await rm(join(path, evidenceFolder), { recursive: true, force: true });
  await rm(join(path, allureFolder), { recursive: true, force: true });
}

/** A link that is replaced in one step; if links are refused (on Windows without the privilege), a text file with the name. */
async function linkLatest(reports: string, runId: string): Promise<void> {
  const temporary = join(reports, `.latest-${randomUUID()}`);
  await symlink(runId, temporary, 'dir').catch(() => writeFile(temporary, `${runId}\n`));
  await rename(temporary, join(reports, 'latest'));
}

function refusal(path: string, cause: unknown) {
  const why = cause instanceof Error ? cause.message : String(cause);
  return usageError(
    'REPORT_DIR',
    `Expected a writable report directory at ${path}: ${why}.`,
    'Name another one with --report-dir, or make this one writable. Nothing was sent.',
  );
}
