import type { Bounds } from '../bounds.ts';
import { bySending, type Decision } from '../decision.ts';
import { countedByWindow, type Placed } from './windowCounts.ts';

/** When a window opened: some time between the two. */
interface Opening {
  readonly from: number;
  readonly to: number;
}

/** Counts in windows, each of which opens with the first request after the previous one closed. */
export function firstRequestWindow(decisions: readonly Decision[], windowMs: number): Bounds {
  const ordered = bySending(decisions);
  const openings = openingsOf(ordered, windowMs);
  return countedByWindow(ordered.map((decision) => place(decision, openings, windowMs)));
}

function openingsOf(ordered: readonly Decision[], windowMs: number): readonly Opening[] {
  const openings: Opening[] = [];
  let closed: Opening = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  for (;;) {
    const opening = nextOpening(ordered, closed);
    if (!opening) return openings;
    openings.push(opening);
    closed = { from: opening.from + windowMs, to: opening.to + windowMs };
  }
}

/** A refused request opens nothing; one that was certainly sent after the window closed opens the next window at the latest. */
function nextOpening(ordered: readonly Decision[], closed: Opening): Opening | null {
  const able = ordered.filter(({ ruling, received }) => ruling !== 'refused' && received >= closed.from);
  const [earliest] = able;
  if (!earliest) return null;
  const certain = able.filter(({ ruling, sent }) => ruling === 'admitted' && sent >= closed.to);
  const answers = (certain.length > 0 ? certain : able).map(({ received }) => received);
  const to = certain.length > 0 ? Math.min(...answers) : Math.max(...answers);
  return { from: Math.max(closed.from, earliest.sent), to: Math.max(closed.from, to) };
}

/** The numbers of the windows that a request may belong to. */
function place(decision: Decision, openings: readonly Opening[], windowMs: number): Placed {
  const possible = openings.flatMap((opening, index) => {
    const before = openings[index - 1];
    const earliest = before === undefined ? Number.NEGATIVE_INFINITY : before.from + windowMs;
    const isPossible = decision.received >= earliest && decision.sent < opening.to + windowMs;
    return isPossible ? [index] : [];
  });
  return { decision, first: possible[0] ?? -1, last: possible.at(-1) ?? -1 };
}
