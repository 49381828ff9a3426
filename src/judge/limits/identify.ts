import { allows, limitsOf, unbounded, type Bounds } from './bounds.ts';
import type { Decision } from './decision.ts';
import { boundsFor, models, sizedTitle, type Model, type ModelId } from './models.ts';
import { epochShare } from './models/epochWindow.ts';
import { slidingShare } from './models/slidingCounter.ts';
import { budgetsByScope, isTried, neededFor } from './scope.ts';
import { explainByWider } from './wider/explain.ts';
import { perWindow, rangeText, type WiderId } from './wider/wider.ts';
import type { WindowLimit } from '../../core/windowLimit.ts';

/** What a timeline says about one model. */
export interface ModelResult {
  readonly id: ModelId;
  readonly title: string;
  /** Null if the timeline cannot distinguish it from the documented scope; `needs` says what could. */
  readonly fits: boolean | null;
  readonly needs: string | null;
  /** Limits with which it explains everything; null if there is none. */
  readonly limits: readonly [from: number, to: number] | null;
  readonly bounds: Bounds;
  /** What contradicts it with the documented number, one sentence each. */
  readonly contradictions: readonly string[];
}

/** The limiter that a timeline shows. */
export interface Identification extends Named {
  /** Whether the documented limiter explains every decision. */
  readonly isDocumented: boolean;
  readonly models: readonly ModelResult[];
}

/** What a limiter is called. */
interface Named {
  /** The model that names it; null if none fits. */
  readonly model: ModelId | WiderId | null;
  /** In words, such as `rolling log of 60`. */
  readonly name: string;
  /** Products and set-ups that behave like this; null if none is known, or it is the documented one. */
  readonly like: string | null;
}

const documented: readonly ModelId[] = ['rolling-log', 'rolling-log-counting-refused'];

/**
 * Compares a timeline with every model. The result holds for every instant inside the intervals, so no delay can change it.
 * `epochMs` plus the instant of a decision is the deployment's wall clock.
 */
export function identify(
  decisions: readonly Decision[],
  window: WindowLimit,
  epochMs: number | null = null,
): Identification {
  const results = models.map((model) => resultOf(model, decisions, window));
  const isDocumented = results.some(
    ({ id, bounds }) => documented.includes(id) && allows(bounds, window.limit),
  );
  const isBounded = decisions.some(({ ruling }) => ruling === 'refused');
  const named = isBounded
    ? (nameByNumber(results, decisions, window) ??
      explainAll(decisions, window, epochMs) ??
      nameByOther(results, window) ??
      namedNone(results, window))
    : decisions.some(({ isDisputed }) => isDisputed)
      ? namedDisputed(results, window)
      : namedUnlimited(results, window);
  return { ...named, isDocumented, models: results };
}

function resultOf(model: Model, decisions: readonly Decision[], window: WindowLimit): ModelResult {
  const needs = model.scope === 'key' || isTried(decisions, model.scope) ? null : neededFor[model.scope];
  const bounds = needs === null ? boundsFor(model, decisions, window) : unbounded;
  const limits = limitsOf(bounds);
  const fits = needs === null ? limits !== null : null;
  const contradictions = contradictionsOf(bounds, decisions, window);
  return { id: model.id, title: model.title, fits, needs, limits, bounds, contradictions };
}

