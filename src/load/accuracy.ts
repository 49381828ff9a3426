import type { WindowLimit } from '../core/windowLimit.ts';

/** The limiter's decision about one request of a key; compact, since a load has many. */
export type KeyDecision = readonly [
  /** Label of the key. */
  key: string,
  /** When it was sent, milliseconds on a clock that all decisions share. */
  sent: number,
  /** When its answer was complete, or it was given up. */
  received: number,
  decision: LimiterRuling,
];

/**
 * `admitted`: answered 2xx, so it certainly counts; `refused`: 429; `unknown`: answered otherwise, or not at all although it may
 * have arrived.
 */
export type LimiterRuling = 'admitted' | 'refused' | 'unknown';

/** The result of one request of a key. */
export interface KeyEvent {
  readonly sent: number;
  readonly received: number;
  readonly decision: LimiterRuling;
}

/** How exact the limiter was under load, as far as it is certain whatever the network did. */
export interface Accuracy {
  readonly admitted: number;
  readonly refused: number;
  /** How many of the same requests a rolling log would have refused: least and most, by what the documents leave open. */
  readonly expectedRefused: readonly [low: number, high: number];
  /** Certainly admitted beyond a limit: a violation, whatever the limiter is. */
  readonly overAdmitted: readonly OverAdmission[];
  /** Refused although certainly below every limit, unless another client uses the key. */
  readonly underAdmitted: readonly UnderAdmission[];
}

export interface OverAdmission extends WindowLimit {
  readonly key: string;
  /** Most requests that were certainly admitted within one window; a lower bound from 10,000 beyond the limit on. */
  readonly admitted: number;
  /** When that window began, on the clock of the decisions. */
  readonly from: number;
}

export interface UnderAdmission {
  readonly key: string;
  readonly count: number;
  /** When the first of them was sent. */
  readonly first: number;
  /** Most requests that can have counted in the minute before it. */
  readonly atMost: number;
  readonly limit: number;
}
