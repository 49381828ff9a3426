import { arrivalsOf, slicesOf, type Arrival, type Slice } from '../plan/arrivals.ts';
import type { LoadPlan } from '../plan/plan.ts';

/** Consecutive slices that are handed out together, each worker its share of all of them. */
export interface Stretch extends Slice {
  readonly slices: readonly Slice[];
}

/** With more workers than this, the coordinator's cost per part outweighs what is lost with a worker. */
const fewWorkers = 40;
const longParts = 5;

/** The sections of a load: of a second each, or of five if there are many workers. */
export function stretchesOf(plan: LoadPlan, workers: number): readonly Stretch[] {
  const length = workers > fewWorkers ? longParts : 1;
  const groups = Map.groupBy(slicesOf(plan), ({ index }) => Math.floor(index / length));
  return [...groups.values()].flatMap((slices) => {
    const [first, last] = [slices[0], slices.at(-1)];
    if (!first || !last) return [];
    return { ...first, slices, toMs: last.toMs, count: slices.reduce((sum, { count }) => sum + count, 0) };
  });
}

/** The arrivals of a section that one of several workers sends. */
export function shareOf(plan: LoadPlan, { slices }: Stretch, share: number, of: number): readonly Arrival[] {
  const all = slices.flatMap((slice) => [...arrivalsOf(plan, slice)]);
  return all.filter((_arrival, place) => place % of === share);
}
