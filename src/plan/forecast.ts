import type { Settings } from '../core/settings.ts';
import { ownershipOf } from './budgets.ts';

/** Milliseconds that a request takes where nothing waits, before anything is measured. */
const usualMs = { embedded: 2, disposable: 4, foreign: 40 };

/** So many requests are as good a guess as the usual time. */
const guessWeight = 100;

/** How much slower than its plan a run may prove to be for what is left of it. */
const mostSlowdown = 3;

/** What a run is going to do, as far as its time depends on it. */
export interface Outlook {
  readonly plannedRequests: number;
  /** Shortest time that the rate limits allow for them; 0 where nothing waits for a limit. */
  readonly expectedMs: number;
  /** What one request is expected to take where nothing waits. */
  readonly requestMs: number;
}

/** What was measured of it. */
interface Pace {
  readonly sent: number;
  readonly elapsedMs: number;
  /** What the requests took that were sent, added up. */
  readonly requestsMs: number;
}

const atStart: Pace = { sent: 0, elapsedMs: 0, requestsMs: 0 };

/** What a request to the target of a run is expected to take. */
export function requestMsOf(settings: Settings): number {
  return usualMs[ownershipOf(settings)];
}

/** Milliseconds that are left of a run: the one estimate, for its header, its live line and what is said of its end. */
export function timeLeft({ plannedRequests, expectedMs, requestMs }: Outlook, pace: Pace = atStart): number {
  const { sent, elapsedMs, requestsMs } = pace;
  const left = Math.max(0, plannedRequests - sent);
  const share = plannedRequests === 0 ? 0 : left / plannedRequests;
  // Where requests wait for limits, only what they take themselves is a measure; else all that the run takes is.
  const worked = expectedMs > 0 ? Math.min(elapsedMs, requestsMs) : elapsedMs;
  const each = (guessWeight * requestMs + worked) / (guessWeight + sent);
  return (
    (expectedMs * share + each * left) * slowdown({ plannedRequests, expectedMs, requestMs: each }, pace)
  );
}

/** How much longer the part of the plan took that is done than the limits and the requests of it explain. */
function slowdown({ plannedRequests, expectedMs, requestMs }: Outlook, { sent, elapsedMs }: Pace): number {
  const share = plannedRequests === 0 ? 0 : Math.min(1, sent / plannedRequests);
  if (expectedMs === 0 || share < 0.25) return 1;
  return Math.min(mostSlowdown, Math.max(1, elapsedMs / (expectedMs * share + requestMs * sent)));
}
