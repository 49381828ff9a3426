import { targetError } from '../core/errors.ts';
import { importing } from '../core/optionalPackage.ts';
import { CaseUnclear, CheckSkipped } from '../engine/signals.ts';
import { AbortWatch, type Abort } from '../load/abortWatch.ts';
import { judgeAccuracy } from '../load/accuracy.ts';
import { slicesOf } from '../load/arrivals.ts';
import { Durations } from '../load/histogram.ts';
import { JourneyBook } from '../load/journeys/journeyBook.ts';
import type { LoadMaterial } from '../load/payloads.ts';
import { judgeOwnHealth, OwnWatch, type OwnHealth } from '../load/ownHealth.ts';
import type { LoadOptions } from '../load/planLoad.ts';
import { stepMs, type LoadPlan } from '../load/plan.ts';
import { Recorder } from '../load/recorder.ts';
import { runLocally } from '../load/runLocally.ts';
import { refuseSaturation, saturate } from '../load/saturate.ts';
import { RateCurve, stagesOf } from '../load/shape.ts';
import { summarize, type LoadSummary, type WorkersSummary } from '../load/summary.ts';
import { judgeThreshold } from '../load/thresholds.ts';
import { windowLimits } from '../send/keyWindow.ts';
import { driveProcesses, processCount } from './driveProcesses.ts';
import type { Load, LoadView } from './load.ts';
import type { LoadWorkers } from './loadOverWorkers.ts';
import { startProbe, type Probe } from './loadProbe.ts';

/** Drives the load, and makes up the account also where it ended early. */
export async function driveLoad(load: Load): Promise<LoadSummary> {
  const { plan, session, options } = load;
  if (options.saturate) refuseSaturation(plan, load.run.target.baseUrls);
  const crew =
    options.workers === null ? null : await (await overWorkers()).gatherWorkers(load, options.workers);
  load.journeys.refuseImpossible();
  const [recorder, book] = [recorderOf(plan), new JourneyBook(plan.warmUpMs)];
  let probe: Probe | null = null;
  let went: Driven = notDriven;
  try {
    const material = await makeReady(load);
    if (material !== null) {
      probe = await startProbe(load);
      went = await driveOnce(load, { material, recorder, crew, book, probe });
    }
  } finally {
    await probe?.stop();
    crew?.close();
  }
  if (session.end === 'completed') {
    await load.journeys.settle(load.judge);
    await session.audit();
  }
  load.judge.end();
  return summaryOf(load, recorder, { ...went, book, callbackDelays: delaysOf(load, probe) });
}

/** What is told to workers goes over packages that other loads do not need. */
function overWorkers() {
  return importing('a load over workers', () => import('./loadOverWorkers.ts'));
}

/** Delays of the probe's changes and of those that journeys caused. */
function delaysOf({ journeys }: Load, probe: Probe | null): Durations | null {
  if (probe === null && journeys.changes.counts.caused === 0) return null;
  const all = new Durations();
  if (probe !== null) all.add(probe.delays);
  all.add(journeys.delays);
  return all;
}

export function recorderOf(plan: LoadPlan): Recorder {
  return new Recorder(stepMs(plan), plan.warmUpMs);
}

/** Reaches the target, makes what the payloads are about, and looks at what holds at rest; null where it was stopped. */
export async function makeReady(load: Load): Promise<LoadMaterial | null> {
  const { session, plan, judge } = load;
  if ((await session.reach()) !== 'completed') return null;
  const material = await prepare(load);
  if (material === null) return null;
  if (hasRoomToRest(load)) {
    const operations = new Set(plan.mix.map(({ operation }) => operation));
    await session.rest(material, operations).catch((error: unknown) => {
      if (!session.signal.aborted) throw error;
    });
    await takeAlone(load, material);
  }
  judge.begin();
  return session.signal.aborted ? null : material;
}

