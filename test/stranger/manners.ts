/** How this server answers where the documents are open, beside what it does in all its forms. */
export interface Manners {
  /** Which subscribe answers show the quota. */
  readonly quota: 'always' | 'new' | 'never';
  /** An invalid page, limit or filter of the list. */
  readonly badQuery: 'falls-back' | 'refused';
  /** How long a callback lies in the queue. */
  readonly queueMs: number;
  /** Sends every flight notification twice. */
  readonly duplicates: boolean;
  /** What a callback of web check-in tells: all five fields or the changed ones. */
  readonly tells: 'all' | 'changed';
  /** States of the state handler that it does not offer. */
  readonly withheld: readonly string[];
}
