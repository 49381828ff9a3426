import type { OperationId } from '../../core/operations.ts';

export const arrivalKinds = ['steady', 'poisson'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];

/** How often one operation is sent, relative to the others. */
export interface MixEntry {
  readonly operation: OperationId;
  readonly weight: number;
}

/** A section of a load whose rate changes evenly from one value to another, in requests per second. */
export interface Stage {
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  readonly durationMs: number;
}

/** How often one journey is started, relative to the other journeys and the operations. */
export interface JourneyEntry {
  readonly journey: string;
  readonly weight: number;
}

/** A journey with its own course, outside of the weights. */
export interface OwnShape {
  readonly journey: string;
  readonly stages: readonly Stage[];
}

/** What a load sends, and when: everything follows from this alone, on any machine. */
export interface LoadPlan {
  readonly seed: number;
  /** Requests (or started journeys) per second, over all keys and workers; with stages, the highest rate. */
  readonly ratePerSecond: number;
  /** How the rate changes; missing if it does not. The stages last as long as the load. */
  readonly stages?: readonly Stage[];
  /** Earlier requests are sent, but left out of the figures. */
  readonly warmUpMs?: number;
  /** Virtual partners that do several things in turn; by default none. */
  readonly journeys?: readonly JourneyEntry[];
  readonly ownShapes?: readonly OwnShape[];
  readonly arrivals: ArrivalKind;
  readonly durationMs: number;
  /** Most requests, whatever the rate and the duration. */
  readonly maxRequests: number;
  readonly mix: readonly MixEntry[];
  /** Whether requests take slots of the documented limits; those that find none are missed. */
  readonly withinLimits: boolean;
  /** Whether some subscribes are sent twice at once, by two workers; missing if one process sends everything. */
  readonly twins?: boolean;
}

/** How a load regards the documented limits, in words: what is not held to them need not exceed them. */
export function boundText({ withinLimits }: Pick<LoadPlan, 'withinLimits'>): string {
  return withinLimits ? 'within the limits' : 'not held to the limits';
}

/** How late a request may be sent; later ones would say nothing about the intended load. */
export const missAfterMs = 1000;

/** Width of the steps in which the course of a load is recorded: at most 120 of them, each at least a second. */
export function stepMs({ durationMs }: Pick<LoadPlan, 'durationMs'>): number {
  return Math.max(1, Math.ceil(durationMs / 120_000)) * 1000;
}

/** The largest share of a limit that a load within the limits uses: requests in flight hold slots as well. */
const share = 0.95;

/** The highest rate that `keys` allow for the duration, within both limits. */
export function rateWithinLimits(
  limits: { readonly perMinute: number; readonly perHour: number },
  keys: number,
  durationMs: number,
): number {
  // Up to an hour, everything is in one window of the hour limit; beyond that, each hour may use as many again.
  const withinHour = (limits.perHour * 1000) / Math.min(Math.max(durationMs, 60_000), 3_600_000);
  return keys * share * Math.min(limits.perMinute / 60, withinHour);
}
