import type { Decision } from '../decision.ts';
import { budgetsByScope } from '../scope.ts';
import type { WindowLimit } from '../../../core/windowLimit.ts';
import { bucketBeforeLog, burstBucket } from './burstBucket.ts';
import { type Explain, type Explanation, perWindow, type Timeline } from './wider.ts';
import { boundsFor, documentedLog, models } from '../models.ts';
import { areWithin } from '../tolerance.ts';
import { allows, combined, unbounded, type Bounds } from '../bounds.ts';
import { rollingLog } from '../models/rollingLog.ts';

/** The instant of forgetting is not determined more finely than this. */
const gridMs = 10;
const dayMs = 86_400_000;

/** The documented log that once forgot what it had counted, for all keys at the same instant. */
const forgetfulLog: Explain = (timeline) => {
  const { window, budgets, epochMs } = timeline;
  const fitting = instantsOf(timeline).filter((at) => {
    const bounds = budgets
      .map((budget) => boundsAround(budget, at, window.windowMs))
      .reduce(combined, unbounded);
    return allows(bounds, window.limit);
  });
  const [from, to] = [fitting[0], fitting.at(-1)];
  if (from === undefined || to === undefined) return null;
  return {
    id: 'forgetful-log',
    name: `rolling log of ${window.limit} that forgot once what it had counted`,
    like: whenText(from, to, epochMs),
  };
};

/** Instants at which anything can change, within the period in which too much was admitted. */
function instantsOf({ budgets, window }: Timeline): readonly number[] {
  const spans = budgets.flatMap((budget) => {
    const { least, leastBy } = rollingLog(budget, window.windowMs, { countsRefused: false, racy: false });
    if (least <= window.limit) return [];
    const ids = new Set(leastBy());
    return [budget.filter(({ id }) => ids.has(id))];
  });
  if (spans.length === 0) return [];
  const from = Math.max(...spans.map((span) => Math.min(...span.map(({ sent }) => sent))));
  const to = Math.min(...spans.map((span) => Math.max(...span.map(({ received }) => received))));
  const edges = budgets.flat().flatMap(({ sent, received }) => [sent, received]);
  const grid = edges.filter((at) => at >= from && at <= to).map((at) => Math.round(at / gridMs) * gridMs);
  return [...new Set(grid)].sort((a, b) => a - b);
}

/** Decisions before and after an instant know nothing of each other. */
function boundsAround(budget: readonly Decision[], at: number, windowMs: number): Bounds {
  const sides = [
    budget.filter(({ sent }) => sent < at).map((one) => (one.received < at ? one : unsure(one))),
    budget.filter(({ received }) => received > at).map((one) => (one.sent > at ? one : unsure(one))),
  ];
  return sides
    .map((side) => rollingLog(side, windowMs, { countsRefused: false, racy: false }))
    .reduce(combined, unbounded);
}

/** It may belong to the other side, so nothing about it is certain here. */
function unsure(decision: Decision): Decision {
  return { ...decision, ruling: 'unknown' };
}

function whenText(from: number, to: number, epochMs: number | null): string {
  if (epochMs === null)
    return 'a restart of a limiter that counts in memory, or a count that starts anew at some time of day';
  const [first, last] = [from + epochMs, to + epochMs];
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 19);
  const isMidnight = Math.floor(first / dayMs) !== Math.floor((last + gridMs) / dayMs);
  const cause = isMidnight
    ? 'a count that starts anew at midnight UTC, or a restart'
    : 'a restart of a limiter that counts in memory, or a count that starts anew at some time of day';
  return `${cause}, between ${clock(first)} and ${clock(last)} UTC`;
}

/**
 * A log fits with any length between two requests of the schedule: if it fits with only a few lengths, it does so by luck, unless
 * it is hardly shorter than the documented one.
 */
const leastShare = 3 / 60;
/** Parts of the window in which lengths are tried; near the documented one in finer ones. */
const [parts, finePart] = [60, 10];

/** The documented number in windows of another length, which is given as exactly as the timeline shows it. */
const otherLength: Explain = (timeline) => {
  const { windowMs, limit } = timeline.window;
  const fitting = lengthsOf(windowMs).filter((lengthMs) => fits(timeline, lengthMs));
  const [from, to] = [fitting[0], fitting.at(-1)];
  if (from === undefined || to === undefined || (from < windowMs && to > windowMs)) return null;
  const isNear = to < windowMs && windowMs - to <= (2 * windowMs) / (parts * finePart);
  if (!isNear && to - from < leastShare * windowMs) return null;
  const named: Pick<Explanation, 'id' | 'like'> =
    to < windowMs
      ? { id: 'shorter-log', like: 'a window that was set shorter than the documented one' }
      : { id: 'longer-log', like: 'a window that was set longer than the documented one' };
  return { ...named, name: `rolling log of ${limit} in ${secondsText(from, to)}` };
};

