import { join } from 'node:path';
import { appliesTo } from '../catalogue/appliesTo.ts';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { systemClock, type Clock } from '../core/clock.ts';
import { Redactor } from '../core/redact.ts';
import { newRunId } from '../core/runId.ts';
import type { Settings } from '../core/settings.ts';
import type { Listener } from '../engine/events.ts';
import { Session } from '../engine/session.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { loadSuites } from '../engine/suites.ts';
import { judgeRows } from '../engine/verdicts.ts';
import { oracles } from '../judge/oracles.ts';
import { budgetsOf } from '../plan/budgets.ts';
import { capabilitiesOf } from '../plan/capabilities.ts';
import type { Plan } from '../plan/plan.ts';
import { planWith } from './planRun.ts';
import { reachOf, sinkHints } from '../receive/sink.ts';
import { loadBaseline } from '../report/baseline.ts';
import { buildResult } from '../report/buildResult.ts';
import { ContainerLogs } from '../report/containerLogs.ts';
import { prepareReportDir, reportFiles } from '../report/reportDir.ts';
import type { RunResult } from '../report/result.ts';
import { writeReports } from '../report/writeReports.ts';
import { openJournal } from '../send/journal.ts';
import { openTargetAndSink } from '../target/openTargetAndSink.ts';
import type { Target } from '../target/target.ts';
import { version } from '../version.ts';

export interface RunOptions {
  readonly listener?: Listener;
  readonly signal?: AbortSignal;
  /** The command line, for the reports; without secrets. */
  readonly command?: string;
  /** Folder that report directories and the memory of the pace are made in. */
  readonly root?: string;
  /** Run checks only when they are asked for, until this resolves. */
  readonly onDemand?: Promise<void>;
  /** Shows the checks of a session while it runs; by default nobody looks. */
  readonly show?: (session: Session, reportDir: string) => Promise<void>;
  /** The user came for the limits: checks wait for windows of a minute. */
  readonly waitsForLimits?: boolean;
}

export interface RunOutput {
  readonly result: RunResult;
  readonly exitCode: number;
  readonly reportDir: string;
}

/** The whole way of a run: target, plan, session, verdicts, reports. */
export async function run(settings: Settings, options: RunOptions = {}): Promise<RunOutput> {
  const { root = process.cwd(), waitsForLimits = false } = options;
  const clock: Clock = systemClock;
  const startedAt = clock.now();
  const runId = newRunId(clock);
  const catalogue = loadCatalogue();
  const checks = await loadSuites();
  const baseline = settings.baseline === null ? [] : await loadBaseline(settings.baseline);
  const reportDir = await prepareReportDir(settings.reportDir, runId, root);
  const redactor = new Redactor();
  const journal = openJournal(join(reportDir, reportFiles.evidence), redactor);
  const tell: Listener = (event) => {
    // Exchanges and callbacks stand in the journal whole.
    if (event.name !== 'exchange' && event.name !== 'callback') journal.event(clock.now(), event.name, event);
    options.listener?.(event);
  };
  const { target, sink, close } = await openTargetAndSink(settings, clock, {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    notice: (text) => tell({ name: 'notice', text: redactor.redact(text) }),
  }).catch(closingFirst(() => journal.close()));
  const logs = new ContainerLogs(target, clock, redactor);
  const listener: Listener = (event) => {
    logs.hear(event);
    tell(event);
  };
  const { states } = target.stateHandler;
  const atHand = { states, keys: target.keys, reach: reachOf(sink), waitsForLimits };
  const judge = async () => {
    const plan = planWith(settings, checks, atHand, sinkHints(sink));
    const session = new Session({
      runId,
      settings,
      plan,
      catalogue,
      oracles,
      target,
      sink,
      clock,
      journal,
      redactor,
      listener,
      signal: options.signal ?? new AbortController().signal,
      waitsForLimits,
      width: widthFor(target),
      onDemand: options.onDemand ?? null,
      paceFile: target.kind === 'embedded' ? null : join(root, 'reports', '.pace.json'),
    });
    listener(startEvent(runId, settings, target, plan));
    await Promise.all([session.run(), options.show?.(session, reportDir)]);
    return session;
  };
  // What was sent until something broke is on record.
  const session = await judge()
    .finally(close)
    .catch(closingFirst(() => journal.close()));
  const verdicts = judgeRows(
    [...catalogue.requirements, ...catalogue.openPoints].filter(
      (row) => appliesTo(settings.apis)(row) && row.level !== 'consumer',
    ),
    { checks, outcomes: session.outcomes, dialect: session.dialect, pins: settings.openPoints },
  );
  const built = buildResult({
    runId,
    command: options.command ?? 'gatecheck run',
    startedAt,
    durationMs: clock.now() - startedAt,
    version,
    settings,
    catalogue,
    target,
    capabilities: [...capabilitiesOf(settings, budgetsOf(settings), atHand)],
    session,
    checks,
    verdicts,
    baseline,
  });
  const { verdict, requests } = built.result.summary;
  listener({ name: 'run-finished', verdict, requests, durationMs: clock.now() - startedAt });
  const result = await logs.addTo(built.result, reportDir);
  // Evidence that could not be kept is an error, and no reason to keep the verdicts back.
  await journal.close().finally(() => writeReports(result, reportDir));
  return { ...built, result, reportDir };
}

/** Closes what is open, and lets the error go on. */
function closingFirst(close: () => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    await close().catch(() => undefined);
    throw error;
  };
}

/** Checks that run side by side: more than one only where there are keys to spread over. */
function widthFor(target: Target): number {
  return Math.min(8, Math.max(2, target.keys.primary.length));
}

function startEvent(runId: string, settings: Settings, target: Target, plan: Plan<EngineCheck>) {
  const requirements = new Set(plan.checks.flatMap(({ check }) => check.verifies)).size;
  return {
    name: 'run-started',
    runId,
    seed: settings.seed,
    target: target.baseUrls[settings.apis[0] ?? 'webcheckin'],
    checks: plan.checks.length,
    requirements,
    plannedRequests: plan.total.requests,
    expectedMs: plan.expectedMs,
  } as const;
}
