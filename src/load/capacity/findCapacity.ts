import { deriveSeed } from '../../core/random.ts';
import { capacityOf, trialOf, type CapacityTrial } from './capacity.ts';
import { searchCapacity } from './search.ts';
import { JourneyBook } from '../journeys/journeyBook.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { LoadSummary, ProcessesSummary } from '../summary/summarySchema.ts';
import { formatRate } from '../summary/rate.ts';
import { decisionsSoFar, driveOnce, noteUnpaced } from '../processes/driveLoad.ts';
import { notDriven, recorderOf, summaryOf, type Driven } from '../send/loadAccount.ts';
import { makeReady } from '../processes/makeLoadReady.ts';
import type { Load } from '../load.ts';

const mostTrials = 24;
const repeats = 3;
/** How close the highest sustained and the lowest failed rate must be. */
const closeness = 1.1;
const mostPerSecond = 100_000;
/** Share of each trial that is left out of its figures: connections are opened, caches filled, queues of the previous trial emptied. */
const warmUpShare = 0.2;
const pauseMs = 500;
/** Fewest requests for a meaningful trial. */
const leastRequests = 10;

/** One trial of a search, as far as reports need it. */
interface Tried {
  readonly load: Load;
  readonly recorder: ReturnType<typeof recorderOf>;
  readonly went: Driven;
}

/** Searches the highest rate that the target sustains; the figures are those of the last trial at that rate. */
export async function findCapacity(load: Load): Promise<LoadSummary> {
  const { session, options, notice } = load;
  const bounds = options.capacity ?? [];
  const material = await makeReady(load);
  const tried = new Map<number, Tried>();
  const isStopped = () => session.signal.aborted;
  let sent = 0;
  let lost: ProcessesSummary | null = null;
  const trial = async (ratePerSecond: number): Promise<CapacityTrial | null> => {
    if (material === null || isStopped()) return null;
    const plan = planOf(load.plan, ratePerSecond, sent);
    if ((ratePerSecond * plan.durationMs) / 1000 > plan.maxRequests) return null;
    const one = await tryOnce({ ...load, plan }, material);
    sent += one.recorder.sent + one.recorder.warmUp;
    lost ??= one.went.processes;
    if (isStopped() || lost !== null) return null;
    tried.set(ratePerSecond, one);
    const seconds = (plan.durationMs - (plan.warmUpMs ?? 0)) / 1000;
    const judged = untilAborted(trialOf({ recorder: one.recorder, seconds, ratePerSecond }, bounds), one);
    notice(`${formatRate(ratePerSecond)} ${judged.held ? 'held' : `not held: ${judged.notMet.join(', ')}`}`);
    return judged;
  };
  const startPerSecond = load.plan.ratePerSecond;
  const found = await searchCapacity({
    startPerSecond,
    mostPerSecond,
    leastPerSecond: Math.min(startPerSecond, (leastRequests * 1000) / load.plan.durationMs),
    repeats,
    mostTrials,
    closeness,
    trial,
  });
  load.judge.end();
  const shown = tried.get(found.heldPerSecond ?? found.brokenPerSecond ?? 0);
  const { recorder, went } = shown ?? { recorder: recorderOf(load), went: notDriven };
  const summary = summaryOf(shown?.load ?? load, recorder, {
    ...went,
    processes: lost,
    book: new JourneyBook(),
    callbackDelays: null,
  });
  return {
    ...summary,
    capacity: capacityOf(found, bounds, { keys: load.keys.length, ...load.run.settings.limits }),
  };
}

/** A trial that a threshold ended early was not held, whatever its bounds say of the part that was sent. */
function untilAborted(trial: CapacityTrial, { went: { aborted } }: Tried): CapacityTrial {
  if (aborted === null) return trial;
  const notMet = [...trial.notMet, `${aborted.threshold} (got ${aborted.actual ?? 'nothing'})`];
  return { ...trial, held: false, notMet };
}

function planOf(plan: LoadPlan, ratePerSecond: number, sent: number): LoadPlan {
  return {
    ...plan,
    ratePerSecond,
    // Each trial has another seed, so that a repetition repeats no coincidence of the schedule.
    seed: deriveSeed(plan.seed, `load/trial/${sent}`),
    warmUpMs: plan.durationMs * warmUpShare,
    maxRequests: Math.max(0, plan.maxRequests - sent),
  };
}

async function tryOnce(load: Load, material: LoadMaterial): Promise<Tried> {
  const recorder = recorderOf(load);
  const begunAt = load.run.clock.monotonic();
  const went = await driveOnce(load, { material, recorder, gathered: null, book: new JourneyBook() });
  noteUnpaced(load, recorder, begunAt);
  const { session } = load;
  session.decisions.splice(0);
  for (const decision of decisionsSoFar(load, recorder)) session.decisions.push(decision);
  await load.run.clock.sleep(pauseMs, session.signal).catch(() => undefined);
  return { load, recorder, went };
}
