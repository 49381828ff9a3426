import { importing } from '../../core/optionalPackage.ts';
import { AbortWatch } from '../send/abortWatch.ts';
import type { KeyDecision } from '../judge/accuracy.ts';
import { JourneyTotals } from '../journeys/journeyTotals.ts';
import { troubleMs } from '../journeys/sinkManner.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import { judgeOwnHealth, OwnWatch } from '../summary/ownHealth.ts';
import { stepMs } from '../plan/plan.ts';
import type { ApiKey } from '../../send/keyRing.ts';
import { runLocally } from '../send/runLocally.ts';
import { refuseSaturation, saturate } from '../send/saturate.ts';
import { RateCurve, stagesOf } from '../plan/shape.ts';
import type { LoadSummary } from '../summary/summarySchema.ts';
import { driveProcesses, processCount } from './driveProcesses.ts';
import { machineOffsetMs } from './machineClock.ts';
import type { Load } from '../load.ts';
import type { LoadWorkers } from '../workers/loadOverWorkers.ts';
import {
  delaysOf,
  notDriven,
  recorderOf,
  summaryOf,
  viewOf,
  type Driven,
  type LoadRecorder,
} from '../send/loadAccount.ts';
import { startProbe, type Probe } from '../send/callbackProbe.ts';
import { makeReady } from './makeLoadReady.ts';

/** Drives the load, and sums it up even if it ended early. */
export async function driveLoad(load: Load): Promise<LoadSummary> {
  const { plan, session, options } = load;
  if (options.saturate) refuseSaturation(plan, load.run.target.baseUrls);
  const gathered =
    options.workers === null ? null : await (await overWorkers()).gatherWorkers(load, options.workers);
  load.journeys.refuseImpossible();
  const [recorder, book] = [recorderOf(load), new JourneyTotals(plan.warmUpMs)];
  let probe: Probe | null = null;
  let driven: Driven = notDriven;
  const begunAt = load.run.clock.monotonic();
  try {
    const material = await makeReady(load);
    if (material !== null) {
      probe = await startProbe(load);
      driven = await driveOnce(load, { material, recorder, gathered, book, probe });
    }
  } finally {
    await probe?.stop();
    gathered?.close();
  }
  if (session.end === 'completed') {
    const isQuiet = await load.journeys.settle(load.judge);
    await session.audit({ pushed: load.journeys.pushed, isQuiet });
  }
  load.judge.end();
  noteUnpaced(load, recorder, begunAt);
  return summaryOf(load, recorder, { ...driven, book, callbackDelays: delaysOf(load, probe) });
}

/** What is sent past the pacer later runs must know, or they blame the limiter that counts it. */
export function noteUnpaced(load: Load, recorder: LoadRecorder, begunAt: number): void {
  const { plan, options, keys, run } = load;
  if (plan.withinLimits || options.workers !== null) return;
  for (const key of keys) {
    const times = answeredOf(load, recorder, key).filter((at) => at > begunAt);
    run.pacer.remember(key, times);
  }
}

/** The latest requests of the keys, those that were known before included, as the next trial of a search has to know them. */
export function decisionsSoFar(load: Load, recorder: LoadRecorder): readonly KeyDecision[] {
  return load.keys.flatMap((key) =>
    answeredOf(load, recorder, key).map((at): KeyDecision => [key.label, at - 1, at, 'unknown']),
  );
}

/** When requests of a key were answered, on the clock of the run. */
function answeredOf(load: Load, { accuracy }: LoadRecorder, { label }: ApiKey): readonly number[] {
  const offset = countHere(load) > 1 ? machineOffsetMs() : 0;
  return accuracy.recent(label).map((at) => at - offset);
}

/** Only loads over workers need these packages. */
function overWorkers() {
  return importing('a load over workers', () => import('../workers/loadOverWorkers.ts'));
}

interface Here {
  readonly material: LoadMaterial;
  readonly recorder: LoadRecorder;
  readonly book: JourneyTotals;
  readonly gathered: LoadWorkers | null;
  readonly probe?: Probe | null;
}

