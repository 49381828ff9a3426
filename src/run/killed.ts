import { join } from 'node:path';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import type { Settings } from '../core/settings.ts';
import { loadSuites } from '../engine/suites.ts';
import { buildResult, type ResultSettings } from '../report/buildResult.ts';
import { reportFiles } from '../report/reportDir.ts';
import type { RunResult } from '../report/result.ts';
import type { Target } from '../target/target.ts';
import { version } from '../version.ts';
import { judgedRows } from './judgedRows.ts';
import { readJournal } from './killed/readJournal.ts';

/** The name of a journal's event that says what run it is, before anything is sent. */
export const headEvent = 'head';

/** What a result says first, and what it is made with, as the journal holds it. */
export interface RecordedHead {
  readonly runId: string;
  readonly startedAt: number;
  readonly command: string;
  readonly settings: ResultSettings;
  readonly target: Pick<Target, 'kind' | 'baseUrls'>;
  readonly capabilities: readonly string[];
}

/** What is written down of a run when it begins. */
export function headOf(
  { apis, profile, seed, shard, only, openPoints, require, minMust, strict }: Settings,
  rest: Omit<RecordedHead, 'settings'>,
): RecordedHead {
  return { ...rest, settings: { apis, profile, seed, shard, only, openPoints, require, minMust, strict } };
}

/**
 * The result of a run that left none, made of its journal alone; null where there is no journal of a run. `cause` says
 * what ended it, where that is known.
 */
export async function resultOfKilled(dir: string, cause: string | null = null): Promise<RunResult | null> {
  const checks = await loadSuites();
  const found = await readJournal(join(dir, reportFiles.evidence), checks);
  if (found === null) return null;
  const { head, conduct, dialect, callbacks, lastAt } = found;
  const { settings } = head;
  const endReason = cause === null ? conduct.endReason : `${conduct.endReason} (${cause})`;
  const { result } = buildResult({
    ...{ ...head, version, checks, callbacks, catalogue: loadCatalogue(), baseline: [] },
    durationMs: Math.max(0, lastAt - head.startedAt),
    verdicts: judgedRows(settings, { checks, outcomes: conduct.outcomes, dialect }),
    conduct: { ...conduct, endReason },
  });
  return result;
}
