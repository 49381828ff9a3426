import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { checkOptions } from '../core/knownOptions.ts';
import { systemClock } from '../core/clock.ts';
import type { GatecheckError } from '../core/errors.ts';
import { settlesWithin } from '../core/settlesWithin.ts';
import type { Settings } from '../core/settings.ts';
import { Dialect } from '../engine/observe/dialect.ts';
import { mostWidth } from '../engine/session/width.ts';
import { openRun, type OpenRun } from '../engine/session/openRun.ts';
import { Session } from '../engine/session/session.ts';
import type { EngineCheck } from '../engine/suite.ts';
import { readSuites } from '../engine/session/suites.ts';
import { budgetsOf } from '../plan/budgets.ts';
import { capabilitiesOf } from '../plan/capabilities.ts';
import { usualPace, usualWidth } from '../plan/forecast.ts';
import type { Plan } from '../plan/plan.ts';
import type { Fitting, Rotation } from '../plan/rotation.ts';
import { buildResult, select, conductOf } from '../report/buildResult.ts';
import { replayCommand } from '../report/replayCommand.ts';
import { withCommands } from '../report/mergeResults.ts';
import { heldReportDir } from '../report/reportHold.ts';
import type { RunResult } from '../report/result.ts';
import { writeReports } from '../report/writeReports.ts';
import { version } from '../version.ts';
import { judgedRows } from './judgedRows.ts';
import { keepAll } from './keep.ts';
import { headEvent, headOf } from './killed/head.ts';
import { knownFailures, withKnown } from './knownFailures.ts';
import type { ForecastTeller } from './forecastTeller.ts';
import { openReport, type ReportOptions } from './openReport.ts';
import { atHandOf, planOpen } from './planRun.ts';
import { restOfPlan, withEarlier } from './resume.ts';

export interface RunOptions extends ReportOptions {
  /** The command that replays a finding of the report directory; by default that of `gatecheck` on the path. */
  readonly again?: (fingerprint: string, reportDir: string) => string;
  /** The command line, for the reports; without secrets. */
  readonly command?: string;
  /** Runs checks only on demand, until this resolves. */
  readonly onDemand?: Promise<void>;
  /** Called with the report directory before anything is sent. */
  readonly onReportDir?: ((dir: string) => void) | undefined;
  /** Shows the checks of a session while it runs; by default they are not shown. */
  readonly show?: ((session: Session, reportDir: string) => Promise<void>) | undefined;
  /** The user wants to test the limits: checks wait for windows of a minute. */
  readonly waitsForLimits?: boolean;
  /** Which checks other rounds run, for rounds that share them; by default all are for this one. */
  readonly rotation?: Rotation;
}

const knownOptions: Readonly<Record<keyof RunOptions, true>> = {
  ...{
    listener: true,
    signal: true,
    root: true,
    resumed: true,
    openTarget: true,
    again: true,
    command: true,
  },
  ...{ onDemand: true, onReportDir: true, show: true, waitsForLimits: true, rotation: true },
};

export interface RunOutput {
  readonly result: RunResult;
  readonly exitCode: number;
  readonly reportDir: string;
  /** What could not be written, for example on a full disk; null if everything was. It determines the exit code. */
  readonly notKept: GatecheckError | null;
  /** For a run in rotation, the checks that it ran, and those that some round of the day could run. */
  readonly rotated?: { readonly met: readonly string[]; readonly fitting: Fitting };
}

/** Containers take ten seconds to stop; anything that takes much longer never ends. */
const leaveMs = 60_000;

/** A complete run: settings → target → plan → session → result → reports. */
export async function run(settings: Settings, options: RunOptions = {}): Promise<RunOutput> {
  checkOptions('run', options, knownOptions);
  const checks = await readSuites();
  const known = await knownFailures(settings);
  const report = await openReport(settings, options);
  using _held = heldReportDir(report.dir);
  options.onReportDir?.(report.dir);
  await using open = await openRun(settings, report.ports);
  const { resumed } = options;
  const plan = planFor(open, checks, options);
  const head = headFor(open, report.startedAt, options);
  open.journal.event(report.startedAt, headEvent, { ...headOf(settings, head) });
  const forecast = report.teller.follow(open, plan);
  const onReached = onceWithin(patienceMs, () => open.tell(startEvent(open, plan, forecast.wholeMs, checks)));
  const session = await execute(open, plan, { ...options, reportDir: report.dir, onReached });
  // Even if it ended before it was reached.
  onReached();
  if (!(await settlesWithin(open.leave(), leaveMs)))
    open.tell({ name: 'notice', text: 'What the run had opened could not be closed in time.' });
  const own = conductOf(session);
  const conduct = resumed === undefined ? own : withEarlier(own, resumed);
  const durationMs = report.elapsed();
  if (settings.watchMs === null && settings.profile !== 'full')
    noticeLateness(open, report.teller, report.sinceOpened());
  const input = {
    ...{ ...head, version, settings, conduct, durationMs, checks },
    catalogue: loadCatalogue(),
    callbacks: (open.sink?.inbox.arrived ?? 0) + (resumed?.killed.callbacks ?? 0),
    verdicts: judgedRows(settings, { checks, outcomes: session.outcomes, dialect: session.dialect }),
  };
  const built = await withKnown(settings, known, (baseline) => buildResult({ ...input, baseline }));
  const { verdict, requests } = built.result.summary;
  open.tell({ name: 'run-finished', verdict, requests, durationMs });
  const told = await report.logs.addTo(built.result, open.target, report.dir);
  const result = withCommands(
    told,
    ({ fingerprint: finding }) =>
      options.again?.(finding, report.dir) ??
      replayCommand(finding, report.dir, { folder: options.root ?? process.cwd() }),
  );
  // A failure to write is an error, but no reason to withhold the verdicts.
  const notKept = await keepAll(report.dir, [
    { what: 'the evidence', write: () => open.journal.close() },
    { what: 'the reports', write: () => writeReports(result, report.dir) },
  ]);
  const exitCode = notKept === null ? built.exitCode : notKept.exitCode;
  const output = { result, exitCode, reportDir: report.dir, notKept };
  return plan.fitting === undefined ? output : { ...output, rotated: rotatedOf(plan, plan.fitting) };
}

