import type { Accuracy } from '../summary/summarySchema.ts';

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

export type OverAdmission = Accuracy['overAdmitted'][number];
export type UnderAdmission = Accuracy['underAdmitted'][number];
