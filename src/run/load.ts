import type { DeliveryHub } from '../engine/deliveryHub.ts';
import type { LoadJudge } from '../engine/loadJudge.ts';
import type { LoadJourneys } from '../engine/loadJourneys.ts';
import type { LoadSession } from '../engine/loadSession.ts';
import type { OpenRun } from '../engine/openRun.ts';
import type { FairnessBook } from '../load/fairness.ts';
import type { LiveView } from '../load/live.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { LoadOptions } from '../load/planLoad.ts';
import type { ReconnectingTransport } from '../load/reconnects.ts';
import type { ApiKey } from '../send/keyRing.ts';

/** A load with all that it takes. */
export interface Load {
  readonly run: OpenRun;
  readonly options: LoadOptions;
  readonly plan: LoadPlan;
  readonly keys: readonly ApiKey[];
  readonly session: LoadSession;
  readonly judge: LoadJudge;
  readonly hub: DeliveryHub;
  readonly journeys: LoadJourneys;
  /** How evenly tenants are served; null where there are none. */
  readonly fairness: FairnessBook | null;
  /** Gives all connections up again and again; null where they are kept. */
  readonly reconnects: ReconnectingTransport | null;
  /** Where the load is in its course; findings are reported with the rate at that time. */
  readonly course: Course;
  /** The command line, which has it again. */
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
  /** Connections of a saturation; null for an open load. */
  readonly connections: number | null;
  readonly keys: number;
}
