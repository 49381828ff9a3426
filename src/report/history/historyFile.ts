import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { historyFile } from '../reportDir.ts';
import type { RunResult } from '../result.ts';
import { writeText } from '../writeWhole.ts';
import { noHistory, parseHistory, pastRunOf, targetKey, withRun, type History } from './history.ts';

/** Most reports next to this one that are searched for earlier runs of the target, the newest first. */
const mostBeside = 25;
const mostBytes = 2_000_000;

/**
 * The history of the target with this run, which is written into its report directory for later runs: from the file that is
 * already there, for example because CI restores the directory of the last run, else from the newest report next to it.
 */
export async function keepHistory(result: RunResult, dir: string): Promise<History> {
  if (result.load !== undefined) return noHistory;
  const target = targetKey(result);
  const known = (await ofTarget(join(dir, historyFile), target)) ?? (await besideOf(dir, target));
  const history = withRun(known, target, pastRunOf(result, basename(dir)));
  await writeText(join(dir, historyFile), `${JSON.stringify(history)}\n`);
  return history;
}

async function besideOf(dir: string, target: string): Promise<History | null> {
  const parent = dirname(dir);
  const names = await readdir(parent).catch(() => []);
  const runs = names.filter((name) => /^\d{4}-\d\d-\d\d-\d{6}-/.test(name) && name < basename(dir));
  for (const name of runs.sort().reverse().slice(0, mostBeside)) {
    const history = await ofTarget(join(parent, name, historyFile), target);
    if (history !== null) return history;
  }
  return null;
}

async function ofTarget(path: string, target: string): Promise<History | null> {
  try {
    if ((await stat(path)).size > mostBytes) return null;
    const history = parseHistory(await readFile(path, 'utf8'));
    return history?.target === target ? history : null;
  } catch {
    return null;
  }
}