/** Lets each journey be taken once, alone and without time to think, so that it is known what holds at rest. */
async function takeAlone({ journeys, options, session, keys, notice, run }: Load, material: LoadMaterial) {
  const [key] = keys;
  const book = new JourneyBook();
  const sender = session.sender(material, new Recorder(1000));
  const runner = journeys.runner({ material, sender, signal: session.signal }, { book, thinkFactor: 0 });
  for (const [index, { journey }] of options.journeys.entries()) {
    if (key === undefined || session.signal.aborted) return;
    const arrival = { index, atMs: 0, operation: 'wci.status' as const, draw: 0, journey: journey.id };
    runner.begin(arrival, key, run.clock.monotonic());
    await runner.landed(60_000);
  }
  for (const { journey, failures } of book.summaries)
    for (const { step, why } of failures)
      notice(`The journey ${journey} fails at rest already: ${step}: ${why}`);
}

/** Requests that the look at what holds at rest may take. */
const restRequests = 10;

/** Within the limits, the slots of few keys are left to the load. */
function hasRoomToRest({ run, plan, keys }: Load): boolean {
  const firstMinute = plan.ratePerSecond * Math.min(60, plan.durationMs / 1000);
  return !plan.withinLimits || run.pacer.room(keys) >= firstMinute + restRequests;
}

interface Here {
  readonly material: LoadMaterial;
  readonly recorder: Recorder;
  readonly book: JourneyBook;
  readonly crew: LoadWorkers | null;
  readonly probe?: Probe | null;
}

export interface Driven {
  readonly elapsedMs: number;
  readonly workers: WorkersSummary | null;
  /** The threshold that ended it; null where it came to its end. */
  readonly aborted: Abort | null;
  /** What this process took meanwhile; null where others sent. */
  readonly sender: OwnHealth | null;
}

/** Of a load that did not come to be. */
export const notDriven: Driven = { elapsedMs: 0, workers: null, aborted: null, sender: null };

/** Sends a whole plan once, over whatever it goes. */
export async function driveOnce(
  load: Load,
  { material, recorder, crew, book, probe = null }: Here,
): Promise<Driven> {
  const { options, plan, course, run, session } = load;
  const { thresholds } = options;
  const watch = new AbortWatch({ thresholds, recorder, clock: run.clock, warmUpMs: plan.warmUpMs ?? 0 });
  const signal = AbortSignal.any([session.signal, watch.signal]);
  const curve = new RateCurve(stagesOf(plan));
  const onStart = (startedAt: number) => {
    // What only shows at the end broke at the highest rate, for all that is known.
    course.rateAt = (at) => curve.rateAt(at - startedAt) || plan.ratePerSecond;
    watch.start();
    load.journeys.begin();
    load.onStart({
      ...viewOf(load, recorder, startedAt),
      journeys: book,
      callbacks: () => delaysOf(load, probe),
    });
  };
  const here: Under = { material, recorder, onStart, signal, book };
  const own = new OwnWatch(run.clock);
  const health = () => judgeOwnHealth(own.stop(), recorder, stepMs(plan));
  try {
    // What workers take stands with them, and a saturation means to take all there is.
    if (crew !== null)
      return {
        ...notDriven,
        ...(await (await overWorkers()).driveOverWorkers(load, crew, here)),
        aborted: watch.ended,
      };
    if (options.saturate) return { ...notDriven, elapsedMs: await saturateHere(load, here) };
    const count = options.capacity === null ? processCount(options, plan) : (options.processes ?? 1);
    if (count > 1) {
      const { elapsedMs, own: theirs } = await driveProcesses(load, count, here);
      const sender = judgeOwnHealth(theirs, recorder, stepMs(plan));
      return { elapsedMs, workers: null, aborted: watch.ended, sender };
    }
    const elapsedMs = await driveHere(load, here);
    return { elapsedMs, workers: null, aborted: watch.ended, sender: health() };
  } finally {
    watch.stop();
    own.stop();
  }
}

interface Under {
  readonly material: LoadMaterial;
  readonly recorder: Recorder;
  readonly onStart: (startedAt: number) => void;
  readonly signal: AbortSignal;
  readonly book: JourneyBook;
}

function driveHere(load: Load, here: Under): Promise<number> {
  const { run, plan, keys, session, options, journeys } = load;
  const { material, recorder, onStart, signal, book } = here;
  const sender = session.sender(material, watched(load, recorder));
  const runner = journeys.isEmpty
    ? null
    : journeys.runner({ material, sender, signal }, { book, thinkFactor: 1 });
  return runLocally({
    ...{ plan, keys, recorder, onStart, signal, maxInFlight: options.maxInFlight },
    ...{ pacer: run.pacer, clock: run.clock, sender, runner, noisy: noisyOf(options, plan) },
  });
}

