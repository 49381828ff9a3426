import { join } from 'node:path';
import type { RunResult } from '../report/result.ts';
import { type ExitCode, targetError } from '../core/errors.ts';
import type { Settings } from '../core/settings.ts';
import { keysFor, type LoadOptions, planLoad } from '../load/planLoad.ts';
import type { Load, LoadRunOptions } from './load.ts';
import { systemClock } from '../core/clock.ts';
import { assumedKeys, openTarget } from '../target/openTarget.ts';
import { newRunId } from '../core/runId.ts';
import { prepareReportDir } from '../report/reportDir.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { LoadSession } from '../engine/loadSession.ts';
import { Redactor } from '../core/redact.ts';
import { buildLoadResult } from '../report/load/buildLoadResult.ts';
import { version } from '../version.ts';
import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { writeReports } from '../report/writeReports.ts';
import { type LoadSummary, summarize, type WorkersSummary } from '../load/summary.ts';
import { Recorder } from '../load/recorder.ts';
import { stepMs } from '../load/plan.ts';
import { refuseSaturation, saturate } from '../load/saturate.ts';
import { operationCounts, slicesOf } from '../load/arrivals.ts';
import { driveOverWorkers, gatherWorkers } from './loadOverWorkers.ts';
import { judgeThreshold } from '../load/thresholds.ts';
import type { Durations } from '../load/histogram.ts';
import { openSink } from '../target/openSink.ts';
import { CallbackProbe } from '../engine/callbackProbe.ts';
import type { LoadMaterial } from '../load/payloads.ts';
import { runLocally } from '../load/runLocally.ts';
import { CaseUnclear, CheckSkipped } from '../engine/signals.ts';
import { judgeAccuracy } from '../load/accuracy.ts';

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
  const clock = systemClock;
  const root = given.root ?? process.cwd();
  const [signal, notice] = [given.signal ?? new AbortController().signal, given.notice ?? (() => undefined)];
  // What cannot be is told before anything is started.
  if (settings.target.kind !== 'image') planLoad(options, settings, assumedKeys(settings).primary.length);
  const runId = newRunId(clock);
  const reportDir = await prepareReportDir(settings.reportDir, runId, root);
  const startedAt = clock.now();
  const target = await openTarget(settings, clock, { signal, notice });
  const transport = createUndiciTransport(settings.http, clock, options.maxInFlight);
  try {
    const plan = planLoad(options, settings, target.keys.primary.length);
    const keys = target.keys.primary.slice(0, keysFor(options, target.keys.primary.length));
    const session = new LoadSession({
      runId,
      settings,
      target,
      transport,
      keys,
      // What sets the load up comes on top.
      maxRequests: plan.maxRequests + 50,
      clock,
      signal,
      notice,
      redactor: given.redactor ?? new Redactor(),
      paceFile: target.kind === 'embedded' ? null : join(root, 'reports', '.pace.json'),
    });
    const load: Load = { runId, settings, options, plan, keys, target, session, given };
    const summary = await session.hold(() => drive(load));
    const built = buildLoadResult({
      runId,
      command: given.command ?? 'gatecheck load',
      startedAt,
      durationMs: clock.now() - startedAt,
      version,
      settings,
      catalogue: loadCatalogue(),
      target,
      end: session.end,
      summary,
      sideEffects: session.sideEffects,
      spent: {
        requests: session.allowance.spent.requests + (options.workers === null ? 0 : summary.counts.sent),
        quota: session.sideEffects.filter(({ kind }) => kind === 'quota').length,
      },
    });
    await writeReports(built.result, reportDir);
    return { ...built, reportDir };
  } finally {
    await transport.close();
    await target.close();
  }
}

