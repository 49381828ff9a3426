import { join } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { Redactor } from '../core/redact.ts';
import { newRunId } from '../core/runId.ts';
import type { Settings } from '../core/settings.ts';
import type { Listener, RunEvent } from '../engine/observe/events.ts';
import type { RunPorts } from '../engine/session/openRun.ts';
import { ContainerLogs } from '../report/containerLogs.ts';
import { claimReportDir, prepareReportDir, reportFiles } from '../report/reportDir.ts';
import { continueJournal, openJournal } from '../send/journal.ts';
import { ForecastTeller } from './forecastTeller.ts';
import { memoryFolder } from './memoryFolder.ts';
import { earlierOf, type Resumed } from './resume.ts';

/** What a caller of a run decides about reports. */
export interface ReportOptions {
  readonly listener?: Listener;
  readonly signal?: AbortSignal;
  /** Folder for report directories and the pace book. */
  readonly root?: string;
  /** The run that is continued. */
  readonly resumed?: Resumed | undefined;
  /** Opens the deployment instead of the target of the settings, such as one in this process. */
  readonly openTarget?: NonNullable<RunPorts['openTarget']>;
}

interface OpenReport {
  readonly dir: string;
  readonly startedAt: number;
  /** Milliseconds since the start, even if the machine's clock was set forward or back meanwhile. */
  readonly elapsed: () => number;
  /** Milliseconds since this part of the run began: a continued one was forecast anew. */
  readonly sinceOpened: () => number;
  readonly logs: ContainerLogs;
  readonly teller: ForecastTeller;
  readonly ports: RunPorts;
}

/**
 * Opens what the run writes to while it runs: the report directory, the journal, the logs of containers. The directory has to be
 * given back.
 */
export async function openReport(settings: Settings, options: ReportOptions): Promise<OpenReport> {
  const { signal, root = process.cwd() } = options;
  const { resumed } = options;
  const before = resumed?.killed.head;
  const [id, redactor] = [before?.runId ?? newRunId(systemClock), new Redactor()];
  const startedAt = before?.startedAt ?? systemClock.now();
  const [elapsed, sinceOpened] = [elapsedSince(startedAt), elapsedSince(systemClock.now())];
  if (resumed !== undefined) claimReportDir(resumed.dir);
  const dir = resumed?.dir ?? (await prepareReportDir(settings.reportDir, id, root));
  const teller = new ForecastTeller();
  const logs = new ContainerLogs(settings.target.kind, systemClock, redactor);
  const show: Listener = (event) =>
    options.listener?.(
      event.name === 'exchange' ? { ...event, request: redactor.redact(event.request) } : event,
    );
  const held: RunEvent[] = [];
  const listener: Listener = (event) => {
    logs.hear(event);
    teller.hear(event);
    // The first request shows how long the run takes: events until then are shown after the start.
    if (teller.isMeasuring) held.push(event);
    else for (const one of [event, ...held.splice(0)]) show(one);
  };
  const open = resumed === undefined ? openJournal : continueJournal;
  const openFile = () => open(join(dir, reportFiles.evidence), redactor);
  const earlier = resumed && (await earlierOf(resumed, settings));
  const ports = {
    ...{ id, signal, redactor, listener, earlier, openJournal: openFile, memory: memoryFolder(root) },
    ...(options.openTarget === undefined ? {} : { openTarget: options.openTarget }),
  };
  return { dir, startedAt, elapsed, sinceOpened, logs, teller, ports };
}

/** Counts on from a time by the wall clock, which is passed or now. */
function elapsedSince(startedAt: number): () => number {
  const before = Math.max(0, systemClock.now() - startedAt);
  const openedAt = systemClock.monotonic();
  return () => Math.round(before + systemClock.monotonic() - openedAt);
}
