import { join } from 'node:path';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { readSuites } from '../engine/session/suites.ts';
import { buildResult } from '../report/buildResult.ts';
import { reportFiles } from '../report/reportDir.ts';
import { withCommands } from '../report/mergeResults.ts';
import type { RunResult } from '../report/result.ts';
import { version } from '../version.ts';
import { judgedRows } from './judgedRows.ts';
import { readJournal } from './killed/readJournal.ts';

interface KilledOptions {
  /** What ended it, if known. */
  readonly cause?: string;
  /** The command that sends a finding again. */
  readonly again: (fingerprint: string) => string;
}

/** The result of a run that left none, built from its journal alone; null if there is no journal of a run. */
export async function resultOfKilled(
  dir: string,
  { cause, again }: KilledOptions,
): Promise<RunResult | null> {
  const checks = await readSuites();
  const found = await readJournal(join(dir, reportFiles.evidence), checks);
  if (found === null) return null;
  const { head, conduct, dialect, callbacks, lastAt } = found;
  const { settings } = head;
  const endReason = cause === undefined ? conduct.endReason : `${conduct.endReason} (${cause})`;
  const { result } = buildResult({
    ...{ ...head, version, checks, callbacks, catalogue: loadCatalogue(), baseline: [] },
    durationMs: Math.max(0, lastAt - head.startedAt),
    verdicts: judgedRows(settings, { checks, outcomes: conduct.outcomes, dialect }),
    conduct: { ...conduct, endReason },
  });
  return withCommands(result, ({ fingerprint }) => again(fingerprint));
}
