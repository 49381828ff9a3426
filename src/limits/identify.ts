import { allows, limitsOf, type Bounds } from './bounds.ts';
import type { Decision } from './decision.ts';
import { boundsFor, models, type Model, type ModelId } from './models.ts';
import { epochShare } from './models/epochWindow.ts';
import { slidingShare } from './models/slidingCounter.ts';
import { budgetsOf, isTried, neededFor } from './scope.ts';

/** One of the two documented limits. */
export interface WindowLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** What a timeline says of one model. */
export interface ModelResult {
  readonly id: ModelId;
  readonly title: string;
  /** Null where the timeline cannot tell it from the documented scope; `needs` says what would. */
  readonly fits: boolean | null;
  readonly needs: string | null;
  /** Limits with which it explains everything; null where none does. */
  readonly limits: readonly [from: number, to: number] | null;
  readonly bounds: Bounds;
  /** What speaks against it with the documented number, a sentence each. */
  readonly contradictions: readonly string[];
}

/** The limiter that a timeline shows. */
export interface Identification {
  /** The model that it is called by; null where none of them fits. */
  readonly model: ModelId | null;
  /** Limits with which it fits: one number where the timeline pins it down, infinite where nothing was refused. */
  readonly limits: readonly [from: number, to: number] | null;
  /** In words, such as `rolling log of 60`. */
  readonly name: string;
  /** Whether the documented limiter explains every decision. */
  readonly isDocumented: boolean;
  readonly models: readonly ModelResult[];
}

const documented: readonly ModelId[] = ['rolling-log', 'rolling-log-counting-refused'];

/** Compares a timeline with every model. Holds for every instant inside the intervals, so no delay can change it. */
export function identify(decisions: readonly Decision[], window: WindowLimit): Identification {
  const results = models.map((model) => resultOf(model, decisions, window));
  const isBounded = decisions.some(({ ruling }) => ruling === 'refused');
  const best = isBounded
    ? likelier(bestOf(results, window.limit), results, decisions, window)
    : plainest(results);
  return {
    model: best?.id ?? null,
    limits: best === null ? null : sizeOf(best, window.limit),
    name: best === null ? 'none of the known limiters' : nameOf(best, window),
    isDocumented: results.some(({ id, bounds }) => documented.includes(id) && allows(bounds, window.limit)),
    models: results,
  };
}

function resultOf(model: Model, decisions: readonly Decision[], window: WindowLimit): ModelResult {
  const tried = model.scope === 'key' || isTried(decisions, model.scope);
  const bounds = boundsFor(model, decisions, window.windowMs, window.limit);
  const limits = limitsOf(bounds);
  const needs = model.scope === 'key' || tried ? null : neededFor[model.scope];
  const fits = tried ? limits !== null : null;
  const contradictions = contradictionsOf(bounds, decisions, window);
  return { id: model.id, title: model.title, fits, needs, limits, bounds, contradictions };
}

/** In words: what was admitted although it is too much, and what was refused although there was room. */
function contradictionsOf(
  bounds: Bounds,
  decisions: readonly Decision[],
  { limit }: WindowLimit,
): readonly string[] {
  const { least, most } = bounds;
  const [leastBy, mostBy] = [bounds.leastBy(), bounds.mostBy()];
  const named = (ids: readonly string[]) =>
    ids.length <= 3 ? ids.join(', ') : `${ids[0] ?? ''} … ${ids.at(-1) ?? ''}`;
  const seconds = (ids: readonly string[]) => {
    const those = decisions.filter(({ id }) => ids.includes(id));
    const from = Math.min(...those.map(({ sent }) => sent));
    return ((Math.max(...those.map(({ received }) => received)) - from) / 1000).toFixed(1);
  };
  const tooMany = `${leastBy.length} requests (${named(leastBy)}) within ${seconds(leastBy)} s are more than ${limit} allow`;
  const tooFew = `${named(mostBy)} was refused although at most ${Math.floor(most)} requests can have counted`;
  return [...(least > limit ? [tooMany] : []), ...(most < limit ? [tooFew] : [])];
}

/** Where nothing was refused there is nothing to explain: no limit was seen. */
function plainest(results: readonly ModelResult[]): ModelResult | null {
  return results.find(({ id }) => id === 'rolling-log') ?? null;
}

/** The first by rank that fits with the documented number, else the first that fits with another one. */
function bestOf(results: readonly ModelResult[], limit: number): ModelResult | null {
  const fitting = results.filter(
    ({ fits, id, bounds }) => fits === true && (id !== 'leaky-queue' || isNear(bounds, limit)),
  );
  const exact = fitting.find(({ bounds }) => allows(bounds, limit));
  if (exact?.id === 'sliding-counter' || exact?.id === 'epoch-window')
    return fitting.find((one) => isOffByOne(one, limit)) ?? exact;
  return exact ?? fitting.find(({ id }) => id !== 'leaky-queue') ?? null;
}

/** Where wide intervals leave room for a counter as well as for an aligned window, the one is taken that fits by less luck. */
const muchLikelier = 3;

function likelier(
  best: ModelResult | null,
  results: readonly ModelResult[],
  decisions: readonly Decision[],
  { limit, windowMs }: WindowLimit,
): ModelResult | null {
  const counter = results.find(({ id, bounds }) => id === 'sliding-counter' && allows(bounds, limit));
  if (best?.id !== 'epoch-window' || !counter || !allows(best.bounds, limit)) return best;
  const shares = budgetsOf(decisions, 'key').map((budget) => [
    epochShare(budget, windowMs, limit),
    slidingShare(budget, windowMs, limit),
  ]);
  const [epoch, sliding] = [0, 1].map((which) => shares.reduce((all, one) => all * (one[which] ?? 0), 1));
  return (sliding ?? 0) > muchLikelier * (epoch ?? 0) ? counter : best;
}

/**
 * A counter that rounds, or a window that turned in time, explains one too many or too few as well, but a log that is off by
 * one is the simpler thing.
 */
function isOffByOne({ id, limits }: ModelResult, limit: number): boolean {
  return (
    id === 'rolling-log' && limits !== null && limits[0] === limits[1] && Math.abs(limits[0] - limit) === 1
  );
}

/** Answers that are late by chance look like a fast queue: only one about as slow as the limit is one. */
function isNear({ least }: Bounds, limit: number): boolean {
  return least >= limit / 2 && least <= limit * 1.1;
}

function sizeOf({ limits, bounds }: ModelResult, limit: number): readonly [number, number] | null {
  return allows(bounds, limit) && bounds.most < Number.POSITIVE_INFINITY ? [limit, limit] : limits;
}

function nameOf(result: ModelResult, { limit }: WindowLimit): string {
  const [from, to] = sizeOf(result, limit) ?? [0, 0];
  if (to === Number.POSITIVE_INFINITY) return `no limit up to ${from}`;
  return `${result.title} of ${from === to ? from : `${from} to ${to}`}`;
}
