import type { OperationId } from '../core/operations.ts';
import { createRandom, deriveSeed } from '../core/random.ts';
import type { LoadPlan, MixEntry } from './plan.ts';

/** One request of an open load: when it is meant to be sent, whatever became of those before it. */
export interface Arrival {
  /** Its number in the whole load, from 0. */
  readonly index: number;
  /** Intended time, milliseconds from the start of the load. */
  readonly atMs: number;
  readonly operation: OperationId;
  /** Chooses among the payloads of the operation. */
  readonly draw: number;
}

/** A stretch of the schedule that can be made without the rest: what a worker takes. */
export interface Slice {
  readonly index: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Number of its first arrival in the whole load. */
  readonly first: number;
  readonly count: number;
}

export const sliceMs = 1000;

/** The stretches of a load that have arrivals, in order; together at most `maxRequests`. */
export function slicesOf(plan: LoadPlan): readonly Slice[] {
  const slices: Slice[] = [];
  let first = 0;
  for (let index = 0; index * sliceMs < plan.durationMs && first < plan.maxRequests; index += 1) {
    const [fromMs, toMs] = [index * sliceMs, Math.min((index + 1) * sliceMs, plan.durationMs)];
    const count = Math.min(timesOf(plan, index, fromMs, toMs).length, plan.maxRequests - first);
    if (count > 0) slices.push({ index, fromMs, toMs, first, count });
    first += count;
  }
  return slices;
}

/**
 * The arrivals of a slice, made one by one as they are asked for. The same plan gives the same ones always, in one
 * process or in many.
 */
export function* arrivalsOf(plan: LoadPlan, slice: Slice): Generator<Arrival> {
  const { index, fromMs, toMs, first, count } = slice;
  const random = createRandom(deriveSeed(plan.seed, `load/mix/${index}`));
  const choose = chooserOf(plan.mix);
  const times = timesOf(plan, index, fromMs, toMs);
  for (let place = 0; place < count; place += 1) {
    const operation = choose(random());
    const draw = Math.floor(random() * 2 ** 31);
    yield { index: first + place, atMs: times[place] ?? fromMs, operation, draw };
  }
}

/** How many requests of each operation a load sends. */
export function operationCounts(plan: LoadPlan): ReadonlyMap<OperationId, number> {
  const counts = new Map<OperationId, number>();
  for (const slice of slicesOf(plan)) {
    for (const { operation } of arrivalsOf(plan, slice))
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
  }
  return counts;
}

function timesOf(plan: LoadPlan, index: number, fromMs: number, toMs: number): readonly number[] {
  const gapMs = 1000 / plan.ratePerSecond;
  return plan.arrivals === 'steady'
    ? steadyTimes(gapMs, fromMs, toMs)
    : poissonTimes(gapMs, fromMs, toMs, createRandom(deriveSeed(plan.seed, `load/times/${index}`)));
}

function steadyTimes(gapMs: number, fromMs: number, toMs: number): number[] {
  const times: number[] = [];
  for (let turn = Math.ceil(fromMs / gapMs); turn * gapMs < toMs; turn += 1) times.push(turn * gapMs);
  return times;
}

/** A Poisson process has no memory, so that each slice may begin it anew. */
function poissonTimes(gapMs: number, fromMs: number, toMs: number, random: () => number): number[] {
  const times: number[] = [];
  const gap = () => -Math.log(1 - random()) * gapMs;
  for (let at = fromMs + gap(); at < toMs; at += gap()) times.push(at);
  return times;
}

function chooserOf(mix: readonly MixEntry[]): (draw: number) => OperationId {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0);
  const last = mix.at(-1);
  if (!last) throw new Error('a mix has at least one operation');
  return (draw) => {
    let left = draw * total;
    for (const { operation, weight } of mix) {
      left -= weight;
      if (left < 0) return operation;
    }
    return last.operation;
  };
}