/** How long to wait for the first answer before the start of a run is shown. */
const patienceMs = 2000;

/** Runs a task once: when called, or after `ms`. */
function onceWithin(ms: number, task: () => void): () => void {
  const cancel = systemClock.timer(ms, once);
  let isDone = false;
  function once(): void {
    cancel();
    if (isDone) return;
    isDone = true;
    task();
  }
  return once;
}

function rotatedOf({ checks }: Plan<EngineCheck>, fitting: Fitting) {
  const met = checks.filter(({ check }) => check.kind !== 'passive').map(({ check }) => check.id);
  return { met, fitting };
}

function planFor(
  open: OpenRun,
  checks: readonly EngineCheck[],
  { waitsForLimits, rotation, resumed }: RunOptions,
): Plan<EngineCheck> {
  if (resumed === undefined) return planOpen(open, checks, { waitsForLimits, rotation, explores: true });
  const booked = new Set(resumed.killed.head.booked);
  const begun = planOpen(open, checks, {
    ...{ waitsForLimits, explores: true },
    begun: { budgets: resumed.whole, booked },
  });
  return restOfPlan(begun, open.settings, resumed);
}

/** The head of the run for reports and journal, before anything is judged. */
function headFor(
  open: OpenRun,
  startedAt: number,
  { command = 'gatecheck run', waitsForLimits }: RunOptions,
) {
  const { id, settings } = open;
  const { kind, baseUrls, image } = open.target;
  const capabilities = [...capabilitiesOf(settings, budgetsOf(settings), atHandOf(open, waitsForLimits))];
  const booked = [...open.book.roles()];
  const target = { kind, baseUrls, ...(image === undefined ? {} : { image }) };
  return { runId: id, startedAt, command, capabilities, booked, target };
}

function noticeLateness(open: OpenRun, teller: ForecastTeller, durationMs: number): void {
  const late = teller.reasonFor(durationMs);
  if (late !== null) open.tell({ name: 'notice', text: late });
}

interface Execution extends Pick<RunOptions, 'onDemand' | 'waitsForLimits' | 'show'> {
  readonly reportDir: string;
  readonly onReached: () => void;
}

/** Runs the plan, or what is requested of it, while it is shown. */
async function execute(
  open: OpenRun,
  plan: Plan<EngineCheck>,
  { onDemand, waitsForLimits, show, reportDir, onReached }: Execution,
): Promise<Session> {
  const session = new Session(open, {
    plan,
    ...{ onDemand, waitsForLimits, onReached },
    width: usualWidth(open.target.keys.primary.length),
    mostWidth,
  });
  const shown = show?.(session, reportDir).then(
    () => null,
    (error: unknown) => String(error),
  );
  await session.run();
  await endShow(open, shown ?? Promise.resolve(null));
  return session;
}

/** How long the display may take to end after the last check; big vitest projects take a second or two. */
const showMs = 30_000;

/** The display must not hold up the run: the verdict is known, and the reports have to be written. */
async function endShow({ tell }: OpenRun, shown: Promise<string | null>): Promise<void> {
  if (!(await settlesWithin(shown, showMs)))
    tell({
      name: 'notice',
      text: 'The display of the checks did not end; the reports are written without it.',
    });
  else if ((await shown) !== null)
    tell({ name: 'notice', text: `The checks could not be shown: ${(await shown) ?? ''}` });
}

export function startEvent(
  { id, settings, target }: OpenRun,
  plan: Plan<EngineCheck>,
  forecastMs: number,
  checks: readonly EngineCheck[],
) {
  // The same rows that the result will have.
  const verdicts = judgedRows(settings, { checks, outcomes: [], dialect: new Dialect() });
  const { rows } = select({ verdicts, findings: [], checks, only: settings.only });
  return {
    name: 'run-started',
    runId: id,
    seed: settings.seed,
    target: target.baseUrls[settings.apis[0] ?? 'webcheckin'],
    checks: plan.checks.length,
    requirements: rows.length,
    plannedRequests: plan.total.requests,
    expectedMs: plan.expectedMs,
    requestMs: usualPace(settings, 1).latencyMs,
    forecastMs,
  } as const;
}
