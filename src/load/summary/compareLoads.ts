import type { LoadSummary } from './summarySchema.ts';
import { isDeepStrictEqual } from 'node:util';
import { createRandom } from '../../core/random.ts';
import type { ArrivalKind, JourneyEntry, OwnShape, Stage } from '../plan/plan.ts';

type Compared = NonNullable<LoadSummary['compared']>[number];

/** The parts of a stored result that are compared. */
export interface ComparedLoad {
  readonly plan: {
    readonly ratePerSecond: number | null;
    readonly mix: readonly { readonly operation: string; readonly weight: number }[];
    readonly journeys?: readonly JourneyEntry[];
    readonly arrivals?: ArrivalKind | null;
    readonly stages?: readonly Stage[];
    readonly ownShapes?: readonly OwnShape[];
    readonly connections?: number | null;
  };
  readonly steps: readonly { readonly ok: number; readonly p50Ms: number; readonly p99Ms: number }[];
  readonly capacity?:
    | {
        readonly bounds: readonly string[];
        readonly heldPerSecond: number | null;
        readonly brokenPerSecond: number | null;
      }
    | undefined;
}

const resamplings = 1000;
/** More than a load has. */
const mostSteps = 1000;
/** Shorter differences are ignored. */
const leastMs = 0.001;
/** A smaller change does not matter. */
const noise = 1.05;

/** Compares with an earlier load: the capacity if both searched for it, else median and 99 % over the steps. */
export function compareLoads(now: ComparedLoad, then: ComparedLoad): readonly Compared[] {
  if (now.capacity && then.capacity) {
    const [mine, theirs] = [searched(now, now.capacity), searched(then, then.capacity)];
    return [mine === theirs ? compareCapacity(now.capacity, then.capacity) : differ(mine, theirs)];
  }
  if (now.capacity || then.capacity)
    return [apart('one of the two looked for the capacity, the other did not')];
  if (describe(now) !== describe(then)) return [differ(describe(now), describe(then))];
  const [, shape] =
    shapes.find(([part]) => !isDeepStrictEqual(now.plan[part] ?? null, then.plan[part] ?? null)) ?? [];
  if (shape !== undefined) return [apart(`the two loads of ${describe(now)} differ in their ${shape}`)];
  const both = [now.steps, then.steps];
  return [
    compareSteps('median', both, ({ p50Ms }) => p50Ms),
    compareSteps('99 %', both, ({ p99Ms }) => p99Ms),
  ];
}

type Bounds = NonNullable<ComparedLoad['capacity']>;

function compareCapacity(now: Bounds, then: Bounds): Compared {
  const what = 'capacity';
  const [low, high] = [now.heldPerSecond, now.brokenPerSecond ?? Number.POSITIVE_INFINITY];
  const [lowThen, highThen] = [then.heldPerSecond, then.brokenPerSecond ?? Number.POSITIVE_INFINITY];
  if (low === null || lowThen === null) return apart('no rate was held in one of the two');
  const verdict = low >= highThen ? 'faster' : high <= lowThen ? 'slower' : 'same';
  const isBound = Number.isFinite(high) && Number.isFinite(highThen);
  const ratio = isBound
    ? { middle: Math.sqrt((low * high) / (lowThen * highThen)), low: low / highThen, high: high / lowThen }
    : null;
  const span = (from: number, to: number) => `${show(from)} to ${Number.isFinite(to) ? show(to) : '…'}/s`;
  return {
    what,
    verdict,
    ratio,
    text: `${span(low, high)} now, ${span(lowThen, highThen)} then: ${verdict}`,
  };
}

type Step = ComparedLoad['steps'][number];

/** The median over the steps now and then; resampling the steps shows how certain the ratio is. */
function compareSteps(
  what: string,
  both: readonly (readonly Step[])[],
  pick: (step: Step) => number,
): Compared {
  const [mine, theirs] = both.map((steps) =>
    steps
      .filter(({ ok }) => ok > 0)
      .slice(0, mostSteps)
      .map((step) => Math.max(leastMs, pick(step))),
  );
  if (!mine || !theirs || mine.length < 5 || theirs.length < 5)
    return {
      ...apart('one of the two loads has answers in fewer than five steps of its course; make it longer'),
      what,
    };
  const random = createRandom(1);
  const draw = (values: readonly number[]) =>
    median(values.map(() => values[Math.floor(random() * values.length)] ?? 0));
  const ratios = Array.from({ length: resamplings }, () => draw(mine) / draw(theirs)).sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(share * (ratios.length - 1))] ?? Number.NaN;
  const ratio = { middle: median(mine) / median(theirs), low: at(0.025), high: at(0.975) };
  const verdict =
    ratio.low > 1 && ratio.middle > noise
      ? 'slower'
      : ratio.high < 1 && ratio.middle < 1 / noise
        ? 'faster'
        : 'same';
  const percent = (value: number) => `${value >= 1 ? '+' : '−'}${Math.abs((value - 1) * 100).toFixed(0)} %`;
  return {
    ...{ what, verdict, ratio },
    text: `${what} ${percent(ratio.middle)} (95 %: ${percent(ratio.low)} to ${percent(ratio.high)}): ${verdict}`,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function describe({ plan }: ComparedLoad): string {
  return `${plan.ratePerSecond === null ? 'as much as it gives' : `${show(plan.ratePerSecond)}/s`} of ${mixOf(plan)}`;
}

function mixOf({ mix, journeys = [] }: ComparedLoad['plan']): string {
  return [
    ...mix.map(({ operation, weight }) => `${operation}=${weight}`),
    ...journeys.map(({ journey, weight }) => `${journey}=${weight}`),
  ].join(',');
}

/** What makes loads of one rate and mix different ones, in words. */
const shapes = [
  ['arrivals', 'arrivals (steady or poisson)'],
  ['stages', 'stages'],
  ['ownShapes', 'stages of journeys'],
  ['connections', 'connections'],
] as const;

/** What the capacity was looked for. */
function searched({ plan }: ComparedLoad, { bounds }: Bounds): string {
  return `${bounds.join(', ')} of ${mixOf(plan)}`;
}

function differ(mine: string, theirs: string): Compared {
  return apart(`${mine} and ${theirs} are different loads`);
}

function apart(why: string): Compared {
  return { what: 'load', verdict: 'not-comparable', ratio: null, text: `not comparable: ${why}` };
}

function show(value: number): string {
  return String(Number(value.toPrecision(4)));
}