/** Lengths in steps of a sixtieth of the documented window, from a quarter of it to twice its length; in tenths of that just below it. */
function lengthsOf(windowMs: number): readonly number[] {
  const step = windowMs / parts;
  const lengths = Array.from({ length: 106 }, (_, index) => (15 + index) * step);
  const near = Array.from({ length: finePart }, (_, index) => windowMs - (index * step) / finePart);
  return [...new Set([...lengths, ...near])].filter((ms) => ms !== windowMs).sort((a, b) => a - b);
}

function fits({ budgets, window }: Timeline, lengthMs: number): boolean {
  const rules = { countsRefused: false, racy: false };
  const bounds = budgets.map((budget) => rollingLog(budget, lengthMs, rules)).reduce(combined, unbounded);
  return allows(bounds, window.limit);
}

function secondsText(from: number, to: number): string {
  const [first, last] = [from, to].map((ms) => Math.round(ms / 100) / 10);
  return first === last ? `${first} s` : `${first} to ${last} s`;
}

/** A queue that answers the documented number of requests per window, but refuses when fewer than that are waiting. */
const burstQueue: Explain = ({ decisions, budgets, window }) => {
  const { limit, windowMs } = window;
  const queue = models.find(({ id }) => id === 'leaky-queue');
  if (!queue) return null;
  const { least } = boundsFor(queue, decisions, window);
  // Answers that happen to be late look like a fast queue: it is only a queue if it is about as slow as the limit.
  if (least < limit / 2 || least > limit * 1.1) return null;
  const waiting = Math.min(...budgets.map(waitingAtRefusals));
  if (waiting < 1 || waiting >= limit) return null;
  return {
    id: 'burst-queue',
    name: `leaky bucket as a queue of ${limit} ${perWindow(windowMs)}, in which up to ${waiting} wait`,
    like: `nginx (limit_req with burst=${waiting}, without nodelay)`,
  };
};

/** The fewest requests that can have been waiting when one was refused. */
function waitingAtRefusals(budget: readonly Decision[]): number {
  const refused = budget.filter(({ ruling }) => ruling === 'refused');
  const others = budget.filter(({ ruling }) => ruling !== 'refused');
  const waiting = refused.map(
    (one) => others.filter(({ sent, received }) => sent < one.received && received > one.sent).length,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...waiting);
}

/** A store that is later than this is named differently. */
const mostMs = 5000;
const stepMs = 100;

/** The documented log in a store where counts become visible only later, as in one that is spread over machines. */
const lateLog: Explain = ({ decisions, budgets, window }) => {
  const { most } = boundsFor(documentedLog, decisions, window);
  if (most < window.limit) return null;
  for (let lagMs = stepMs; lagMs <= mostMs; lagMs += stepMs) {
    const isExplained = budgets.every((budget) => seenBy(budget, window.windowMs, lagMs) < window.limit);
    if (!isExplained) continue;
    const name = `rolling log of ${window.limit} that counts at least ${lagMs / 1000} s late`;
    return { id: 'late-log', name, like: 'a count that several machines share and only agree on later' };
  }
  return null;
};

/** Most requests that an admitted one certainly found in its window, counting those already visible when it was sent. */
function seenBy(budget: readonly Decision[], windowMs: number, lagMs: number): number {
  const admitted = budget.filter(({ ruling }) => ruling === 'admitted');
  const seen = (one: Decision) =>
    admitted.filter((other) => other.received + lagMs < one.sent && areWithin(other, one, windowMs)).length;
  return Math.max(0, ...admitted.map(seen));
}

const fewest = 2;
const most = 8;

/**
 * The documented log, once in each of several instances behind a balancer that distributes requests at random. One instance is
 * full a little before all are, by at most a few standard deviations.
 */
const instances: Explain = ({ decisions, window }) => {
  const { limit } = window;
  const bounds = boundsFor(documentedLog, decisions, window);
  for (let count = fewest; count <= most; count += 1) {
    const all = count * limit;
    const isFilled = bounds.least > (count - 1) * limit && bounds.least <= all;
    if (!isFilled || bounds.most < all - 4 * Math.sqrt(all) || bounds.most < limit) continue;
    return {
      id: 'instances',
      name: `rolling log of ${limit} in each of ${count} instances`,
      like: 'instances behind a balancer that count for themselves',
    };
  }
  return null;
};

/** By rank: the ones with the fewest parameters come first. */
const explanations: readonly Explain[] = [
  burstQueue,
  burstBucket,
  lateLog,
  bucketBeforeLog,
  otherLength,
  instances,
  forgetfulLog,
];

/** The first limiter with more than one number that explains every decision; null if none does. */
export function explainByWider(
  decisions: readonly Decision[],
  window: WindowLimit,
  epochMs: number | null,
): Explanation | null {
  const timeline = { decisions, window, epochMs, budgets: budgetsByScope(decisions, 'key') };
  for (const one of explanations) {
    const explanation = one(timeline);
    if (explanation !== null) return explanation;
  }
  return null;
}
