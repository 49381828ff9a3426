import { join } from 'node:path';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { loadSuites } from '../engine/suites.ts';
import { buildResult } from '../report/buildResult.ts';
import { reportFiles } from '../report/reportDir.ts';
import type { RunResult } from '../report/result.ts';
import { version } from '../version.ts';
import { judgedRows } from './judgedRows.ts';
import { readJournal } from './killed/readJournal.ts';

/**
 * The result of a run that left none, built from its journal alone; null if there is no journal of a run. `cause` says what
 * ended it, if known.
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
