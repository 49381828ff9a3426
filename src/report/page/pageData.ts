import type { DeliveryLine, EventLine, ExchangeLine } from '../../send/journalLine.ts';

/** A state that the deployment was brought into. */
export interface StateLine extends EventLine {
  readonly data: { readonly state: string; readonly params: string; readonly error: string | null };
}

export type EvidenceLine = ExchangeLine | DeliveryLine;

/** One exchange or delivery as the list of all shows it; short, since there may be a hundred thousand. */
export type IndexRow = readonly [
  id: string,
  /** Milliseconds since the first. */
  atMs: number,
  method: string,
  target: string,
  /** HTTP status, what the sink answered, or why no answer came. */
  answer: string,
  durationMs: number,
  /** Place in `checks`; -1 of a delivery. */
  check: number,
  /** Ids of requirements that it was seen to break. */
  violated: string,
];

/** What the page has of the evidence: some of it whole, of the rest where it stands. */
export interface PageEvidence {
  /** By id: what findings and undecided rows refer to. */
  readonly lines: Readonly<Record<string, EvidenceLine>>;
  readonly states: readonly StateLine[];
  readonly checks: readonly string[];
  readonly index: readonly IndexRow[];
  /** How many exchanges and deliveries there are; more than the index where it has an end. */
  readonly total: number;
  /** Number of exchanges on a page of the folder beside the report; 0 where there is none. */
  readonly perPage: number;
}

export const noEvidence: PageEvidence = {
  lines: {},
  states: [],
  checks: [],
  index: [],
  total: 0,
  perPage: 0,
};

/** The file beside the report on which the exchange of this place stands, with its anchor. */
export function evidenceAddress(place: number, id: string, perPage: number): string {
  return `evidence/${String(Math.floor(place / perPage) + 1).padStart(4, '0')}.html#${id}`;
}
