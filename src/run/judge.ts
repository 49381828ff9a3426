import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { isDelivery } from '../core/evidence.ts';
import { isNote } from '../trace/evidence.ts';
import type { Api } from '../core/operations.ts';
import { quotedArgument } from '../core/quotedArgument.ts';
import { Redactor } from '../core/redact.ts';
import { newRunId } from '../core/runId.ts';
import type { Settings } from '../core/settings.ts';
import { shortPath } from '../core/shortPath.ts';
import { clockBookOf } from '../engine/clock/clockBook.ts';
import { readSuites } from '../engine/session/suites.ts';
import { prepareReportDir, reportFiles } from '../report/reportDir.ts';
import { heldReportDir } from '../report/reportHold.ts';
import { openJournal } from '../send/journal.ts';
import { keyRingOf } from '../target/url.ts';
import { knownFailures } from './knownFailures.ts';
import { memoryFolder } from './memoryFolder.ts';
import { readRecorded } from './recorded/readRecorded.ts';
import { RecordedJudge } from './recorded/recordedJudge.ts';
import { finishRecorded } from './recorded/recordedResult.ts';
import type { RunOutput } from './run.ts';

export interface JudgeOptions {
  /** Recordings: HARs, and the evidence.ndjson of runs. */
  readonly files: readonly string[];
  /** Base addresses whose traffic counts; all of the recording where there are none. */
  readonly targets: readonly string[];
  /** All keys that the settings do not name belong to one enterprise. */
  readonly isOneEnterprise: boolean;
  /** Null to take the APIs that the recording shows. */
  readonly apis: readonly Api[] | null;
  /** The command line, for the reports; without secrets. */
  readonly command: string;
  /** How Gatecheck was started. */
  readonly program?: string;
  /** Folder that report directories are made in. */
  readonly root: string;
  readonly notice: (text: string) => void;
}

/** Judges recorded traffic by all passive oracles: recordings → evidence → verdicts → reports. Sends nothing. */
export async function judgeRecorded(given: Settings, options: JudgeOptions): Promise<RunOutput> {
  const checks = await readSuites();
  const known = await knownFailures(given);
  const [redactor, keys] = [new Redactor(), keyRingOf(given)];
  const { recorded, apis, baseUrls, notices } = await readRecorded(options, keys, redactor);
  for (const text of notices) options.notice(text);
  const settings = { ...given, apis: options.apis ?? apis };
  const [runId, startedAt] = [newRunId(systemClock), systemClock.now()];
  const reportDir = await prepareReportDir(settings.reportDir, runId, options.root);
  using _held = heldReportDir(reportDir);
  const journal = openJournal(join(reportDir, reportFiles.evidence), redactor);
  const clockBook = clockBookOf(memoryFolder(options.root), baseUrls.webcheckin);
  const judge = new RecordedJudge({ settings, checks, keys, redactor, journal, clockBook });
  // In what a run has written, labels stand for them already.
  judge.learn(recorded.flatMap(({ evidence, isOwn }) => (isOwn || isNote(evidence) ? [] : [evidence])));
  for (const one of recorded) judge.add(one);
  for (const one of recorded) await judge.see(one);
  const clockText = judge.clockNotice();
  if (clockText !== null) options.notice(clockText);
  const messages = recorded.flatMap(({ evidence }) => (isNote(evidence) ? [] : [evidence]));
  const callbacks = messages.filter(isDelivery).length;
  return await finishRecorded({
    ...{ settings, checks, known, judge, journal, runId, startedAt, reportDir, baseUrls },
    command: options.command,
    again: againWith(options),
    counts: { requests: messages.length - callbacks, callbacks },
  });
}

function againWith({ files, targets, isOneEnterprise, root, program = 'gatecheck' }: JudgeOptions): string {
  const words = [
    ...files.map((file) => (file === '-' ? file : shortPath(file, root))),
    ...targets.flatMap((target) => ['--target', target]),
    ...(isOneEnterprise ? ['--one-enterprise'] : []),
  ];
  return `${program} judge ${words.map(quotedArgument).join(' ')}`;
}
