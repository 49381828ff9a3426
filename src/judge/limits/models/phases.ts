import { allows, distance, type Bounds } from '../bounds.ts';
import { bySending, type Decision } from '../decision.ts';
import type { WindowLimit } from '../../../core/windowLimit.ts';
import type { Placed } from './windowCounts.ts';

/** Intervals are widened to a grid with this many parts per window: the result is just as certain, and far fewer phases differ. */
const gridParts = 6000;

/**
 * Phases of windows that follow one another without a gap, one for each way in which requests can be divided among windows.
 * Nothing changes between two instants at which an interval starts or ends; for models with weights, which do change there,
 * `stepMs` is the resolution.
 */
function phasesOf(decisions: readonly Decision[], windowMs: number, stepMs: number): readonly number[] {
  const edges = decisions.flatMap(({ sent, received }) => [
    modulo(sent, windowMs),
    modulo(received, windowMs),
  ]);
  const sorted = [...new Set(edges)].sort((a, b) => a - b);
  return sorted.flatMap((edge, index) => {
    const width = (sorted[index + 1] ?? (sorted[0] ?? 0) + windowMs) - edge;
    const parts = Math.max(1, Math.ceil(width / stepMs));
    return Array.from({ length: parts }, (_, part) => edge + (width * (part + 0.5)) / parts);
  });
}

/** The bounds of the phase that comes closest to explaining everything with a limit. */
export function bestPhase(
  decisions: readonly Decision[],
  { windowMs, limit, stepMs = windowMs }: WindowLimit & { readonly stepMs?: number },
  boundsAt: (placed: readonly Placed[], phase: number) => Bounds,
): Bounds {
  const ordered = bySending(widened(decisions, windowMs / gridParts));
  let best: { readonly bounds: Bounds; readonly rank: number } | null = null;
  for (const phase of phasesOf(ordered, windowMs, stepMs)) {
    const bounds = boundsAt(placeAll(ordered, windowMs, phase), phase);
    const rank = rankOf(bounds, limit);
    if (!best || rank < best.rank) best = { bounds, rank };
    if (rank === 0) break;
  }
  return best?.bounds ?? boundsAt([], 0);
}

/** The same decisions in slightly wider intervals: what holds for all of an interval holds for the instant of the decision. */
function widened(decisions: readonly Decision[], gridMs: number): readonly Decision[] {
  return decisions.map((decision) => ({
    ...decision,
    sent: Math.floor(decision.sent / gridMs) * gridMs,
    received: Math.ceil(decision.received / gridMs) * gridMs,
  }));
}

/** A phase that explains everything with the limit is best, then one that does so with another limit. */
function rankOf(bounds: Bounds, limit: number): number {
  const gap = Math.max(0, bounds.least - bounds.most);
  return gap === 0 ? distance(bounds, limit) : 1e6 + gap;
}

function placeAll(decisions: readonly Decision[], windowMs: number, phase: number): readonly Placed[] {
  const windowAt = (time: number) => Math.floor((time - phase) / windowMs);
  return decisions.map((decision) => ({
    decision,
    first: windowAt(decision.sent),
    last: windowAt(decision.received),
  }));
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** The share of all phases in which a limit explains everything: of two models that fit, the likelier one has more. */
export function fittingShare(
  decisions: readonly Decision[],
  { windowMs, limit }: WindowLimit,
  boundsAt: (placed: readonly Placed[], phase: number) => Bounds,
): number {
  const ordered = bySending(decisions);
  const steps = 600;
  const phases = Array.from({ length: steps }, (_, index) => ((index + 0.5) * windowMs) / steps);
  return (
    phases.filter((phase) => allows(boundsAt(placeAll(ordered, windowMs, phase), phase), limit)).length /
    steps
  );
}
