import type { JournalLine } from '../../send/journalLine.ts';

/** What a file of recorded traffic holds, in the lines of a journal whatever its format was. */
export interface TrafficFile {
  readonly path: string;
  readonly lines: readonly JournalLine[];
  /** Written by a run of Gatecheck: ids, keys and deliveries are named, and secrets are labels. */
  readonly isOwn: boolean;
  /** In the form of evidence.ndjson, which says more than what was on the wire. */
  readonly isJournal: boolean;
  /** Why entries were left out, each with how many of them. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Counts what is left out of a recording, by reason. */
export class LeftOut {
  readonly counts = new Map<string, number>();

  add(reason: string): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }
}
