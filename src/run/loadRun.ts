import { loadCatalogue } from '../catalogue/loadCatalogue.ts';
import { systemClock, type Clock } from '../core/clock.ts';
import type { Exchange } from '../core/evidence.ts';
import { usageError, type ExitCode } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import { newRunId } from '../core/runId.ts';
import type { Settings } from '../core/settings.ts';
import { tellClock } from '../engine/clock/clockNotice.ts';
import { DeliveryHub } from '../engine/observe/callbacks.ts';
import { exchangeEvent } from '../engine/observe/events.ts';
import { judgeLoad } from '../load/judge/loadJudging.ts';
import { withSteps } from '../engine/clock/watchedState.ts';
import { LoadJourneys } from '../load/journeys/readJourneys.ts';
import { tenantKeys } from '../engine/keys/tenants.ts';
import { LoadSession } from '../load/send/loadSession.ts';
import { openRun, type OpenRun, type RunPorts } from '../engine/session/openRun.ts';
import type { LoadPlan } from '../load/plan/plan.ts';
import { journeyCosts } from '../load/journeys/journeyPlan.ts';
import type { LoadOptions } from '../load/plan/loadOptions.ts';
import { keysFor, planLoad } from '../load/plan/planLoad.ts';
import { ownershipOf } from '../plan/budgets.ts';
import { compareLoads, type ComparedLoad } from '../load/summary/compareLoads.ts';
import type { LoadSummary } from '../load/summary/summarySchema.ts';
import { buildLoadResult } from '../report/load/buildLoadResult.ts';
import { prepareReportDir } from '../report/reportDir.ts';
import { heldReportDir } from '../report/reportHold.ts';
import type { RunResult } from '../report/result.ts';
import { writeReports } from '../report/writeReports.ts';
import type { ApiKey } from '../send/keyRing.ts';
import { stormLimits } from '../receive/limits.ts';
import type { Transport } from '../send/transport.ts';
import { createUndiciTransport } from '../send/undiciTransport.ts';
import { openSink } from '../target/openSink.ts';
import { assumedKeys } from '../target/openTarget.ts';
import { version } from '../version.ts';
import { processCount } from '../load/processes/driveProcesses.ts';
import { driveLoad } from '../load/processes/driveLoad.ts';
import { findCapacity } from '../load/capacity/findCapacity.ts';
import type { Course, Load, LoadView } from '../load/load.ts';
import { knownFailures } from './knownFailures.ts';
import { mayProbe } from '../load/send/callbackProbe.ts';
import { withSeed } from '../report/load/withSeed.ts';
import { memoryFolder } from './memoryFolder.ts';
import { planNotices } from './notices.ts';
import { readCapabilities } from './planRun.ts';
import { readResult, resultFile } from '../report/readResult.ts';

export interface LoadRunOptions {
  readonly signal?: AbortSignal;
  /** The command line, for the reports; without secrets. */
  readonly command?: string;
  /** The command that sends the same load again, as Gatecheck was started; by default `command`. */
  readonly again?: string;
  /** Folder for report directories and the pace book. */
  readonly root?: string;
  readonly redactor?: Redactor;
  /** Called with the load as soon as it starts; a display reads the recorder. */
  readonly onStart?: (view: LoadView) => void;
  readonly notice?: (text: string) => void;
  /** Gets every exchange of this process, including those that set the load up. */
  readonly onExchange?: ((exchange: ReturnType<typeof exchangeEvent>) => void) | undefined;
  /** For tests, which do not wait and open no socket. */
  readonly ports?: LoadPorts;
}

interface LoadPorts extends Pick<RunPorts, 'openTarget' | 'openSink'> {
  readonly clock: Clock;
  readonly transport: Transport;
}

export interface LoadOutput {
  readonly result: RunResult;
  readonly exitCode: ExitCode;
  readonly reportDir: string;
}

/** A complete load: plan, target, what the payloads need, the load itself, judgement, reports. */
export async function runLoad(
  settings: Settings,
  options: LoadOptions,
  given: LoadRunOptions = {},
): Promise<LoadOutput> {
  const root = given.root ?? process.cwd();
  // Impossible settings are refused before anything is started.
  if (settings.target.kind !== 'image') planLoad(options, settings, assumedKeys(settings).primary.length);
  const clock = given.ports?.clock ?? systemClock;
  const baseline = await knownFailures(settings);
  const before = options.compareWith === null ? null : await readLoad(options.compareWith);
  const id = newRunId(clock);
  const reportDir = await prepareReportDir(settings.reportDir, id, root);
  using _held = heldReportDir(reportDir);
  const [startedAt, begun] = [clock.now(), clock.monotonic()];
  const planFor = (keys: number) => planLoad(options, settings, keys);
  await using run = await openRun(settings, {
    ...{ id, signal: given.signal, redactor: given.redactor, memory: memoryFolder(root) },
    listener: (event) => {
      planNotices(given.notice)(event);
      if (event.name === 'exchange') given.onExchange?.(event);
    },
    openSink: sinkIfNeeded(settings, options, planFor),
    clock,
    ...given.ports,
  });
  const tenants = await tenantKeys(options, {
    ...{ state: run.target.stateHandler, redactor: run.redactor, signal: run.signal },
    notice: given.notice ?? (() => undefined),
  });
  const keyCount = tenants?.length ?? run.target.keys.primary.length;
  const load = openLoad(run, planFor(keyCount), { options, given, tenants });
  const driven = await (options.capacity === null ? driveLoad(load) : findCapacity(load));
  tellClock(run, load.session.serverClock);
  const summary = before === null ? driven : { ...driven, compared: compareLoads(driven, before) };
  const built = buildLoadResult({
    ...{ runId: id, command: commandOf(given), version, settings, summary },
    ...{ startedAt, durationMs: Math.round(clock.monotonic() - begun) },
    ...{ catalogue: loadCatalogue(), target: run.target, capabilities: readCapabilities(run), baseline },
    judged: load.judge.rules,
    broken: load.judge.findings(load.command),
    again: load.command,
    ...{ end: load.session.end, sideEffects: load.session.sideEffects, spent: spentOf(load, summary) },
  });
  await writeReports(built.result, reportDir);
  return { ...built, reportDir };
}

