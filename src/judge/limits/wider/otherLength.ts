import { allows, combined, unbounded } from '../bounds.ts';
import { rollingLog } from '../models/rollingLog.ts';
import type { Explain, Explanation, Timeline } from './wider.ts';

/**
 * A log fits with any length between two requests of the schedule: if it fits with only a few lengths, it does so by luck, unless
 * it is hardly shorter than the documented one.
 */
const leastShare = 3 / 60;
/** Parts of the window in which lengths are tried; near the documented one in finer ones. */
const [parts, finePart] = [60, 10];

/** The documented number in windows of another length, which is given as exactly as the timeline shows it. */
export const otherLength: Explain = (timeline) => {
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
