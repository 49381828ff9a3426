import { isDelivery, type Delivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import { noSamples, type Sample } from './sample.ts';

/** A passive oracle: judges all traffic of a run, whoever caused it, or recorded traffic. */
export interface Oracle {
  /** Stable, such as `error-envelope`. */
  readonly id: string;
  /** States what it holds the traffic to. */
  readonly title: string;
  readonly verifies: readonly string[];
  /** Of the exchanges, it need only be shown those of these operations; all of them where left out. */
  readonly operations?: readonly OperationId[];
  /** And of them only those that were answered so: by 200, or by 400 and more. */
  readonly answers?: AnswerKind;
  /** A fresh watch for a run. */
  readonly createWatch: () => Watch;
}

/**
 * What an oracle makes of each exchange and of each delivery to the callback sink, in the order in which they are seen.
 * Pure but for its own memory, which grows with the records met and never with the traffic.
 */
export interface Watch {
  readonly exchange?: (exchange: Exchange) => readonly Sample[];
  readonly delivery?: (delivery: Delivery) => readonly Sample[];
  /** Nothing more comes: what waited for something to judge it by is judged by what is known. */
  readonly end?: () => readonly Sample[];
  /** What it had in mind and had to forget, since its memory is bounded: of that it says nothing any more. */
  readonly forgotten?: () => number;
}

export type AnswerKind = 'accepted' | 'refused';

/** What a watch makes of one piece of evidence. */
export function samplesOf(watch: Watch, evidence: Evidence): readonly Sample[] {
  return (isDelivery(evidence) ? watch.delivery?.(evidence) : watch.exchange?.(evidence)) ?? noSamples;
}
