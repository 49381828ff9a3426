import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { systemClock } from '../core/clock.ts';
import { targetError, type ExitCode } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import { newRunId } from '../core/runId.ts';
import type { Settings } from '../core/settings.ts';
import { LoadSession } from '../engine/loadSession.ts';
import { openRun, type OpenRun } from '../engine/openRun.ts';
import { CaseUnclear, CheckSkipped } from '../engine/signals.ts';
import { judgeAccuracy } from '../load/accuracy.ts';
import { slicesOf } from '../load/arrivals.ts';
import type { LoadMaterial } from '../load/payloads.ts';
import { stepMs, type LoadPlan } from '../load/plan.ts';
import { keysFor, planLoad, type LoadOptions } from '../load/planLoad.ts';
import { Recorder } from '../load/recorder.ts';
import { runLocally } from '../load/runLocally.ts';
import { refuseSaturation, saturate } from '../load/saturate.ts';
import { summarize, type LoadSummary, type WorkersSummary } from '../load/summary.ts';
import { judgeThreshold } from '../load/thresholds.ts';
import { buildLoadResult } from '../report/load/buildLoadResult.ts';
import { prepareReportDir } from '../report/reportDir.ts';
import type { RunResult } from '../report/result.ts';
import { writeReports } from '../report/writeReports.ts';
import { windowLimits } from '../send/keyWindow.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { openSink } from '../target/openSink.ts';
import { assumedKeys } from '../target/openTarget.ts';
import { version } from '../version.ts';
import type { Load, LoadView } from './load.ts';
import { driveOverWorkers, gatherWorkers } from './loadOverWorkers.ts';
import { mayProbe, startProbe, type Probe } from './loadProbe.ts';
import { memoryFolder } from './memoryFolder.ts';
import { noticesOf } from './notices.ts';

export interface LoadRunOptions {
  readonly signal?: AbortSignal;
  /** The command line, for the reports; without secrets. */
  readonly command?: string;
  /** Folder that report directories and the memory of the pace are made in. */
  readonly root?: string;
  readonly redactor?: Redactor;
  /** Sees the load as soon as it begins; whoever draws it reads the recorder. */
  readonly onStart?: (view: LoadView) => void;
  readonly notice?: (text: string) => void;
}

export interface LoadOutput {
  readonly result: RunResult;
  readonly exitCode: ExitCode;
  readonly reportDir: string;
}

/** The whole way of a load: plan, target, what the payloads need, the load itself, judgement, reports. */
export async function runLoad(
  settings: Settings,
  options: LoadOptions,
  given: LoadRunOptions = {},
): Promise<LoadOutput> {
  const root = given.root ?? process.cwd();
  // What cannot be is told before anything is started.
  if (settings.target.kind !== 'image') planLoad(options, settings, assumedKeys(settings).primary.length);
  const id = newRunId(systemClock);
  const reportDir = await prepareReportDir(settings.reportDir, id, root);
  const startedAt = systemClock.now();
  const planFor = (keys: number) => planLoad(options, settings, keys);
  await using run = await openRun(settings, {
    ...{ id, signal: given.signal, redactor: given.redactor, memory: memoryFolder(root) },
    listener: noticesOf(given.notice),
    openSink: async (sink) => {
      const { keys, stateHandler } = sink.target;
      return mayProbe(settings, planFor(keys.primary.length), stateHandler) ? openSink(sink) : null;
    },
  });
  const load = openLoad(run, planFor(run.target.keys.primary.length), { options, given });
  const summary = await drive(load);
  const built = buildLoadResult({
    ...{ runId: id, command: given.command ?? 'gatecheck load', version, settings, summary },
    ...{ startedAt, durationMs: systemClock.now() - startedAt },
    ...{ catalogue: loadCatalogue(), target: run.target },
    ...{ end: load.session.end, sideEffects: load.session.sideEffects, spent: spentOf(load, summary) },
  });
  await writeReports(built.result, reportDir);
  return { ...built, reportDir };
}

function openLoad(
  run: OpenRun,
  plan: LoadPlan,
  { options, given }: { readonly options: LoadOptions; readonly given: LoadRunOptions },
): Load {
  const { settings, clock, target, scope } = run;
  const keys = target.keys.primary.slice(0, keysFor(options, target.keys.primary.length));
  const transport = createUndiciTransport(settings.http, clock, options.maxInFlight);
  scope.defer(() => transport.close());
  return {
    ...{ run, options, plan, keys },
    // What sets the load up comes on top.
    session: new LoadSession(run, { transport, keys, maxRequests: plan.maxRequests + 50 }),
    notice: given.notice ?? (() => undefined),
    onStart: given.onStart ?? (() => undefined),
  };
}

