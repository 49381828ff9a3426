import type { DeliveryLine, EventLine, ExchangeLine } from '../../send/journalLine.ts';

/** A state that the deployment was put into. */
export interface StateLine extends EventLine {
  readonly data: { readonly state: string; readonly params: string; readonly error: string | null };
}

export type EvidenceLine = ExchangeLine | DeliveryLine;

/** One exchange or delivery as a row of the full list; short, since there may be a hundred thousand. */
export type IndexRow = readonly [
  id: string,
  /** Milliseconds since the first. */
  atMs: number,
  method: string,
  target: string,
  /** HTTP status, the sink's answer, or why no answer came. */
  answer: string,
  durationMs: number,
  /** Index in `checks`; -1 for a delivery. */
  check: number,
  /** Ids of requirements that it was seen to break. */
  violated: string,
];

/** The most similar request of the run that was answered correctly, next to the one that was not. */
export interface Contrast {
  readonly id: string;
  readonly check: string;
  readonly answer: string;
  /** The most informative first. */
  readonly differences: readonly {
    readonly member: string;
    /** The value in the request of the finding; null if it has no such member. */
    readonly here: string | null;
    readonly there: string | null;
  }[];
  /** Number of further differences. */
  readonly more: number;
}

/** Answers of one kind, and how many of them a passive oracle found to break a requirement. */
export interface Spread {
  readonly operation: string;
  readonly status: string;
  readonly broken: number;
  readonly total: number;
}

/** The evidence in the page: some of it complete, for the rest its position. */
export interface PageEvidence {
  /** By id: evidence that findings and undecided rows refer to. */
  readonly lines: Readonly<Record<string, EvidenceLine>>;
  readonly states: readonly StateLine[];
  readonly checks: readonly string[];
  readonly index: readonly IndexRow[];
  /** Number of exchanges and deliveries; may be larger than the index. */
  readonly total: number;
  /** Number of exchanges per page of the folder next to the report; 0 if there is none. */
  readonly perPage: number;
  /** By fingerprint of the finding. */
  readonly contrasts?: Readonly<Record<string, Contrast>>;
  /** By requirement that a passive oracle saw broken: the answers that break it and those that do not. */
  readonly spreads?: Readonly<Record<string, readonly Spread[]>>;
}

/** The evidence for findings. */
export type ShownEvidence = Pick<PageEvidence, 'lines' | 'states' | 'contrasts' | 'spreads'>;

export const noEvidence: PageEvidence = {
  lines: {},
  states: [],
  checks: [],
  index: [],
  total: 0,
  perPage: 0,
};

/** The file next to the report with the exchange of this position, and its anchor. */
export function evidenceAddress(place: number, id: string, perPage: number): string {
  return `evidence/${String(Math.floor(place / perPage) + 1).padStart(4, '0')}.html#${id}`;
}
