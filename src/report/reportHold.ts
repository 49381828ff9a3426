import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { requirePlainFile } from '../core/plainFile.ts';
import { isRunning, startOf } from '../core/otherProcess.ts';

/** In a report directory while something writes to it. A run that is killed leaves it behind. */
export const holdFile = '.running';

const holderSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** When the process was started, as the system has it; null where the system does not tell. */
  process: z.string().nullable(),
  /** When the directory was taken, ISO 8601. */
  since: z.string(),
});

/** The process that writes, or wrote, to a report directory. */
export type Holder = z.infer<typeof holderSchema>;

/** Directories that this process has taken and not given back. */
const held = new Set<string>();
/** Each failed one means that another process took the directory in between. */
const mostAttempts = 20;
/** Whether they are given back when the process ends. */
let listens = false;

/** Takes a directory for this process; returns another living process that has it, or null. */
export function takeReportDir(dir: string): Holder | null {
  const own: Holder = {
    ...{ pid: process.pid, host: hostname(), process: startOf(process.pid) },
    since: new Date().toISOString(),
  };
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const other = holderOf(dir);
    if (other !== null) return other;
    rmSync(join(dir, holdFile), { force: true });
    if (!tryWrite(join(dir, holdFile), JSON.stringify(own))) continue;
    if (!listens) process.once('exit', giveAllBack);
    listens = true;
    held.add(dir);
    return null;
  }
  throw new Error('others take it and give it back all the time');
}

/** Gives a directory back. */
export function giveReportDirBack(dir: string): void {
  if (held.delete(dir)) rmSync(join(dir, holdFile), { force: true });
}

/** Removes what a killed process left in a directory, once its reports are there. */
export function forgetHolder(dir: string): void {
  held.delete(dir);
  if (lastHolderOf(dir) !== null) rmSync(join(dir, holdFile), { force: true });
}

/** Gives a directory that was taken back once this is disposed of. */
export function heldReportDir(dir: string): Disposable {
  return { [Symbol.dispose]: () => giveReportDirBack(dir) };
}

/** Another process of this machine that writes to the directory at the moment; null if there is none. */
export function holderOf(dir: string): Holder | null {
  const holder = lastHolderOf(dir);
  return holder !== null && isAlive(holder) ? holder : null;
}

/** Who wrote to the directory last and did not end properly; null if nobody. */
export function lastHolderOf(dir: string): Holder | null {
  try {
    const path = join(dir, holdFile);
    requirePlainFile('the mark of a run', path);
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function giveAllBack(): void {
  for (const dir of held) giveReportDirBack(dir);
}

/** False if another process was quicker. Nobody sees the file before it is complete. */
function tryWrite(path: string, text: string): boolean {
  const temporary = `${path}-${randomUUID()}`;
  writeFileSync(temporary, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // Not all file systems have links.
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  return true;
}

/** Ids of processes come again, above all in containers: another start means another process. */
function isAlive({ pid, host, process: start }: Holder): boolean {
  if (host !== hostname() || pid === process.pid || !isRunning(pid)) return false;
  const now = startOf(pid);
  return start === null || now === null || now === start;
}