/** In words: what was admitted although it was too much, and what was refused although there was room. */
function contradictionsOf(
  bounds: Bounds,
  decisions: readonly Decision[],
  { limit }: WindowLimit,
): readonly string[] {
  const { least, most } = bounds;
  const [leastBy, mostBy] = [bounds.leastBy(), bounds.mostBy()];
  const named = (ids: readonly string[]) => {
    const sorted = ids.toSorted((one, other) => numberOf(one) - numberOf(other));
    return sorted.length <= 3 ? sorted.join(', ') : `${sorted[0] ?? ''} … ${sorted.at(-1) ?? ''}`;
  };
  const seconds = (ids: readonly string[]) => {
    const those = decisions.filter(({ id }) => ids.includes(id));
    const from = Math.min(...those.map(({ sent }) => sent));
    return ((Math.max(...those.map(({ received }) => received)) - from) / 1000).toFixed(2);
  };
  const many = `${leastBy.length} requests (${named(leastBy)}) within ${seconds(leastBy)} s`;
  const tooMany =
    leastBy.length > limit
      ? `${many} are more than ${limit} allow`
      : `${many} were admitted too soon after one another`;
  const tooFew = `${named(mostBy)} ${mostBy.length > 1 ? 'were' : 'was'} refused although at most ${Math.floor(most)} requests can have counted`;
  return [...(least > limit ? [tooMany] : []), ...(most < limit ? [tooFew] : [])];
}

function numberOf(id: string): number {
  return Number(id.replace(/\D/g, ''));
}

/** The highest-ranked model that fits with the documented number, else a plain one that fits with exactly one other number. */
function nameByNumber(
  results: readonly ModelResult[],
  decisions: readonly Decision[],
  window: WindowLimit,
): Named | null {
  const { limit } = window;
  const fitting = results.filter(
    ({ fits, id, bounds }) => fits === true && (id !== 'leaky-queue' || isNear(bounds, limit)),
  );
  const exact = fitting.find(
    ({ id, bounds }) => allows(bounds, limit) && (id !== 'sliding-counter' || !isLuck(decisions, window)),
  );
  const isShifty = exact?.id === 'sliding-counter' || exact?.id === 'epoch-window';
  const offByOne = isShifty ? fitting.find((one) => isOffByOne(one, limit)) : undefined;
  const first = offByOne ?? exact ?? plainWithOther(fitting);
  return first === null ? null : namedBy(likelier({ best: first, results }, decisions, window), window);
}

/** A log is accepted with any numbers; of the others only one may fit, and with one number. */
function plainWithOther(fitting: readonly ModelResult[]): ModelResult | null {
  const log = fitting.find(({ id }) => id === 'rolling-log');
  const [one, another] = fitting.filter(({ id }) => plain.includes(id));
  return log ?? (one && !another && isOneNumber(one.limits) ? one : null);
}

/** With a number other than the documented one, the other models explain too much: limiters with several numbers are tried before them. */
const plain: readonly ModelId[] = [
  'rolling-log-counting-refused',
  'first-request-window',
  'epoch-window',
  'token-bucket',
];

/**
 * With some phase, a counter explains nearly anything if answers take long. A real one fits in many phases; one that fits in
 * less than this share of the longest answer time fits by luck.
 */
const luck = 0.4;

function isLuck(decisions: readonly Decision[], { limit, windowMs }: WindowLimit): boolean {
  const longest = Math.max(0, ...decisions.map(({ sent, received }) => received - sent));
  const shares = budgetsByScope(decisions, 'key').map((budget) => slidingShare(budget, windowMs, limit));
  return Math.min(...shares) < luck * Math.min(0.1, longest / windowMs);
}

/** Of the rest, the first that fits with one other number; a counter fits nearly anything with some number. */
function nameByOther(results: readonly ModelResult[], window: WindowLimit): Named | null {
  const other = results.find(
    ({ id, fits, limits }) =>
      fits === true && isOneNumber(limits) && id !== 'leaky-queue' && id !== 'sliding-counter',
  );
  return other === undefined ? null : namedBy(other, window);
}

function isOneNumber(limits: ModelResult['limits']): boolean {
  return limits !== null && limits[0] === limits[1];
}

/**
 * If wide intervals allow both a counter and an aligned window, the one that fits with more phases is chosen, if it has this
 * many times as many.
 */
const muchLikelier = 3;

