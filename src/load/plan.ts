import type { OperationId } from '../core/operations.ts';

export const arrivalKinds = ['steady', 'poisson'] as const;
export type ArrivalKind = (typeof arrivalKinds)[number];

/** How often one operation is sent, beside the others. */
export interface MixEntry {
  readonly operation: OperationId;
  readonly weight: number;
}

/** A stretch of a load whose rate changes evenly from one value to another, requests a second. */
export interface Stage {
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  readonly durationMs: number;
}

/** How often one journey is begun, beside the others and the operations. */
export interface JourneyEntry {
  readonly journey: string;
  readonly weight: number;
}

/** A journey with a course of its own, beside what the weights share. */
export interface OwnShape {
  readonly journey: string;
  readonly stages: readonly Stage[];
}

/** What a load sends, and when: all of it follows from this and nothing else, on whatever machine. */
export interface LoadPlan {
  readonly seed: number;
  /** Requests (or begun journeys) a second, over all keys and workers; with stages the highest. */
  readonly ratePerSecond: number;
  /** How the rate changes; left out where it does not. They last as long as the load. */
  readonly stages?: readonly Stage[];
  /** What comes before is sent, and left out of the figures. */
  readonly warmUpMs?: number;
  /** Virtual partners that do several things in turn; none where left out. */
  readonly journeys?: readonly JourneyEntry[];
  readonly ownShapes?: readonly OwnShape[];
  readonly arrivals: ArrivalKind;
  readonly durationMs: number;
  /** Never more than so many requests, whatever the rate and the time. */
  readonly maxRequests: number;
  readonly mix: readonly MixEntry[];
  /** Requests take slots of the documented limits, and what finds none is missed. */
  readonly withinLimits: boolean;
  /** Of subscribes, some are sent twice at once, by two workers; left out where one process sends all. */
  readonly twins?: boolean;
}

/** How late a request may be sent; later ones would say nothing of the load that was meant. */
export const missAfterMs = 1000;

/** Width of the steps in which the course of a load is kept: at most 120 of them, a second each at least. */
export function stepMs({ durationMs }: Pick<LoadPlan, 'durationMs'>): number {
  return Math.max(1, Math.ceil(durationMs / 120_000)) * 1000;
}

/** The greatest part of a limit that a load within the limits takes: what is in flight holds its slot as well. */
const share = 0.95;

/** The highest rate that so many keys allow for so long, within both limits. */
export function rateWithinLimits(
  limits: { readonly perMinute: number; readonly perHour: number },
  keys: number,
  durationMs: number,
): number {
  // Up to an hour, all of it lies in one window of the hour limit; beyond, each hour may take as many again.
  const withinHour = (limits.perHour * 1000) / Math.min(Math.max(durationMs, 60_000), 3_600_000);
  return keys * share * Math.min(limits.perMinute / 60, withinHour);
}
