import type { Bounds } from '../bounds.ts';
import type { Decision } from '../decision.ts';
import { bestPhase, fittingShare } from './phases.ts';
import { countedByWindow } from './windowCounts.ts';

/** Counts anew in windows that are aligned to the deployment's clock, whose phase is not known. */
export function epochWindow(decisions: readonly Decision[], windowMs: number, limit: number): Bounds {
  return bestPhase(decisions, { windowMs, limit }, countedByWindow);
}

/** The share of all phases in which it explains everything. */
export function epochShare(decisions: readonly Decision[], windowMs: number, limit: number): number {
  return fittingShare(decisions, { windowMs, limit }, countedByWindow);
}