/** Opens the sink only where a journey listens, or the delay of callbacks can be measured. */
function sinkIfNeeded(
  settings: Settings,
  { journeys }: LoadOptions,
  planFor: (keys: number) => LoadPlan,
): NonNullable<RunPorts['openSink']> {
  return async (sink) => {
    const { keys, stateHandler } = sink.target;
    const isHeard = journeys.some(({ journey }) => journey.needs.includes('sink'));
    const plan = planFor(keys.primary.length);
    const mayNeed = { state: stateHandler, journeyUnits: journeyCosts(plan, journeys).quota };
    const isNeeded = isHeard || mayProbe(settings, plan, mayNeed);
    return isNeeded ? openSink({ ...sink, limits: stormLimits }) : null;
  };
}

interface Wishes {
  readonly options: LoadOptions;
  readonly given: LoadRunOptions;
  readonly tenants: readonly ApiKey[] | null;
}

function openLoad(opened: OpenRun, plan: LoadPlan, { options, given, tenants }: Wishes): Load {
  const { settings, clock, scope } = opened;
  const stateHandler = withSteps(opened.target.stateHandler, opened, (step) => judge.note(step));
  const target = { ...opened.target, stateHandler };
  const run = { ...opened, target };
  const all = tenants ?? target.keys.primary;
  const keys = all.slice(0, keysFor(options, all.length));
  const transport =
    given.ports?.transport ?? createUndiciTransport(settings.http, clock, options.maxInFlight);
  scope.defer(() => transport.close());
  const course: Course = { rateAt: () => 0 };
  const isOwn = target.kind === 'embedded' || options.tenants !== null;
  const judge = judgeLoad(run, {
    share: options.judgeShare,
    known: run.clockBook,
    rateAt: (at) => course.rateAt(at),
    isOnlySender: !isElsewhere(options, plan),
    // Who else has their keys is not known of any other enterprise; and of workers not all subscribes are seen.
    isAlone: () => isOwn && options.workers === null,
  });
  const hub = new DeliveryHub(run.sink);
  hub.add((delivery) => judge.seeDelivery(delivery));
  const journeys = new LoadJourneys({
    ...{ run, hub, on429: options.on429, sinkManner: options.sinkManner, withinLimits: plan.withinLimits },
    journeys: options.journeys.map(({ journey }) => journey),
  });
  // The set-up and the final audit come on top, and so do the later requests of journeys.
  const maxRequests = plan.maxRequests + journeyCosts(plan, options.journeys).requests * 2 + 200;
  const seen = given.onExchange;
  const isCareful = plan.withinLimits && ownershipOf(settings) === 'foreign';
  const onExchange = seen && ((exchange: Exchange) => seen(exchangeEvent(exchange)));
  return {
    ...{ run, options, plan, keys, judge, hub, course, journeys },
    session: new LoadSession(run, { transport, keys, judge, maxRequests, onExchange, isCareful }),
    command: withSeed(given.again ?? commandOf(given), settings.seed),
    notice: given.notice ?? (() => undefined),
    onStart: given.onStart ?? (() => undefined),
  };
}

function commandOf({ command }: LoadRunOptions): string {
  return command ?? 'gatecheck load';
}

/** Whether other processes send the load, or a part of it. */
function isElsewhere(options: LoadOptions, plan: LoadPlan): boolean {
  return options.workers !== null || processCount(options, plan) > 1;
}

function spentOf({ session, options, plan }: Load, { counts }: LoadSummary) {
  const elsewhere = isElsewhere(options, plan) ? counts.sent + (counts.warmUp ?? 0) : 0;
  return {
    // Requests of other processes are not counted by this one.
    requests: session.traffic.allowance.spent.requests + elsewhere,
    quota: session.sideEffects.filter(({ kind }) => kind === 'quota').length,
  };
}

/** The load of a stored result, or of the one in a report directory; a usage error if it contains none. */
async function readLoad(given: string): Promise<ComparedLoad> {
  const file = await resultFile(given);
  const { load } = await readResult(file);
  if (load !== undefined) return load;
  throw usageError(
    'COMPARE',
    `--compare: expected the result.json of an earlier load; got ${file}, which is not of a load.`,
    'Name the report directory of a load.',
  );
}