function saturateHere({ run, plan, keys, session, options }: Load, here: Under): Promise<number> {
  const { material, recorder, onStart, signal } = here;
  return saturate({
    ...{ plan, keys, recorder, onStart, signal, connections: options.connections },
    ...{ baseUrls: run.target.baseUrls, clock: run.clock },
    timeoutMs: run.settings.http.responseTimeoutMs,
    sender: session.sender(material, recorder),
  });
}

/** One of many tenants becomes noisy in the second half, so that the first tells how it is without. */
export function noisyOf({ noisyShare }: LoadOptions, { durationMs }: LoadPlan) {
  return noisyShare === null ? null : { share: noisyShare, fromMs: durationMs / 2 };
}

/** The recorder of a load, with who was served how beside it where there are tenants. */
function watched(
  { fairness }: Load,
  recorder: Recorder,
): Pick<Recorder, 'record' | 'miss' | 'lose' | 'open'> {
  if (fairness === null) return recorder;
  return {
    record: (sample, decision) => {
      recorder.record(sample, decision);
      if (decision !== null) fairness.record({ ...sample, key: decision[0] });
    },
    miss: (atMs, reason) => recorder.miss(atMs, reason),
    lose: (count) => recorder.lose(count),
    open: (change) => recorder.open(change),
  };
}

/** Bytes that the pacing keeps of a key: a time of each request of the last hour. */
function bytesPerKey({ run, keys }: Load): number {
  const now = run.clock.monotonic();
  const times = keys.reduce((sum, key) => sum + run.pacer.window(key).recent(now).length, 0);
  return Math.round((times * 8) / Math.max(1, keys.length)) + 64;
}

/** A saturation plans nothing: it takes what it gets. */
function plannedOf({ plan, options }: Load): number {
  return options.saturate ? 0 : slicesOf(plan).reduce((sum, { count }) => sum + count, 0);
}

function connectionsOf({ options }: Load): number | null {
  return options.saturate ? options.connections : null;
}

function viewOf(load: Load, recorder: Recorder, startedAt: number): Omit<LoadView, 'journeys' | 'callbacks'> {
  const { run, plan, keys, judge } = load;
  return {
    broken: () => judge.brokenCount,
    ...{ runId: run.id, plan, planned: plannedOf(load), recorder, startedAt },
    target: run.target.baseUrls[run.settings.apis[0] ?? 'webcheckin'],
    connections: connectionsOf(load),
    keys: keys.length,
  };
}

export function summaryOf(
  load: Load,
  recorder: Recorder,
  { elapsedMs, workers, aborted, sender, callbackDelays, book }: Driven & Seen,
): LoadSummary {
  const { plan, keys, options, session, run, judge } = load;
  const measuredMs = Math.max(elapsedMs - (plan.warmUpMs ?? 0), 1);
  const seen = { recorder, callbackDelays, journeys: book.measured, seconds: measuredMs / 1000 };
  const judged = options.thresholds.map((threshold) => judgeThreshold(threshold, seen));
  return summarize({
    ...{ plan, keys: keys.length, recorder, elapsedMs, measuredMs, callbackDelays, workers, aborted, sender },
    planned: options.saturate ? recorder.sent : plannedOf(load),
    connections: connectionsOf(load),
    accuracy: judgeAccuracy([...session.decisions, ...recorder.decisions], windowLimits(run.settings.limits)),
    // What ended the load was not met, whatever the rest of it comes to.
    thresholds: judged.map((one) => (one.threshold === aborted?.threshold ? { ...one, met: false } : one)),
    correctness: judge.correctness,
    ...(load.fairness === null ? {} : { fairness: load.fairness.summary(bytesPerKey(load)) }),
    journeys: book.summaries,
    changes: { ...load.journeys.changes.counts, retries: load.journeys.changes.retries },
  });
}

interface Seen {
  readonly callbackDelays: Durations | null;
  readonly book: JourneyBook;
}

/** What the payloads are about; null where the load was stopped meanwhile. */
async function prepare({ plan, session, journeys }: Load): Promise<LoadMaterial | null> {
  try {
    return await session.prepare(
      new Set([...plan.mix.map(({ operation }) => operation), ...journeys.operations]),
    );
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