/** Sends a complete plan once: from this process, from several, or from workers. */
export async function driveOnce(
  load: Load,
  { material, recorder, gathered, book, probe = null }: Here,
): Promise<Driven> {
  const { options, plan, course, run, session } = load;
  const { thresholds } = options;
  const watch = new AbortWatch({ thresholds, recorder, clock: run.clock, warmUpMs: plan.warmUpMs ?? 0 });
  const signal = AbortSignal.any([session.signal, watch.signal]);
  const curve = new RateCurve(stagesOf(plan));
  const onStart = (startedAt: number) => {
    // What only shows at the end may have broken at the highest rate.
    course.rateAt = (at) => curve.rateAt(at - startedAt) || plan.ratePerSecond;
    watch.start();
    load.journeys.begin();
    load.onStart({
      ...viewOf(load, recorder, startedAt),
      journeys: book,
      callbacks: () => delaysOf(load, probe),
    });
  };
  const own = new OwnWatch(run.clock);
  if (gathered === null) countEarlier(load, recorder);
  try {
    const here: Sending = { material, recorder, onStart, signal, book };
    return { ...(await driveBy(load, here, { gathered, own })), aborted: watch.ended };
  } finally {
    watch.stop();
    own.stop();
  }
}

/** Requests sent before the load are in the windows of its keys; workers share another clock. */
function countEarlier(load: Load, { accuracy }: LoadRecorder): void {
  const offset = countHere(load) > 1 ? machineOffsetMs() : 0;
  for (const [key, sent, received, decision] of load.session.decisions)
    accuracy.add([key, sent + offset, received + offset, decision]);
}

/** Workers watch their own health, and a saturation is meant to use all that this machine has. */
async function driveBy(
  load: Load,
  here: Sending,
  { gathered, own }: { readonly gathered: LoadWorkers | null; readonly own: OwnWatch },
): Promise<Omit<Driven, 'aborted'>> {
  const { options, plan } = load;
  if (gathered !== null)
    return { ...notDriven, ...(await (await overWorkers()).driveOverWorkers(load, gathered, here)) };
  if (options.saturate) return { ...notDriven, elapsedMs: await saturateHere(load, here) };
  const health = (figures: Parameters<typeof judgeOwnHealth>[0]) =>
    judgeOwnHealth(figures, here.recorder, stepMs(plan));
  const count = countHere(load);
  if (count > 1) {
    const { own: theirs, ...driven } = await driveProcesses(load, count, here);
    return { ...notDriven, ...driven, sender: theirs && health(theirs) };
  }
  const elapsedMs = await driveHere(load, here);
  return { ...notDriven, elapsedMs, sender: health(own.stop()) };
}

/** How many processes of this machine send; their recorders have times of the clock that all of them share. */
function countHere({ options, plan }: Load): number {
  if (options.saturate) return 1;
  return options.capacity === null ? processCount(options, plan) : (options.processes ?? 1);
}

interface Sending {
  readonly material: LoadMaterial;
  readonly recorder: LoadRecorder;
  readonly onStart: (startedAt: number) => void;
  readonly signal: AbortSignal;
  readonly book: JourneyTotals;
}

function driveHere(load: Load, here: Sending): Promise<number> {
  const { run, plan, keys, session, options, journeys } = load;
  const { material, recorder, onStart, signal, book } = here;
  const sender = session.sender(material, recorder);
  const runner = journeys.isEmpty
    ? null
    : journeys.runner({ material, sender, signal }, { book, thinkFactor: 1 });
  return runLocally({
    ...{ plan, keys, recorder, onStart, signal, maxInFlight: options.maxInFlight },
    moreGraceMs: troubleMs(options.sinkManner),
    ...{ pacer: run.pacer, clock: run.clock, sender, runner },
  });
}

function saturateHere({ run, plan, keys, session, options }: Load, here: Sending): Promise<number> {
  const { material, recorder, onStart, signal } = here;
  return saturate({
    ...{ plan, keys, recorder, onStart, signal, connections: options.connections },
    ...{ baseUrls: run.target.baseUrls, clock: run.clock },
    http: run.settings.http,
    sender: session.sender(material, recorder),
  });
}
