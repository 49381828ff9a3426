import { arrivalsOf, slicesOf, type Slice } from '../plan/arrivals.ts';
import type { LoadPlan } from '../plan/plan.ts';

/** A share of the arrivals of a load: every `of`-th, starting with number `share`. */
export interface Share {
  readonly share: number;
  readonly of: number;
}

/** How many arrivals of a share are due within `atMs` of the start of the load. */
export function dueBy(plan: LoadPlan, share: Share, atMs: number): number {
  return slicesOf(plan)
    .filter(({ fromMs }) => fromMs <= atMs)
    .reduce((sum, slice) => sum + dueIn(plan, slice, { ...share, atMs }), 0);
}

function dueIn(plan: LoadPlan, slice: Slice, { share, of, atMs }: Share & { readonly atMs: number }): number {
  const { first, count, toMs } = slice;
  const before = (index: number) => Math.floor((index - share - 1) / of);
  if (toMs <= atMs) return before(first + count) - before(first);
  return [...arrivalsOf(plan, slice)].filter((one) => one.index % of === share && one.atMs <= atMs).length;
}