/** Drives the load, and makes up the account also where it ended early. */
async function drive(load: Load): Promise<LoadSummary> {
  const { plan, keys, session, options, given, settings } = load;
  const recorder = new Recorder(stepMs(plan));
  if (options.saturate) refuseSaturation(plan, load.target.baseUrls);
  // A saturation plans nothing: it takes what it gets.
  const planned = options.saturate ? 0 : slicesOf(plan).reduce((sum, { count }) => sum + count, 0);
  const crew = options.workers === null ? null : await gatherWorkers(load, options.workers);
  let probe: Probe | null = null;
  let went: Went = { elapsedMs: 0, workers: null };
  try {
    const material = (await session.reach()) === 'completed' ? await prepare(load) : null;
    if (material !== null) {
      const onStart = (startedAt: number) =>
        given.onStart?.({
          runId: load.runId,
          target: load.target.baseUrls[settings.apis[0] ?? 'webcheckin'],
          plan,
          planned,
          connections: options.saturate ? options.connections : null,
          keys: keys.length,
          recorder,
          startedAt,
        });
      const here = { material, recorder, onStart };
      probe = await startProbe(load);
      if (options.saturate) went = await saturateHere(load, here);
      else went = crew === null ? await driveHere(load, here) : await driveOverWorkers(load, crew, here);
    }
  } finally {
    await probe?.stop();
    crew?.close();
  }
  const callbackDelays = probe?.delays ?? null;
  const { elapsedMs, workers } = went;
  return summarize({
    plan,
    keys: keys.length,
    recorder,
    planned: options.saturate ? recorder.sent : planned,
    connections: options.saturate ? options.connections : null,
    elapsedMs,
    accuracy: accuracyOf(load, recorder),
    callbackDelays,
    thresholds: options.thresholds.map((threshold) =>
      judgeThreshold(threshold, { recorder, callbackDelays, seconds: Math.max(elapsedMs, 1) / 1000 }),
    ),
    workers,
  });
}

interface Probe {
  readonly delays: Durations;
  readonly stop: () => Promise<void>;
}

/** The delay of callbacks can be measured where a sink is reached, changes can be caused, and two units may be spent. */
async function startProbe({ settings, target, session, given, plan }: Load): Promise<Probe | null> {
  const notice = given.notice ?? (() => undefined);
  // Beside what the load itself may spend, and the record that it builds on.
  const spent = (operationCounts(plan).get('wci.subscribe') ?? 0) + 1;
  const mayWrite = !settings.readOnly && session.allowance.limits.maxQuota - spent >= 2;
  if (!mayWrite || !settings.apis.includes('webcheckin')) return null;
  if (!target.stateHandler.offers('checkin.progress')) return null;
  const sink = await openSink({ settings, target, clock: systemClock, notice });
  if (sink?.urls.webcheckin == null) {
    await sink?.close();
    return null;
  }
  const probe = new CallbackProbe({
    sink,
    state: target.stateHandler,
    clock: systemClock,
    notice,
    subscribe: (url) => session.prepareProbe(url),
  });
  await probe.start();
  const stop = () => probe.stop().finally(() => sink.close());
  return { delays: probe.delays, stop };
}

interface Went {
  readonly elapsedMs: number;
  readonly workers: WorkersSummary | null;
}

interface Here {
  readonly material: LoadMaterial;
  readonly recorder: Recorder;
  readonly onStart: (startedAt: number) => void;
}

async function driveHere(load: Load, { material, recorder, onStart }: Here): Promise<Went> {
  const { plan, keys, session, options } = load;
  const elapsedMs = await runLocally({
    plan,
    keys,
    pacer: session.pacer,
    sender: session.sender(material, recorder),
    recorder,
    clock: systemClock,
    signal: session.signal,
    maxInFlight: options.maxInFlight,
    onStart,
  });
  return { elapsedMs, workers: null };
}

async function saturateHere(load: Load, { material, recorder, onStart }: Here): Promise<Went> {
  const { plan, keys, session, options, target, settings } = load;
  const elapsedMs = await saturate({
    plan,
    keys,
    baseUrls: target.baseUrls,
    connections: options.connections,
    timeoutMs: settings.http.responseTimeoutMs,
    sender: session.sender(material, recorder),
    recorder,
    clock: systemClock,
    signal: session.signal,
    onStart,
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

function accuracyOf({ settings, session }: Load, recorder: Recorder): LoadSummary['limiter'] {
  const { perMinute, perHour } = settings.limits;
  return judgeAccuracy(
    [...session.decisions, ...recorder.decisions],
    [
      { limit: perMinute, windowMs: 60_000 },
      { limit: perHour, windowMs: 3_600_000 },
    ],
  );
}
