import { join } from 'node:path';
import { Redactor } from '../../core/redact.ts';
import type { Settings } from '../../core/settings.ts';
import { clockBookOf } from '../../engine/clock/clockBook.ts';
import type { CheckOutcome } from '../../engine/findings/outcome.ts';
import { heldKeys } from '../../engine/observe/runObservations.ts';
import { readSuites } from '../../engine/session/suites.ts';
import { addUp } from '../../judge/kernel/verdict.ts';
import { reportFiles } from '../../report/reportDir.ts';
import { noJournal } from '../../send/journal.ts';
import { keyRingOf } from '../../target/url.ts';
import { ownEvidence } from '../recorded/ownLines.ts';
import { readRecording } from '../recorded/readRecorded.ts';
import { RecordedJudge } from '../recorded/recordedJudge.ts';
import type { KilledRun } from './readJournal.ts';

/**
 * The outcomes of a killed run with what its passive checks find at its end: some rules are judged only once nothing more comes, and
 * what follows is judged anew.
 */
export async function judgeToEnd(
  dir: string,
  { settled, preliminary }: Pick<KilledRun, 'settled' | 'preliminary'>,
  settings: Settings,
): Promise<readonly CheckOutcome[]> {
  if (preliminary.size === 0) return settled;
  const judge = new RecordedJudge({
    ...{ settings, checks: (await readSuites()).filter(({ id }) => preliminary.has(id)) },
    ...{ keys: keyRingOf(settings), heldKeys: heldKeys(settings), redactor: new Redactor() },
    ...{ journal: noJournal, clockBook: clockBookOf(null, '') },
    isAlone: settings.share >= 1 && settings.shard === null,
  });
  const recorded = ownEvidence(await readRecording(join(dir, reportFiles.evidence)), '');
  for (const one of recorded) judge.add(one);
  for (const one of recorded) await judge.see(one);
  const ended = new Map(judge.end().map((outcome) => [outcome.check, outcome]));
  return settled.map((before) => withBroken(before, ended.get(before.check)));
}

/** What was kept is known from the run itself. */
function withBroken(before: CheckOutcome, ended: CheckOutcome | undefined): CheckOutcome {
  if (!ended || ended.findings.length === 0) return before;
  const broken = [...ended.verdicts].filter(([, { status }]) => status === 'fail' || status === 'warn');
  const verdicts = new Map([...before.verdicts, ...broken]);
  const found = new Set(ended.findings.map(({ fingerprint }) => fingerprint));
  return {
    ...before,
    verdicts,
    verdict: addUp([...verdicts.values()]) ?? before.verdict,
    findings: [...before.findings.filter(({ fingerprint }) => !found.has(fingerprint)), ...ended.findings],
  };
}
