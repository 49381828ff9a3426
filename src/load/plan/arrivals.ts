import type { OperationId } from '../../core/operations.ts';
import { createRandom, deriveSeed } from '../../core/random.ts';
import type { JourneyEntry, LoadPlan, MixEntry } from './plan.ts';
import { RateCurve, stagesOf } from './shape.ts';

/** One request or journey of an open load: when it is to be sent, whatever happened to earlier ones. */
export interface Arrival {
  /** Its number in the whole load, from 0. */
  readonly index: number;
  /** Intended time, milliseconds from the start of the load. */
  readonly atMs: number;
  /** For a journey, the operation that its first request counts as until it is known. */
  readonly operation: OperationId;
  /** Chooses among the payloads of the operation. */
  readonly draw: number;
  /** The journey that starts then; missing for a single request. */
  readonly journey?: string;
  /** Number of the first of two simultaneous subscribes of one booking; missing for any other. */
  readonly twin?: number;
}

/** A section of the schedule that can be made without the rest: the unit for workers. */
export interface Slice {
  readonly index: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Number of its first arrival in the whole load. */
  readonly first: number;
  readonly count: number;
}

export const sliceMs = 1000;

/** The sections of a load that have arrivals, in order; together at most `maxRequests`. */
export function slicesOf(plan: LoadPlan): readonly Slice[] {
  const streams = streamsOf(plan);
  const slices: Slice[] = [];
  let first = 0;
  for (let index = 0; index * sliceMs < plan.durationMs && first < plan.maxRequests; index += 1) {
    const [fromMs, toMs] = [index * sliceMs, Math.min((index + 1) * sliceMs, plan.durationMs)];
    const due = streams.reduce((sum, stream) => sum + stream.times(index, fromMs, toMs).length, 0);
    const count = Math.min(due, plan.maxRequests - first);
    if (count > 0) slices.push({ index, fromMs, toMs, first, count });
    first += count;
  }
  return slices;
}

/** The arrivals of a slice, generated on demand. The same plan always gives the same ones, in one process or in many. */
export function* arrivalsOf(plan: LoadPlan, slice: Slice): Generator<Arrival> {
  if (plan.twins === true) yield* withTwins([...singly(plan, slice)]);
  else yield* singly(plan, slice);
}

function* singly(plan: LoadPlan, slice: Slice): Generator<Arrival> {
  const { index, fromMs, toMs, first, count } = slice;
  const random = createRandom(deriveSeed(plan.seed, `load/mix/${index}`));
  const due = streamsOf(plan).flatMap((stream) =>
    stream.times(index, fromMs, toMs).map((atMs) => ({ atMs, choose: stream.choose })),
  );
  if (plan.ownShapes !== undefined) due.sort((one, other) => one.atMs - other.atMs);
  for (let place = 0; place < count; place += 1) {
    const one = due[place];
    if (!one) return;
    const entry = one.choose(random());
    const draw = Math.floor(random() * 2 ** 31);
    const arrival = { index: first + place, atMs: one.atMs, draw };
    yield 'journey' in entry
      ? { ...arrival, operation: 'wci.status', journey: entry.journey }
      : { ...arrival, operation: entry.operation };
  }
}

/** How many requests of each operation a load sends, without journeys. */
export function operationCounts(plan: LoadPlan): ReadonlyMap<OperationId, number> {
  return countsOf(plan, ({ operation, journey }) => (journey === undefined ? operation : null));
}

/** How many of each journey a load starts. */
export function journeyCounts(plan: LoadPlan): ReadonlyMap<string, number> {
  return countsOf(plan, ({ journey }) => journey ?? null);
}

