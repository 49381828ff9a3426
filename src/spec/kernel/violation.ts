import type { Evidence } from '../../trace/evidence.ts';

/** A sentence of the documents that an answer breaks, as data. */
export interface Violation {
  readonly rule: string;
  readonly code: string;
  /** The member that shows it, such as `data[3].missing_info`. */
  readonly at: string;
  readonly want: string;
  readonly got: string;
  /** What made the expectation true, in order; the answer that breaks it comes last. */
  readonly because: readonly Evidence[];
}
