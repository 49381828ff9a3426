import { z } from 'zod';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runVerdicts, type RunResult } from '../result.ts';
import { historyFile } from '../reportDir.ts';
import { writeText } from '../writeWhole.ts';

/** Most runs that are remembered, and most requirements of each. */
const most = { runs: 30, failing: 1000, text: 300 };

const text = z.string().max(2000);
const count = z.number().int().nonnegative();

const runSchema = z.strictObject({
  run: text,
  startedAt: text,
  verdict: z.enum(runVerdicts),
  /** Whether only some of the requirements were to be judged. */
  selected: z.boolean(),
  judged: count,
  total: count,
  warned: count,
  /** Ids of the requirements that failed. */
  failing: z.array(text).max(most.failing),
  /** Name of the report directory. */
  folder: text,
});

const historySchema = z.strictObject({
  target: text,
  runs: z.array(runSchema).max(2 * most.runs),
});

/** An earlier run, as a later one remembers it. */
export type PastRun = z.infer<typeof runSchema>;
/** The runs against one target, the oldest first, this one last. */
export type History = z.infer<typeof historySchema>;

export const noHistory: History = { target: '', runs: [] };

/** What is remembered of a run. */
export function pastRunOf({ run, summary, requirements }: RunResult, folder: string): PastRun {
  const { judged, total } = summary.coverage.must;
  const failing = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return {
    run: run.id.slice(0, most.text),
    startedAt: run.startedAt,
    verdict: summary.verdict,
    selected: run.only !== undefined || run.shard !== null,
    judged,
    total,
    warned: summary.warned,
    failing: failing.slice(0, most.failing),
    folder: folder.slice(0, most.text),
  };
}

/** The key that runs of one target share: its name, else its address; ports of local ones change. */
export function targetKey({ target }: Pick<RunResult, 'target'>): string {
  const where = target.kind === 'url' ? Object.values(target.baseUrls).join(' ') : target.kind;
  return (target.name ?? where).slice(0, most.text);
}

/** A history that was written earlier; null if it is not one, or of another version. */
export function parseHistory(textOfFile: string): History | null {
  try {
    const parsed = historySchema.safeParse(JSON.parse(textOfFile));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The history with this run as the last; a run that is rendered again occurs only once. */
function withRun(history: History | null, target: string, own: PastRun): History {
  const past = history?.target === target ? history.runs : [];
  const before = past.filter(({ run, startedAt }) => run !== own.run && startedAt <= own.startedAt);
  const sorted = before.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt));
  return { target, runs: [...sorted.slice(1 - most.runs), own] };
}

/** What differs from the previous run. */
interface Change {
  readonly before: PastRun;
  /** Ids that fail now but did not before. */
  readonly fresh: readonly string[];
  /** Ids that failed before and pass now. */
  readonly fixed: readonly string[];
}

/** Compares with the last run that judged as much; null if there is none. */
export function changeOf(
  { runs }: History,
  { requirements }: Pick<RunResult, 'requirements'>,
): Change | null {
  const own = runs.at(-1);
  const before = runs.slice(0, -1).findLast(({ selected }) => !selected || own?.selected === true);
  if (own === undefined || before === undefined) return null;
  const failedBefore = new Set(before.failing);
  const passed = new Set(requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  return {
    before,
    fresh: own.failing.filter((id) => !failedBefore.has(id)),
    fixed: before.failing.filter((id) => passed.has(id)),
  };
}

/** Since when a requirement fails, in words; null if no earlier run is known. */
export function standingSince({ runs }: History, requirement: string): string | null {
  if (runs.length < 2 || runs.at(-1)?.failing.includes(requirement) !== true) return null;
  const failed = runs.filter(({ failing }) => failing.includes(requirement));
  const [first] = failed;
  if (failed.length === 1 || first === undefined) return 'new in this run';
  return `failed in ${failed.length} of ${runs.length} runs, first ${first.startedAt.slice(0, 10)}`;
}

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
