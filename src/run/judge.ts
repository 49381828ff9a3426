import { join } from 'node:path';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { systemClock } from '../core/clock.ts';
import { isDelivery } from '../core/evidence.ts';
import type { Api } from '../core/operations.ts';
import { Redactor } from '../core/redact.ts';
import { newRunId } from '../core/runId.ts';
import type { Settings } from '../core/settings.ts';
import { Dialect } from '../engine/dialect.ts';
import { FindingMaker } from '../engine/findings.ts';
import { Observer } from '../engine/observer.ts';
import { notRun, type CheckOutcome } from '../engine/outcome.ts';
import { passiveOutcome } from '../engine/passiveOutcome.ts';
import { SecretWatch } from '../engine/secretWatch.ts';
import { ServerClock } from '../engine/serverClock.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { loadSuites } from '../engine/suites.ts';
import { oracles } from '../judge/oracles.ts';
import { buildResult } from '../report/buildResult.ts';
import { prepareReportDir, reportFiles } from '../report/reportDir.ts';
import { writeReports } from '../report/writeReports.ts';
import { openJournal, type Journal } from '../send/journal.ts';
import type { KeyRing } from '../send/keyRing.ts';
import { keyRingOf } from '../target/url.ts';
import { version } from '../version.ts';
import { judgedRows } from './judgedRows.ts';
import { keepAll } from './keep.ts';
import { knownFailures, withKnown } from './knownFailures.ts';
import type { Recorded } from './recorded/evidenceOf.ts';
import { loadRecorded } from './recorded/loadRecorded.ts';
import { recordedOracles } from './recorded/recordedOracles.ts';
import { learnSecrets } from './recorded/secrets.ts';
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
  /** Folder that report directories are made in. */
  readonly root: string;
  readonly notice: (text: string) => void;
}

/** Judges recorded traffic by all passive oracles: recordings → evidence → verdicts → reports. Sends nothing. */
export async function judgeRecorded(given: Settings, options: JudgeOptions): Promise<RunOutput> {
  const checks = await loadSuites();
  const known = await knownFailures(given);
  const [redactor, keys] = [new Redactor(), keyRingOf(given)];
  const traffic = await loadRecorded(options, keys, redactor);
  for (const text of traffic.notices) options.notice(text);
  const settings = { ...given, apis: options.apis ?? traffic.apis };
  const [runId, startedAt] = [newRunId(systemClock), systemClock.now()];
  const reportDir = await prepareReportDir(settings.reportDir, runId, options.root);
  const journal = openJournal(join(reportDir, reportFiles.evidence), redactor);
  const { outcomes, observer } = await judge(traffic.recorded, { settings, checks, keys, redactor, journal });
  const built = await withKnown(settings, known, (baseline) =>
    buildResult({
      ...{ runId, startedAt, version, settings, checks, baseline, command: options.command },
      durationMs: systemClock.now() - startedAt,
      catalogue: loadCatalogue(),
      target: { kind: 'url', baseUrls: traffic.baseUrls },
      capabilities: [],
      callbacks: traffic.recorded.filter(({ evidence }) => isDelivery(evidence)).length,
      verdicts: judgedRows(settings, { checks, outcomes, dialect: new Dialect() }),
      conduct: {
        ...{ outcomes, end: 'completed', endReason: '', quotaUnits: 0, sideEffects: [], limits: [] },
        requests: traffic.recorded.filter(({ evidence }) => !isDelivery(evidence)).length,
        throttled: 0,
        timings: observer.latencies.summaries(),
        violatedBy: (evidence) => observer.violatedBy(evidence),
      },
    }),
  );
  const again = `gatecheck judge ${options.files.length === 1 ? 'FILE' : 'FILES'}`;
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

interface JudgeParts {
  readonly settings: Settings;
  readonly checks: readonly EngineCheck[];
  readonly keys: KeyRing;
  readonly redactor: Redactor;
  readonly journal: Journal;
}

/** Lets the oracles see all that was recorded, in its order. */
async function judge(
  recorded: readonly Recorded[],
  { settings, checks, keys, redactor, journal }: JudgeParts,
) {
  const secrets = new SecretWatch(redactor, keys, settings);
  // In what a run has written, labels stand for them already.
  const foreign = recorded.filter(({ isOwn }) => !isOwn).map(({ evidence }) => evidence);
  learnSecrets(foreign, secrets, redactor);
  const limited = recordedOracles(oracles, recorded);
  const observer = new Observer({
    ...{ oracles: limited.oracles, secrets, journal },
    serverClock: new ServerClock(systemClock),
    listener: () => undefined,
  });
  for (const { evidence } of recorded) {
    if (isDelivery(evidence)) await observer.seeDelivery(evidence);
    else observer.see(evidence);
    await journal.drained();
  }
  observer.end();
  const catalogue = loadCatalogue();
  const sources = {
    catalogue,
    maker: new FindingMaker({ catalogue, redactor, seed: settings.seed, heldKeys: null }),
  };
  const outcomes = checks.map((check) =>
    check.kind === 'passive'
      ? explained(passiveOutcome(check, observer.tallies, sources), limited.withheld)
      : notRun(check, 'skipped', unsent),
  );
  return { outcomes, observer };
}

const unsent = 'a recording cannot show it: its check sends requests of its own';

/** Says why what was there was not judged, rather than that there was nothing. */
function explained(outcome: CheckOutcome, withheld: ReadonlyMap<string, string>): CheckOutcome {
  const verdicts = [...outcome.verdicts].map(([requirement, verdict]) => {
    const why = withheld.get(requirement);
    const isOpen = verdict.status === 'skipped' && why !== undefined;
    return [requirement, isOpen ? { ...verdict, reason: why } : verdict] as const;
  });
  return { ...outcome, verdicts: new Map(verdicts) };
}
