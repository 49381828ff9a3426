import { availableParallelism } from 'node:os';
import { dueBy, type Share } from '../send/dueBy.ts';
import { isWrite } from '../plan/mix.ts';
import { mergeReadings, type OwnReadings } from '../summary/ownHealth.ts';
import type { LoadMaterial } from '../plan/payloads.ts';
import type { LoadPlan } from '../plan/plan.ts';
import type { LoadOptions } from '../plan/loadOptions.ts';
import type { PartSetup } from './parts.ts';
import type { Recorder } from '../send/recorder.ts';
import type { ProcessesSummary } from '../summary/summarySchema.ts';
import type { Load } from '../load.ts';
import { LoadChild, type Lost } from './loadChild.ts';
import { PartInbox, partSetupOf } from './loadParts.ts';
import type { ProcessJob } from './loadProcess.ts';
import { machineOffsetMs } from './machineClock.ts';

/** A rate that one process can send in time on any current machine. */
const aloneUpTo = 2000;
/** Processes need some time to get ready. */
const headStartMs = 300;

/**
 * How many processes send a load. A single process sends requests that change something, since it sees everything; the same
 * holds for journeys and for loads within the limits.
 */
export function processCount(
  { processes, journeys, tenants, tenantsFrom }: ProcessWishes,
  plan: LoadPlan,
): number {
  const isAlone =
    journeys.length > 0 || plan.withinLimits || plan.mix.some(({ operation }) => isWrite(operation));
  if (isAlone || tenants !== null || tenantsFrom !== null) return 1;
  return processes ?? (plan.ratePerSecond > aloneUpTo ? availableParallelism() : 1);
}

type ProcessWishes = Pick<LoadOptions, 'processes' | 'journeys' | 'tenants' | 'tenantsFrom'>;

interface Here {
  readonly material: LoadMaterial;
  readonly recorder: Recorder;
  readonly onStart: (startedAt: number) => void;
  readonly signal: AbortSignal;
}

interface Driven {
  readonly elapsedMs: number;
  /** What the processes took that came to the end; null if none did. */
  readonly own: OwnReadings | null;
  /** Null if none was lost. */
  readonly processes: ProcessesSummary | null;
}

/** Sends a load from several processes of this machine, each with its share of the arrivals. */
export async function driveProcesses(load: Load, count: number, here: Here): Promise<Driven> {
  const { recorder, material, signal } = here;
  const inbox = new PartInbox(load, recorder, () => ({ offsetMs: machineOffsetMs(), errorMs: 0 }));
  const setup = partSetupOf(load, { material, shares: count });
  const children = Array.from(
    { length: count },
    (_, share) => new LoadChild({ load, recorder, inbox, job: jobOf(load, setup, share) }),
  );
  const stop = () => children.forEach((child) => child.stop());
  try {
    await Promise.all(children.map((child) => child.ready));
    signal.addEventListener('abort', stop, { once: true });
    const startAt = performance.now() + headStartMs;
    here.onStart(startAt);
    for (const child of children) child.start({ startAt: startAt + machineOffsetMs() });
    if (signal.aborted) stop();
    const outcomes = await Promise.all(children.map((child) => child.done));
    inbox.end();
    const done = outcomes.filter((one) => one.kind === 'done');
    const lost = outcomes.flatMap((one, share) =>
      one.kind === 'lost' ? [countLost(load, recorder, { ...one, startAt, share, of: count })] : [],
    );
    return {
      elapsedMs: Math.max(...done.map(({ elapsedMs }) => elapsedMs), ...lost.map(({ atMs }) => atMs)),
      own: done.length === 0 ? null : mergeReadings(done.map(({ own }) => own)),
      processes: lost.length === 0 ? null : { expected: count, lost },
    };
  } finally {
    signal.removeEventListener('abort', stop);
    for (const child of children) child.end();
  }
}

/** What a lost process may have sent since its last report is lost with it; the rest of its share is unsent. */
function countLost(
  { plan }: Load,
  recorder: Recorder,
  { why, at, handed, startAt, ...share }: Lost & Share & { readonly startAt: number },
): ProcessesSummary['lost'][number] {
  const atMs = Math.max(0, at - startAt);
  const unknown = at < startAt ? 0 : Math.max(0, dueBy(plan, share, atMs) - handed);
  recorder.lose(unknown);
  return { process: share.share + 1, why, atMs, unknown };
}

function jobOf({ run, keys }: Load, setup: PartSetup, share: number): ProcessJob {
  const maxInFlight = Math.max(1, Math.floor(setup.maxInFlight / setup.shares));
  return { ...setup, maxInFlight, settings: run.settings, keys, share };
}