function spentOf({ session, options }: Load, { counts }: LoadSummary) {
  return {
    requests: session.traffic.allowance.spent.requests + (options.workers === null ? 0 : counts.sent),
    quota: session.sideEffects.filter(({ kind }) => kind === 'quota').length,
  };
}

/** Drives the load, and makes up the account also where it ended early. */
async function drive(load: Load): Promise<LoadSummary> {
  const { plan, session, options } = load;
  const recorder = new Recorder(stepMs(plan));
  if (options.saturate) refuseSaturation(plan, load.run.target.baseUrls);
  const crew = options.workers === null ? null : await gatherWorkers(load, options.workers);
  let probe: Probe | null = null;
  let went: Driven = { elapsedMs: 0, workers: null };
  try {
    const material = (await session.reach()) === 'completed' ? await prepare(load) : null;
    if (material !== null) {
      const here = { material, recorder, onStart: (at: number) => load.onStart(viewOf(load, recorder, at)) };
      probe = await startProbe(load);
      if (options.saturate) went = await saturateHere(load, here);
      else went = crew === null ? await driveHere(load, here) : await driveOverWorkers(load, crew, here);
    }
  } finally {
    await probe?.stop();
    crew?.close();
  }
  return summaryOf(load, recorder, { ...went, callbackDelays: probe?.delays ?? null });
}

/** A saturation plans nothing: it takes what it gets. */
function plannedOf({ plan, options }: Load): number {
  return options.saturate ? 0 : slicesOf(plan).reduce((sum, { count }) => sum + count, 0);
}

function connectionsOf({ options }: Load): number | null {
  return options.saturate ? options.connections : null;
}

function viewOf(load: Load, recorder: Recorder, startedAt: number): LoadView {
  const { run, plan, keys } = load;
  return {
    ...{ runId: run.id, plan, planned: plannedOf(load), recorder, startedAt },
    target: run.target.baseUrls[run.settings.apis[0] ?? 'webcheckin'],
    connections: connectionsOf(load),
    keys: keys.length,
  };
}

function summaryOf(
  load: Load,
  recorder: Recorder,
  { elapsedMs, workers, callbackDelays }: Driven & { readonly callbackDelays: Probe['delays'] | null },
): LoadSummary {
  const { plan, keys, options, session, run } = load;
  const seen = { recorder, callbackDelays, seconds: Math.max(elapsedMs, 1) / 1000 };
  return summarize({
    ...{ plan, keys: keys.length, recorder, elapsedMs, callbackDelays, workers },
    planned: options.saturate ? recorder.sent : plannedOf(load),
    connections: connectionsOf(load),
    accuracy: judgeAccuracy([...session.decisions, ...recorder.decisions], windowLimits(run.settings.limits)),
    thresholds: options.thresholds.map((threshold) => judgeThreshold(threshold, seen)),
  });
}

interface Driven {
  readonly elapsedMs: number;
  readonly workers: WorkersSummary | null;
}

interface Here {
  readonly material: LoadMaterial;
  readonly recorder: Recorder;
  readonly onStart: (startedAt: number) => void;
}

async function driveHere({ run, plan, keys, session, options }: Load, here: Here): Promise<Driven> {
  const { material, recorder, onStart } = here;
  const elapsedMs = await runLocally({
    ...{ plan, keys, recorder, onStart, maxInFlight: options.maxInFlight },
    ...{ pacer: run.pacer, clock: run.clock, signal: session.signal },
    sender: session.sender(material, recorder),
  });
  return { elapsedMs, workers: null };
}

async function saturateHere({ run, plan, keys, session, options }: Load, here: Here): Promise<Driven> {
  const { material, recorder, onStart } = here;
  const elapsedMs = await saturate({
    ...{ plan, keys, recorder, onStart, connections: options.connections },
    ...{ baseUrls: run.target.baseUrls, clock: run.clock, signal: session.signal },
    timeoutMs: run.settings.http.responseTimeoutMs,
    sender: session.sender(material, recorder),
  });
  return { elapsedMs, workers: null };
}

/** What the payloads are about; null where the load was stopped meanwhile. */
async function prepare({ plan, session }: Load): Promise<LoadMaterial | null> {
  try {
    return await session.prepare(new Set(plan.mix.map(({ operation }) => operation)));
  } catch (error) {
    if (session.signal.aborted) return null;
    if (error instanceof CaseUnclear || error instanceof CheckSkipped)
      throw targetError(
        'LOAD_SETUP',
        `The load has nothing to write to: ${error.message}`,
        'Leave writes out of --mix, or name what the target supports in the config.',
        error,
      );
    throw error;
  }
}
