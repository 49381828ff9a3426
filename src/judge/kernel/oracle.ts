import { isDelivery, type Delivery, type Evidence, type Exchange } from '../../core/evidence.ts';
import type { OperationId } from '../../core/operations.ts';
import type { Note } from '../../trace/evidence.ts';
import { noSamples, type Sample } from './sample.ts';

/** A passive oracle: judges all traffic of a run, whoever caused it, or recorded traffic. */
export interface Oracle {
  /** Stable, such as `accepted-before`. */
  readonly id: string;
  /** What it requires of the traffic. */
  readonly title: string;
  readonly verifies: readonly string[];
  /** Ids of oracles that it took over: whoever asks for their checks gets this one. */
  readonly replaces?: readonly string[];
  /** It only needs the exchanges of these operations; of all if left out. */
  readonly operations?: readonly OperationId[];
  /** And only those with such an answer: 200, or 400 and above. */
  readonly answers?: AnswerKind;
  /**
   * It goes by the operation and the answer alone, of its header fields by `answerFields`, and what holds of an answer holds of an equal
   * one; what it says with evidence of its own is about that exchange.
   */
  readonly judges?: 'answers';
  /**
   * What it has to see to be right: all writes to a record, which one process of a load sees where it sends them all; or all that a key
   * sends, which a load, that judges a share of its reads, does not show.
   */
  readonly needs?: 'writes' | 'everything';
  /** A fresh watch for a run. */
  readonly createWatch: (known?: Known) => Watch;
}

/** What is known of a deployment besides its traffic. */
export interface Known {
  /** By how many milliseconds its state handler has moved its clock so far, which its `Date` header need not show. */
  readonly movedMs: number;
  /** By how many milliseconds its clock is ahead of ours, as its own state handler tells; null where none does. */
  readonly toldMs?: number | null;
  /** Whether its rate limits follow that clock; not known by default. */
  readonly movesLimits?: boolean;
  /** The rate limits of the environment, where they are not those of the documents. */
  readonly limits?: KeyLimits;
  /** Whether keys that were made for the run are used by nobody else, and all that they send is seen. */
  readonly isOnlyUser?: boolean;
  /** Whether nobody else uses any of the keys at the same time; by default somebody may. */
  readonly isAlone?: boolean;
}

/** How many requests a key may make. */
export interface KeyLimits {
  readonly perMinute: number;
  readonly perHour: number;
}

export const nothingKnown: Known = { movedMs: 0 };

/**
 * What an oracle says about each exchange and each delivery to the callback sink, in the order in which they are seen.
 * Pure but for its own memory, which grows with the records met and never with the traffic.
 */
export interface Watch {
  readonly exchange?: (exchange: Exchange) => readonly Sample[];
  readonly delivery?: (delivery: Delivery) => readonly Sample[];
  /** What an answer may show by accident: only whoever can bring it about again is told. */
  readonly suspicion?: (exchange: Exchange) => readonly Sample[];
  /** What the state handler did, and what only the sender knows. */
  readonly note?: (note: Note) => void;
  /** Nothing more comes: what was still waiting is judged by what is known. */
  readonly end?: () => readonly Sample[];
  /** How much it had to forget, since its memory is bounded: it no longer judges that. */
  readonly forgotten?: () => number;
}

export type AnswerKind = 'accepted' | 'refused';

/** What a watch says about one piece of evidence. */
export function samplesOf(watch: Watch, evidence: Evidence): readonly Sample[] {
  return (isDelivery(evidence) ? watch.delivery?.(evidence) : watch.exchange?.(evidence)) ?? noSamples;
}