function countsOf<T>(plan: LoadPlan, nameOf: (arrival: Arrival) => T | null): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const slice of slicesOf(plan)) {
    for (const arrival of arrivalsOf(plan, slice)) {
      const name = nameOf(arrival);
      if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

type Entry = MixEntry | JourneyEntry;

/** What is sent along one curve. */
interface Stream {
  readonly times: (index: number, fromMs: number, toMs: number) => readonly number[];
  readonly choose: (draw: number) => Entry;
}

function streamsOf(plan: LoadPlan): readonly Stream[] {
  const { mix, journeys = [], ownShapes = [] } = plan;
  const own = new Set(ownShapes.map(({ journey }) => journey));
  const entries: readonly Entry[] = [...mix, ...journeys.filter(({ journey }) => !own.has(journey))];
  const main =
    entries.length === 0 ? [] : [streamOf(plan, new RateCurve(stagesOf(plan)), { entries, name: '' })];
  return [
    ...main,
    ...ownShapes.map(({ journey, stages }) =>
      streamOf(plan, new RateCurve(stages), {
        entries: [{ journey, weight: 1 }],
        name: `/${journey}`,
      }),
    ),
  ];
}

function streamOf(
  plan: LoadPlan,
  curve: RateCurve,
  { entries, name }: { readonly entries: readonly Entry[]; readonly name: string },
): Stream {
  return {
    choose: chooserOf(entries),
    times: (index, fromMs, toMs) =>
      plan.arrivals === 'steady'
        ? steadyTimes(curve, fromMs, toMs)
        : poissonTimes(
            curve,
            [fromMs, toMs],
            createRandom(deriveSeed(plan.seed, `load/times/${index}${name}`)),
          ),
  };
}

/** Whenever the curve reaches a whole number; the count decides which slice that belongs to, so that none belongs to two. */
function steadyTimes(curve: RateCurve, fromMs: number, toMs: number): number[] {
  const firstAfter = (ms: number) => Math.ceil(curve.countAt(ms) - 1e-9);
  const times: number[] = [];
  for (let turn = firstAfter(fromMs); turn < firstAfter(toMs); turn += 1)
    times.push(Math.min(toMs, Math.max(fromMs, curve.timeOf(turn))));
  return times;
}

/** A Poisson process has no memory, so each slice may restart it; a changing rate only distorts its time. */
function poissonTimes(
  curve: RateCurve,
  [fromMs, toMs]: readonly [number, number],
  random: () => number,
): number[] {
  const times: number[] = [];
  const gap = () => -Math.log(1 - random());
  const until = curve.countAt(toMs);
  for (let at = curve.countAt(fromMs) + gap(); at < until; at += gap())
    times.push(Math.min(toMs, Math.max(fromMs, curve.timeOf(at))));
  return times;
}

function chooserOf(entries: readonly Entry[]): (draw: number) => Entry {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  const last = entries.at(-1);
  if (!last) throw new Error('a load sends something');
  return (draw) => {
    let left = draw * total;
    for (const entry of entries) {
      left -= entry.weight;
      if (left < 0) return entry;
    }
    return last;
  };
}

/** What pairing needs to know about an arrival. */
interface Pairable {
  readonly index: number;
  readonly operation: string;
  readonly journey?: string;
}

/** In a slice, two of this many subscribes are made for the same booking. */
const every = 8;

/**
 * Makes pairs of some subscribes: both have the same booking and are sent at the same time, next to each other in the order, so
 * that two workers send them. A deployment makes one record of them.
 */
function withTwins<T extends Pairable>(arrivals: readonly T[]): readonly (T & { readonly twin?: number })[] {
  const subscribes = arrivals.filter(
    ({ operation, journey }) => operation === 'wci.subscribe' && journey === undefined,
  );
  const twins = new Map<number, T & { readonly twin: number }>();
  for (let place = 0; place + 1 < subscribes.length; place += every) {
    const [first, second] = [subscribes[place], subscribes[place + 1]];
    if (first && second) twins.set(first.index, { ...first, index: second.index, twin: first.index });
  }
  const moved = new Set([...twins.values()].map(({ index }) => index));
  return arrivals.flatMap((arrival) => {
    const second = twins.get(arrival.index);
    if (second) return [{ ...arrival, twin: arrival.index }, second];
    return moved.has(arrival.index) ? [] : [arrival];
  });
}
