import { join } from 'node:path';
import { appliesTo } from './catalogue/appliesTo.ts';
import { loadCatalogue } from './catalogue/loadCatalogue.ts';
import { systemClock, type Clock } from './core/clock.ts';
import { Redactor } from './core/redact.ts';
import { newRunId } from './core/runId.ts';
import type { Settings } from './core/settings.ts';
import type { Listener } from './engine/events.ts';
import { Session } from './engine/session.ts';
import type { EngineCheck } from './engine/suite.ts';
import { loadSuites } from './engine/suites.ts';
import { judgeRows } from './engine/verdicts.ts';
import { callbackOracles } from './judge/callbackOracles/index.ts';
import { oracles } from './judge/oracles/index.ts';
import { budgetsOf } from './plan/budgets.ts';
import { capabilitiesOf, type AtHand } from './plan/capabilities.ts';
import { makePlan, type Plan, type PlanInput } from './plan/plan.ts';
import { assumedReach } from './plan/sinkReach.ts';
import { reachOf, sinkHints } from './receive/sink.ts';
import { loadBaseline } from './report/baseline.ts';
import { buildResult } from './report/buildResult.ts';
import { renderContainerLog, withLogs, type Span } from './report/containerLog.ts';
import { containerLogFile, prepareReportDir, reportFiles } from './report/reportDir.ts';
import type { RunResult } from './report/result.ts';
import { writeReports } from './report/writeReports.ts';
import { writeText } from './report/writeWhole.ts';
import { openJournal } from './send/journal.ts';
import type { KeyRing } from './send/keyRing.ts';
import { openSink } from './target/openSink.ts';
import { assumedKeys, assumedStates, openTarget } from './target/openTarget.ts';
import type { Target } from './target/target.ts';
import { version } from './version.ts';

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

/** What a run with these settings would do. Sends nothing. */
export async function planRun(
  settings: Settings,
  { waitsForLimits = false }: Pick<RunOptions, 'waitsForLimits'> = {},
): Promise<Plan<EngineCheck>> {
  const states = assumedStates(settings);
  return planFor(settings, await loadSuites(), {
    states,
    keys: assumedKeys(settings),
    reach: assumedReach(settings, states),
    waitsForLimits,
  });
}

/** The whole way of a run: plan, target, session, verdicts, reports. */
export async function run(settings: Settings, options: RunOptions = {}): Promise<RunOutput> {
  const clock: Clock = systemClock;
  const root = options.root ?? process.cwd();
  const runId = newRunId(clock);
  const checks = await loadSuites();
  const baseline = settings.baseline === null ? [] : await loadBaseline(settings.baseline);
  const reportDir = await prepareReportDir(settings.reportDir, runId, root);
  const redactor = new Redactor();
  const startedAt = clock.now();
  const target = await openTarget(settings, clock, {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    notice: (text) => options.listener?.({ name: 'notice', text: redactor.redact(text) }),
  });
  const journal = openJournal(join(reportDir, reportFiles.evidence), redactor);
  const spans = new Map<string, Span>();
  const listener: Listener = (event) => {
    if (event.name === 'exchange' && target.log) spans.set(event.id, endingAt(clock.now(), event.durationMs));
    if (event.name === 'callback' && target.log) spans.set(event.id, endingAt(clock.now(), beforeCallbackMs));
    // Exchanges and callbacks stand in the journal whole.
    if (event.name !== 'exchange' && event.name !== 'callback') journal.event(clock.now(), event.name, event);
    options.listener?.(event);
  };
  const sink = await openSink({
    settings,
    target,
    clock,
    notice: (text) => listener({ name: 'notice', text }),
  }).catch(async (error: unknown) => {
    // A target whose sink cannot be had is left as it was found.
    await Promise.allSettled([target.close(), journal.close()]);
    throw error;
  });
  const { waitsForLimits = false } = options;
  const atHand = {
    states: target.stateHandler.states,
    keys: target.keys,
    reach: reachOf(sink),
    waitsForLimits,
  };
  const plan = planFor(settings, checks, atHand, sinkHints(sink));
  const catalogue = loadCatalogue();
  const session = new Session({
    runId,
    settings,
    plan,
    catalogue,
    oracles,
    callbackOracles,
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
  try {
    await Promise.all([session.run(), options.show?.(session, reportDir)]);
  } catch (error) {
    // What was sent until then is on record, whatever broke.
    await sink?.close();
    await journal.close().catch(() => undefined);
    throw error;
  } finally {
    await sink?.close();
    await target.close();
  }
  const rows = judgeRows(
    [...catalogue.requirements, ...catalogue.openPoints].filter(
      (row) => appliesTo(settings.apis)(row) && row.level !== 'consumer',
    ),
    {
      checks,
      outcomes: session.outcomes,
      dialect: session.dialect,
      pins: settings.openPoints,
    },
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
    capabilities: [...capabilitiesOf(settings, plan.budgets, atHand)],
    session,
    rows,
    baseline,
  });
  const { verdict, requests } = built.result.summary;
  listener({ name: 'run-finished', verdict, requests, durationMs: clock.now() - startedAt });
  const lines = target.log?.().map((line) => ({ ...line, text: redactor.redact(line.text) })) ?? [];
  const result = withLogs(built.result, lines, spans);
  if (target.log) await writeText(join(reportDir, containerLogFile), renderContainerLog(lines));
  // Evidence that could not be kept is an error, and no reason to keep the verdicts back.
  await journal.close().finally(() => writeReports(result, reportDir));
  return { ...built, result, reportDir };
}

/** What leads a server to a callback, it logs shortly before. */
const beforeCallbackMs = 1000;

function endingAt(to: number, durationMs: number): Span {
  return { from: to - durationMs, to };
}

function planFor(
  settings: Settings,
  checks: readonly EngineCheck[],
  atHand: AtHand & { readonly keys: KeyRing },
  hints: PlanInput<EngineCheck>['hints'] = {},
): Plan<EngineCheck> {
  const budgets = budgetsOf(settings);
  const capabilities = capabilitiesOf(settings, budgets, atHand);
  return makePlan({
    checks,
    catalogue: loadCatalogue(),
    settings,
    budgets,
    capabilities,
    keys: atHand.keys.primary.length,
    hints,
  });
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
