import { loadCatalogue } from '../../catalogue/loadCatalogue.ts';
import { systemClock } from '../../core/clock.ts';
import type { Api } from '../../core/operations.ts';
import type { Settings } from '../../core/settings.ts';
import { Dialect } from '../../engine/observe/dialect.ts';
import type { CheckOutcome } from '../../engine/findings/outcome.ts';
import type { EngineCheck } from '../../engine/suite.ts';
import { buildResult } from '../../report/buildResult.ts';
import type { BaselineEntry } from '../../report/baseline.ts';
import { writeReports } from '../../report/writeReports.ts';
import type { Journal } from '../../send/journal.ts';
import { version } from '../../version.ts';
import { judgedRows } from '../judgedRows.ts';
import { keepAll } from '../keep.ts';
import { withKnown } from '../knownFailures.ts';
import type { RunOutput } from '../run.ts';
import type { RecordedJudge } from './recordedJudge.ts';

/** All that a result of recorded traffic is made of. */
interface RecordedConduct {
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
  readonly known: readonly BaselineEntry[];
  readonly judge: RecordedJudge;
  readonly journal: Journal;
  readonly runId: string;
  readonly startedAt: number;
  readonly reportDir: string;
  readonly baseUrls: Readonly<Record<Api, string>>;
  readonly command: string;
  /** The line that judges the same again. */
  readonly again: string;
  readonly counts: { readonly requests: number; readonly callbacks: number };
}

/** The verdict on recorded traffic: outcomes → result → reports. */
export async function finishRecorded(conduct: RecordedConduct): Promise<RunOutput> {
  const { settings, known, journal, reportDir, again } = conduct;
  const outcomes = conduct.judge.end();
  const built = await withKnown(settings, known, (baseline) => build(conduct, outcomes, baseline));
  const findings = built.result.findings.map((finding) => ({
    ...finding,
    reproduce: { ...finding.reproduce, command: again },
  }));
  const result = { ...built.result, findings };
  const notKept = await keepAll(reportDir, [
    { what: 'the evidence', write: () => journal.close() },
    { what: 'the reports', write: () => writeReports(result, reportDir) },
  ]);
  return { result, exitCode: notKept?.exitCode ?? built.exitCode, reportDir, notKept };
}

function build(
  { settings, checks, judge, runId, startedAt, baseUrls, command, counts }: RecordedConduct,
  outcomes: readonly CheckOutcome[],
  baseline: readonly BaselineEntry[],
) {
  const { observer } = judge;
  return buildResult({
    ...{ runId, startedAt, version, settings, checks, baseline, command },
    durationMs: systemClock.now() - startedAt,
    catalogue: loadCatalogue(),
    target: { kind: 'url', baseUrls },
    capabilities: [],
    callbacks: counts.callbacks,
    verdicts: judgedRows(settings, { checks, outcomes, dialect: new Dialect() }),
    conduct: {
      ...{ outcomes, end: 'completed', endReason: '', quotaUnits: 0, sideEffects: [], limits: [] },
      requests: counts.requests,
      throttled: 0,
      timings: observer.latencies.summaries(),
      violatedBy: (evidence) => observer.violatedBy(evidence),
    },
  });
}
