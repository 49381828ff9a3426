import { allows, combined, unbounded, type Bounds } from '../bounds.ts';
import type { Decision } from '../decision.ts';
import { rollingLog } from '../models/rollingLog.ts';
import type { Explain, Timeline } from './wider.ts';

/** The instant of forgetting is not determined more finely than this. */
const gridMs = 10;
const dayMs = 86_400_000;

/** The documented log that once forgot what it had counted, for all keys at the same instant. */
export const forgetfulLog: Explain = (timeline) => {
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
