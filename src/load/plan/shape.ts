import type { LoadPlan, Stage } from './plan.ts';

/** The form of stages, for error messages and help. */
export const stagesForm =
  "stages, such as '0→200/s in 2m, 200/s for 10m, 800/s for 30s, 0 in 1m': RATE→RATE in TIME, RATE for TIME, or RATE in " +
  'TIME from the rate before; -> for →, and JOURNEY: before the first for those of one journey';

const perSecond: Readonly<Record<string, number>> = { s: 1, m: 1 / 60, h: 1 / 3600 };
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const stageForm =
  /^(?:(\d+(?:\.\d+)?)(?:\/([smh]))?(?:→|->))?(\d+(?:\.\d+)?)(?:\/([smh]))?(in|for)((?:\d+(?:ms|s|m|h))+)$/;
const mostPerSecond = 100_000;
const longestMs = 7 * 24 * 3_600_000;

/** Parses stages; null if they are malformed, or would send nothing at all. */
export function parseStages(text: string): readonly Stage[] | null {
  const stages: Stage[] = [];
  for (const part of text.split(',')) {
    const stage = parseStage(part, stages.at(-1)?.toPerSecond ?? null);
    if (stage === null) return null;
    stages.push(stage);
  }
  const isAny = stages.some((one) => one.fromPerSecond > 0 || one.toPerSecond > 0);
  return isAny && durationOf(stages) <= longestMs && stages.length <= 100 ? stages : null;
}

function parseStage(text: string, before: number | null): Stage | null {
  const [, start, unitBefore, end, unit = 's', word, time] = stageForm.exec(text.replace(/\s+/g, '')) ?? [];
  if (end === undefined || time === undefined || (start !== undefined && word === 'for')) return null;
  const toPerSecond = Number(end) * (perSecond[unit] ?? 1);
  const isRamp = word === 'in';
  const from = start === undefined ? (before ?? 0) : Number(start) * (perSecond[unitBefore ?? unit] ?? 1);
  const fromPerSecond = isRamp ? from : toPerSecond;
  const durationMs = timeOf(time);
  const isPossible = Math.max(fromPerSecond, toPerSecond) <= mostPerSecond && durationMs > 0;
  return isPossible ? { fromPerSecond, toPerSecond, durationMs } : null;
}

function timeOf(text: string): number {
  return [...text.matchAll(/(\d+)(ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit = 's']) => sum + Number(amount) * (units[unit] ?? 0),
    0,
  );
}

export function durationOf(stages: readonly Stage[]): number {
  return stages.reduce((sum, { durationMs }) => sum + durationMs, 0);
}

export function peakOf(stages: readonly Stage[]): number {
  return Math.max(...stages.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]));
}

/** The stages of a load, cut to its duration; a load without any has a single rate. */
export function stagesOf({ stages, ratePerSecond, durationMs }: ShapedPlan): readonly Stage[] {
  if (stages === undefined) return [{ fromPerSecond: ratePerSecond, toPerSecond: ratePerSecond, durationMs }];
  return stages;
}

type ShapedPlan = Pick<LoadPlan, 'stages' | 'ratePerSecond' | 'durationMs'>;

/** A stage with its start, and the number of arrivals before it. */
interface Placed extends Stage {
  readonly fromMs: number;
  readonly before: number;
}

/** How many arrivals are due by when: the integral of the rate over time, and its inverse. */
export class RateCurve {
  readonly #stages: readonly Placed[];

  constructor(stages: readonly Stage[]) {
    let [fromMs, before] = [0, 0];
    this.#stages = stages.map((stage) => {
      const placed = { ...stage, fromMs, before };
      fromMs += stage.durationMs;
      before += ((stage.fromPerSecond + stage.toPerSecond) / 2000) * stage.durationMs;
      return placed;
    });
  }

  /** Requests per second at an instant; 0 before and after the load. */
  rateAt(ms: number): number {
    const stage = this.#stages.find(({ fromMs, durationMs }) => ms >= fromMs && ms < fromMs + durationMs);
    if (!stage) return 0;
    const { fromPerSecond, toPerSecond, durationMs, fromMs } = stage;
    return fromPerSecond + ((toPerSecond - fromPerSecond) * (ms - fromMs)) / durationMs;
  }

  /** Number of arrivals that are due before an instant, with fractions. */
  countAt(ms: number): number {
    const stage = this.#stages.findLast(({ fromMs }) => fromMs <= ms);
    if (!stage) return 0;
    const at = Math.min(ms - stage.fromMs, stage.durationMs);
    const slope = (stage.toPerSecond - stage.fromPerSecond) / stage.durationMs;
    return stage.before + (stage.fromPerSecond * at + (slope * at * at) / 2) / 1000;
  }

  /** When `count` arrivals are due. */
  timeOf(count: number): number {
    const stage = this.#stages.findLast(({ before }) => before <= count) ?? this.#stages[0];
    if (!stage) return 0;
    const { fromMs, fromPerSecond, toPerSecond, durationMs, before } = stage;
    const wanted = (count - before) * 1000;
    const slope = (toPerSecond - fromPerSecond) / durationMs;
    if (wanted <= 0) return fromMs;
    if (slope === 0) return fromMs + (fromPerSecond === 0 ? durationMs : wanted / fromPerSecond);
    const root = Math.sqrt(Math.max(0, fromPerSecond ** 2 + 2 * slope * wanted));
    return fromMs + Math.min(durationMs, (root - fromPerSecond) / slope);
  }
}

/** About how many requests (or started journeys) a plan means. */
export function expectedCount(plan: LoadPlan): number {
  const courses = [stagesOf(plan), ...(plan.ownShapes ?? []).map(({ stages }) => stages)];
  const [, ...own] = courses;
  const all = plan.stages === undefined && own.length > 0 && plan.mix.length === 0 ? own : courses;
  return all.reduce((sum, stages) => sum + new RateCurve(stages).countAt(plan.durationMs), 0);
}
