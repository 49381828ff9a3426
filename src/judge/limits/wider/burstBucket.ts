import { boundsFor, documentedLog } from '../models.ts';
import { standingBefore } from '../models/rollingLog.ts';
import { perWindow, rangeText, type Explain, type Timeline } from './wider.ts';
import type { Decision } from '../decision.ts';
import { countBelow } from '../models/windowCounts.ts';

/** From one number to another. */
type Range = readonly [from: number, to: number];

/** A bucket, as far as a timeline determines it. */
interface Bucket {
  readonly burst: Range;
  /** Up to infinity if a slow network hides how much flows in; the burst is then an upper bound. */
  readonly refill: Range;
  readonly inSeconds: boolean;
}

/** A token bucket whose burst is not its refill; GCRA, and a leaky bucket used as a meter, are the same. */
export const burstBucket: Explain = (timeline) => {
  const bucket = findBucket(timeline, () => false);
  if (bucket === null) return null;
  return { id: 'burst-bucket', name: nameOf(bucket, timeline), like: productsOf(bucket, timeline) };
};

/** A bucket in front of the documented log: the bucket need not explain what the log would have refused. */
export const bucketBeforeLog: Explain = (timeline) => {
  const { decisions, window } = timeline;
  const log = boundsFor(documentedLog, decisions, window);
  if (log.least > window.limit) return null;
  const rules = { windowMs: window.windowMs, countsRefused: false };
  const bucket = findBucket(timeline, (one, budget) => standingBefore(one, budget, rules) >= window.limit);
  // A bucket that lets the whole limit through at once is not in front of anything.
  if (bucket === null || bucket.burst[1] >= window.limit) return null;
  return {
    id: 'bucket-before-log',
    name: `${nameOf(bucket, timeline)}, in front of a rolling log of ${window.limit}`,
    like: `a gateway with a limit of its own: ${productsOf(bucket, timeline)}`,
  };
};

/**
 * Tries the documented refill first, also with a clock of whole seconds, as some products have; then any other with an exact
 * clock, since both together explain too much.
 */
function findBucket(timeline: Timeline, isExcused: BucketRules['isExcused']): Bucket | null {
  const { budgets, window } = timeline;
  const regionBy = (clockMs: number) =>
    bucketRegion(budgets, { windowMs: window.windowMs, clockMs, isExcused });
  const exact = regionBy(0);
  if (burstsAt(exact, window.limit) !== null || isBlurred(timeline)) return bucketIn(exact, window.limit);
  const burst = burstsAt(regionBy(secondMs), window.limit);
  if (burst === null) return bucketIn(exact, window.limit);
  return pinned({ burst, refill: [window.limit, window.limit], inSeconds: true });
}

const secondMs = 1000;

/** If answers take longer than a second, the clock's resolution cannot be seen. */
function isBlurred({ decisions }: Timeline): boolean {
  return decisions.some(({ sent, received, ruling }) => ruling !== 'unknown' && received - sent > secondMs);
}

/** A refill counts as known if the greatest possible one is at most this many times the least. */
const near = 2;

function bucketIn(region: BucketRegion, limit: number): Bucket | null {
  const fitting = refillsAround(limit).filter((refill) => burstsAt(region, refill) !== null);
  const [least, most] = [fitting[0], fitting.at(-1)];
  if (least === undefined || most === undefined) return null;
  const burst = burstsAt(region, limit) ?? burstOver(region, [least, Math.min(most, near * least)]);
  if (most > near * least)
    return pinned({ burst, refill: [least, Number.POSITIVE_INFINITY], inSeconds: false });
  const refill: Range = burstsAt(region, limit) === null ? [least, most] : [limit, limit];
  return pinned({ burst, refill, inSeconds: false });
}

/** Bursts that fit any of the refills. */
function burstOver(region: BucketRegion, [least, most]: Range): Range {
  const bursts = [least, (least + most) / 2, most].flatMap((refill) => burstsAt(region, refill) ?? []);
  return [Math.min(...bursts), Math.max(...bursts)];
}

/** Whole bursts that explain everything with a refill; null if there are none. */
function burstsAt({ leastBurst, burstBelow }: BucketRegion, refill: number): Range | null {
  const from = Math.max(1, Math.ceil(leastBurst(refill) - 1e-6));
  const to = Math.ceil(burstBelow(refill) - 1e-6) - 1;
  return from <= to && to < Number.POSITIVE_INFINITY ? [from, to] : null;
}

/** Refills up to eight times the documented number, in steps of a sixtieth of it. */
function refillsAround(limit: number): readonly number[] {
  return Array.from({ length: 480 }, (_, index) => ((index + 1) * limit) / 60);
}

