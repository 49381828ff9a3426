import type { DeliveryHub } from '../engine/observe/callbacks.ts';
import type { LoadJudge } from './judge/loadJudge.ts';
import type { LoadJourneys } from './journeys/readJourneys.ts';
import type { LoadSession } from './send/loadSession.ts';
import type { OpenRun } from '../engine/session/openRun.ts';
import type { LiveView } from './summary/live.ts';
import type { LoadPlan } from './plan/plan.ts';
import type { LoadOptions } from './plan/loadOptions.ts';
import type { Threshold } from './summary/thresholds.ts';
import type { ApiKey } from '../send/keyRing.ts';

/** A load with everything that it needs. */
export interface Load {
  readonly run: OpenRun;
  readonly options: LoadOptions;
  readonly plan: LoadPlan;
  readonly keys: readonly ApiKey[];
  readonly session: LoadSession;
  readonly judge: LoadJudge;
  readonly hub: DeliveryHub;
  readonly journeys: LoadJourneys;
  /** The current stage of the load; findings are reported with the rate at that time. */
  readonly course: Course;
  /** The command line, which repeats it. */
  readonly command: string;
  readonly notice: (text: string) => void;
  readonly onStart: (view: LoadView) => void;
}

/** The rate of a load over time, once it has begun. */
export interface Course {
  rateAt: (monotonic: number) => number;
}

/** A running load. */
export interface LoadView extends LiveView {
  readonly runId: string;
  readonly target: string;
  /** Number of connections of a saturation; null for an open load. */
  readonly connections: number | null;
  readonly keys: number;
  readonly thresholds: readonly Threshold[];
}
