import type { WindowLimit } from '../../../core/windowLimit.ts';
import type { Judgement, Violated } from '../../kernel/judgement.ts';
import { attribute, hourRows, minuteRows } from '../attribute.ts';
import type { Decision } from '../decision.ts';
import { identify } from '../identify.ts';
import { ofTheHour } from '../ofTheHour.ts';
import { refusedWith } from '../refusedOtherwise.ts';
import { certainWindow } from '../tolerance.ts';
import type { Timed } from './keyTimes.ts';
import { sparedRow } from './spared.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;

/**
 * How many requests of a key, the last of which was answered last, were certainly admitted within one window; 0 where that is
 * not more than the limit. `admitted` are in the order of their answers.
 */
export function excessOf(admitted: readonly Decision[], { limit, windowMs }: WindowLimit): number {
  const last = admitted.at(-1);
  const first = admitted.at(-1 - limit);
  if (!last || !first) return 0;
  const from = last.received - certainWindow(windowMs);
  if (first.received <= from) return 0;
  let count = 0;
  for (let index = admitted.length - 1; index >= 0; index -= 1) {
    const one = admitted[index];
    if (!one || one.received <= from) break;
    if (one.sent > from) count += 1;
  }
  return count > limit ? count : 0;
}

/** Whether a key that is answered now has certainly used up its limit. */
export function isFull(
  admitted: readonly Decision[],
  at: Decision,
  { limit, windowMs }: WindowLimit,
): boolean {
  const first = admitted.at(-limit);
  return first !== undefined && first.sent > at.received - certainWindow(windowMs);
}

/** A failure now and then is no refusal. */
const fewestRefused = 3;

/** The fault of a limiter of the minute that refuses with another status than 429; null if it does not. */
export function otherStatus(timeline: readonly Timed[], window: WindowLimit): Violated | null {
  const decisions = timeline.map(({ decision }) => decision);
  if (decisions.filter(({ ruling }) => ruling === 'unknown').length < fewestRefused) return null;
  return refusedWith(
    decisions,
    new Map(timeline.map(({ decision, status }) => [decision.id, status])),
    window,
  );
}

/**
 * The row that too many admitted requests of some keys break: that of the limiter that explains them, else that of the number.
 * All keys have the same limiter, so that what other keys show helps.
 */
export function excessRow(budgets: readonly (readonly Timed[])[], window: WindowLimit): string {
  const isHour = window.windowMs === hourMs;
  const rows = isHour ? hourRows : minuteRows;
  const spared = sparedRow(budgets, window);
  if (spared !== null) return isHour ? rows.notMore : spared;
  const all = budgets.map((budget) => budget.map(({ decision }) => decision));
  const decisions = isHour ? all.flatMap(ofTheHour) : all.flat();
  const identification = identify(decisions, window);
  return brokenIn(attribute({ decisions, identification, window }, rows)) ?? rows.notMore;
}

/** The row that was found broken; null if none was. */
export function brokenIn(said: Readonly<Record<string, Judgement>>): string | null {
  return Object.entries(said).find(([, { status }]) => status === 'violated')?.[0] ?? null;
}