/** Null if the burst could be nearly anything: such a bucket would explain nearly anything. */
function pinned(bucket: Bucket): Bucket | null {
  const [from, to] = bucket.burst;
  return to - from <= Math.max(2, 0.2 * from) ? bucket : null;
}

function nameOf({ burst, refill, inSeconds }: Bucket, { window }: Timeline): string {
  const [least, most] = [Math.round(refill[0]), Math.round(refill[1])];
  const isOpen = most === Number.POSITIVE_INFINITY;
  const sizes = isOpen
    ? `up to ${burst[1]} that refills ${least} or more`
    : `${rangeText(...burst)} that refills ${rangeText(least, most)}`;
  const size = `token bucket of ${sizes} ${perWindow(window.windowMs)}`;
  return inSeconds ? `${size}, counted in whole seconds` : size;
}

/** Settings with which well-known products behave like this. */
function productsOf({ burst, refill }: Bucket, { window }: Timeline): string {
  const [most] = burst;
  const rate = Math.round(refill[1] === Number.POSITIVE_INFINITY ? window.limit : refill[0]);
  const seconds = window.windowMs / 1000;
  return [
    `nginx (limit_req with burst=${most - 1} nodelay)`,
    `redis-cell (CL.THROTTLE key ${most - 1} ${rate} ${seconds})`,
    `Envoy (max_tokens ${most})`,
    `AWS API Gateway (burst ${most})`,
  ].join(', ');
}

/**
 * A token bucket has a burst (how much it holds) and a refill (how much flows in during a window). For each refill, a
 * timeline bounds the burst: from below by what was admitted, from above by what was refused.
 */
interface BucketRegion {
  /** Least burst with which everything that was admitted fits. */
  readonly leastBurst: (refill: number) => number;
  /** With this burst or more, something that was refused would have passed. */
  readonly burstBelow: (refill: number) => number;
}

/** Number of tokens that were taken, or for a refusal may have been taken, within a share of the window. */
interface Line {
  readonly taken: number;
  readonly share: number;
}

interface BucketRules {
  readonly windowMs: number;
  /** Resolution of the bucket's clock: 0, or a second. */
  readonly clockMs: number;
  /** Refusals that the bucket does not have to explain. */
  readonly isExcused: (one: Decision, budget: readonly Decision[]) => boolean;
}

/** The buckets that explain all budgets, each with a bucket of its own. */
function bucketRegion(budgets: readonly (readonly Decision[])[], rules: BucketRules): BucketRegion {
  const admitted = budgets.flatMap((budget) => admittedLines(budget, rules));
  const refused = budgets.flatMap((budget) => refusedLines(budget, rules));
  return {
    leastBurst: (refill) => greatest(admitted, ({ taken, share }) => taken - refill * share),
    burstBelow: (refill) =>
      refused.reduce(
        (below, lines) =>
          Math.min(
            below,
            greatest(lines, ({ taken, share }) => 1 + taken - refill * share),
          ),
        Number.POSITIVE_INFINITY,
      ),
  };
}

/** For each number of requests, the shortest time in which that many were admitted: least flowed in during it. */
function admittedLines(budget: readonly Decision[], { windowMs, clockMs }: BucketRules): readonly Line[] {
  const admitted = budget.filter(({ ruling }) => ruling === 'admitted');
  const byAnswer = [...admitted].sort((a, b) => a.received - b.received);
  const spans: number[] = [];
  for (const { sent } of admitted) {
    let taken = 0;
    for (const one of byAnswer) {
      if (one.sent < sent) continue;
      const span = one.received - sent;
      if (span < (spans[taken] ?? Number.POSITIVE_INFINITY)) spans[taken] = span;
      taken += 1;
    }
  }
  return spans.map((span, index) => ({ taken: index + 1, share: (span + clockMs) / windowMs }));
}

/**
 * A request is refused while there is less than one token: since some earlier time at which the bucket was full, as many tokens
 * were taken as were in it and flowed in since, less one. Considers all possible such times for each refusal.
 */
function refusedLines(
  budget: readonly Decision[],
  { windowMs, clockMs, isExcused }: BucketRules,
): readonly (readonly Line[])[] {
  const takers = budget.filter(({ ruling }) => ruling !== 'refused');
  return budget
    .filter((one) => one.ruling === 'refused' && !isExcused(one, budget))
    .map((one) => {
      const before = takers.filter(({ sent }) => sent < one.received);
      const answers = before.map(({ received }) => received).sort((a, b) => a - b);
      return before.map(({ sent, received }) => ({
        taken: answers.length - countBelow(answers, sent),
        share: Math.max(0, one.sent - received - clockMs) / windowMs,
      }));
    });
}

function greatest(lines: readonly Line[], of: (line: Line) => number): number {
  let most = 0;
  for (const line of lines) most = Math.max(most, of(line));
  return most;
}
