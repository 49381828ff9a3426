import type { ChosenJourney } from '../journeys/journeyPlan.ts';
import type { SinkManner } from '../journeys/sinkManner.ts';
import type { ArrivalKind, MixEntry, Stage } from './plan.ts';
import type { Threshold } from '../summary/thresholds.ts';

/** What the user requested, before the keys are known; null for what was not given. */
export interface LoadOptions {
  readonly ratePerSecond: number | null;
  readonly durationMs: number;
  readonly keys: number | null;
  readonly withinLimits: boolean;
  readonly arrivals: ArrivalKind;
  readonly mix: readonly MixEntry[] | null;
  readonly thresholds: readonly Threshold[];
  readonly saturate: boolean;
  readonly connections: number;
  readonly maxInFlight: number;
  /** Host that the user says to own. */
  readonly ownedHost: string | null;
  readonly workers: WorkerOptions | null;
  /** How the rate changes, for all or for one journey; empty if it does not. */
  readonly stages: readonly NamedStages[];
  readonly warmUpMs: number;
  readonly journeys: readonly ChosenJourney[];
  /** What a partner does if the rate limit refuses it. */
  readonly on429: 'obey' | 'ignore';
  /** How the sink answers the webhooks of journeys. */
  readonly sinkManner: SinkManner;
  /** Bounds for searching the highest rate; null for a plain load. */
  readonly capacity: readonly Threshold[] | null;
  /** Duration of each trial of that search. */
  readonly trialMs: number;
  /** Result file of an earlier load to compare with. */
  readonly compareWith: string | null;
  /** Number of new enterprises, with a key each; or a file of keys, each of its own enterprise. */
  readonly tenants: number | null;
  readonly tenantsFrom: string | null;
  /** Number of processes of this machine that send; null for as many as the rate needs. */
  readonly processes: number | null;
  /** Share of the answers to reads that is judged; null for all as long as there is time. */
  readonly judgeShare: number | null;
}

/** Stages of one journey, or of everything that has none of its own. */
export interface NamedStages {
  readonly journey: string | null;
  readonly stages: readonly Stage[];
}

export interface WorkerOptions {
  readonly count: number;
  readonly redisUrl: string;
}