function likelier(
  { best, results }: { readonly best: ModelResult; readonly results: readonly ModelResult[] },
  decisions: readonly Decision[],
  { limit, windowMs }: WindowLimit,
): ModelResult {
  const counter = results.find(({ id, bounds }) => id === 'sliding-counter' && allows(bounds, limit));
  if (best.id !== 'epoch-window' || !counter || !allows(best.bounds, limit)) return best;
  const shares = budgetsByScope(decisions, 'key').map((budget) => [
    epochShare(budget, windowMs, limit),
    slidingShare(budget, windowMs, limit),
  ]);
  const [epoch, sliding] = [0, 1].map((which) => shares.reduce((all, one) => all * (one[which] ?? 0), 1));
  return (sliding ?? 0) > muchLikelier * (epoch ?? 0) ? counter : best;
}

/**
 * A counter that rounds, or a window that turned at the right time, also explains one too many or too few, but a log that is off
 * by one is simpler.
 */
function isOffByOne({ id, limits }: ModelResult, limit: number): boolean {
  return id === 'rolling-log' && isOneNumber(limits) && Math.abs((limits?.[0] ?? limit) - limit) === 1;
}

/** Answers that happen to be late look like a fast queue: it is only a queue if it is about as slow as the limit. */
function isNear({ least }: Bounds, limit: number): boolean {
  return least >= limit / 2 && least <= limit * 1.1;
}

function namedBy({ id, title, limits, bounds }: ModelResult, { limit }: WindowLimit): Named {
  const isSame = allows(bounds, limit);
  const [from, to] = isSame ? [limit, limit] : (limits ?? [limit, limit]);
  const like = models.find((model) => model.id === id)?.like ?? null;
  return {
    model: id,
    name: sizedTitle(title, rangeText(from, to)),
    like: like ?? likeOfLog(id, from / limit),
  };
}

/** A log of twice the number is what two logs look like that each get every other request. */
function likeOfLog(id: ModelId, times: number): string | null {
  if (id !== 'rolling-log' || times < 2 || !Number.isInteger(times)) return null;
  return `a limit of ${times} times the number, or ${times} instances behind a balancer that count for themselves`;
}

function explainAll(
  decisions: readonly Decision[],
  window: WindowLimit,
  epochMs: number | null,
): Named | null {
  const explanation = explainByWider(decisions, window, epochMs);
  if (explanation === null) return null;
  return { model: explanation.id, name: explanation.name, like: explanation.like };
}

/** Each refusal may come from another limit, so that only what passed is known. */
function namedDisputed(results: readonly ModelResult[], { windowMs }: WindowLimit): Named {
  const { least } = logOf(results);
  const name = `none seen: ${least} passed within ${windowMs / 1000} s, and all that was refused may have been refused by another limit`;
  return { model: null, name, like: null };
}

/** Nothing was refused: no limit was seen, and any limiter that lets this many through would look the same. */
function namedUnlimited(results: readonly ModelResult[], window: WindowLimit): Named {
  const { least } = logOf(results);
  const others = results.filter(({ id, fits, bounds }) => {
    return fits === true && !documented.includes(id) && id !== 'leaky-queue' && allows(bounds, window.limit);
  });
  const also = others.map(({ title }) => `, or a ${sizedTitle(title, window.limit)}`);
  const name = `no limit up to ${least} ${perWindow(window.windowMs)}${least > window.limit ? also.join('') : ''}`;
  return { model: 'rolling-log', name, like: null };
}

/** None of the models fits; says what is certain anyway. */
function namedNone(results: readonly ModelResult[], { windowMs }: WindowLimit): Named {
  const { least, most } = logOf(results);
  const name = `none of the known limiters: ${least} passed within ${windowMs / 1000} s, and one was refused after at most ${Math.floor(most)}`;
  return { model: null, name, like: null };
}

function logOf(results: readonly ModelResult[]): Bounds {
  return results.find(({ id }) => id === 'rolling-log')?.bounds ?? unbounded;
}
