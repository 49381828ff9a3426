import type { WindowLimit } from '../core/windowLimit.ts';

/** What the limiter decided about one request of a key; compact, since a load has many. */
export type KeyDecision = readonly [
  /** Label of the key. */
  key: string,
  /** When it was sent, milliseconds on a clock that all decisions share. */
  sent: number,
  /** When its answer was complete, or given up. */
  received: number,
  decision: LimiterRuling,
];

/**
 * `admitted`: answered 2xx, so that it counts for certain; `refused`: 429; `unknown`: answered otherwise, or not at all
 * though it may have arrived.
 */
export type LimiterRuling = 'admitted' | 'refused' | 'unknown';

/** What one request of a key came to. */
export interface KeyEvent {
  readonly sent: number;
  readonly received: number;
  readonly decision: LimiterRuling;
}

/** How exact the limiter was under load, as far as it is certain whatever the network did. */
export interface Accuracy {
  readonly admitted: number;
  readonly refused: number;
  /** What a rolling log would have refused of the same requests: least and most, by what the documents leave open. */
  readonly expectedRefused: readonly [low: number, high: number];
  /** Certainly admitted beyond a limit: a violation, whatever the limiter is. */
  readonly overAdmitted: readonly OverAdmission[];
  /** Refused though certainly below every limit, unless another client uses the key. */
  readonly underAdmitted: readonly UnderAdmission[];
}

export interface OverAdmission extends WindowLimit {
  readonly key: string;
  /** The most that were certainly admitted within one window; at least so many from 10,000 beyond the limit on. */
  readonly admitted: number;
  /** When that window began, on the clock of the decisions. */
  readonly from: number;
}

export interface UnderAdmission {
  readonly key: string;
  readonly count: number;
  /** When the first of them was sent. */
  readonly first: number;
  /** The most requests that can have counted in the minute before it. */
  readonly atMost: number;
  readonly limit: number;
}
