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

/** The most alike request of the run that was answered as it is due, beside the one that was not. */
export interface Contrast {
  readonly id: string;
  readonly check: string;
  readonly answer: string;
  /** The most telling first. */
  readonly differences: readonly {
    readonly member: string;
    /** What the request of the finding has; null where it has no such member. */
    readonly here: string | null;
    readonly there: string | null;
  }[];
  /** How many more there are. */
  readonly more: number;
}

/** Answers of one kind, and how many of them a passive oracle found to break a requirement. */
export interface Spread {
  readonly operation: string;
  readonly status: string;
  readonly broken: number;
  readonly total: number;
}

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
  /** By fingerprint of the finding. */
  readonly contrasts?: Readonly<Record<string, Contrast>>;
  /** By requirement that a passive oracle found to be broken: the answers that do and those that do not. */
  readonly spreads?: Readonly<Record<string, readonly Spread[]>>;
}

/** What findings are told with. */
export type ShownEvidence = Pick<PageEvidence, 'lines' | 'states' | 'contrasts' | 'spreads'>;

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
