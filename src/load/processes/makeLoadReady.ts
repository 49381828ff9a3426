import { targetError } from '../../core/errors.ts';
import { CaseUnclear, CheckSkipped } from '../../engine/attempt/signals.ts';
import { JourneyTotals } from '../journeys/journeyTotals.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import { Recorder } from '../send/recorder.ts';
import type { Load } from '../load.ts';

/** Reaches the target, makes what the payloads refer to, and checks what holds at rest; null if it was stopped. */
export async function makeReady(load: Load): Promise<LoadMaterial | null> {
  const { session, plan, judge, journeys } = load;
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
  journeys.rested(judge);
  judge.begin();
  return session.signal.aborted ? null : material;
}

/** How long each may take. */
const aloneMs = 60_000;

/** Runs each journey once, alone and without time to think, to see what holds at rest. */
async function takeAlone({ journeys, options, session, keys, notice, run }: Load, material: LoadMaterial) {
  const [key] = keys;
  const book = new JourneyTotals();
  const recorder = new Recorder(1000);
  const sender = session.sender(material, recorder);
  const runner = journeys.runner({ material, sender, signal: session.signal }, { book, thinkFactor: 0 });
  for (const [index, { journey }] of options.journeys.entries()) {
    if (key === undefined || session.signal.aborted) break;
    const arrival = { index, atMs: 0, operation: 'wci.status' as const, draw: 0, journey: journey.id };
    runner.begin(arrival, key, run.clock.monotonic());
    await runner.landed(aloneMs);
    if (runner.underWay === 0) continue;
    notice(`The journey ${journey.id} does not come to an end within ${aloneMs / 1000} s at rest.`);
    break;
  }
  runner.breakOff();
  // They are in the windows of their key: the limiter may later refuse because of them.
  session.decisions.push(...recorder.decisions);
  for (const { journey, failures } of book.summaries)
    for (const { step, why } of failures)
      notice(`The journey ${journey} fails at rest already: ${step}: ${why}`);
}

/** Requests for checking what holds at rest. */
const restRequests = 10;

/** Within the limits, the slots of few keys are left to the load. */
function hasRoomToRest({ run, plan, keys }: Load): boolean {
  const firstMinute = plan.ratePerSecond * Math.min(60, plan.durationMs / 1000);
  return !plan.withinLimits || run.pacer.room(keys) >= firstMinute + restRequests;
}

/** Prepares what the payloads refer to; null if the load was stopped meanwhile. */
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
