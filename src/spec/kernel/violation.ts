import type { Delivery, Exchange } from '../../core/evidence.ts';
import type { Evidence, Step } from '../../trace/evidence.ts';
import { valueOf, type Given, type Value } from './value.ts';

/** What is wrong, as data: sentences are made of it in `spec/wording` alone. */
export interface Wrong {
  readonly code: string;
  /** The place that shows it: `data[3].missing_info`, `header Retry-After`; `answer` for an answer as a whole, `callback` for a callback. */
  readonly at: string;
  readonly want: Value;
  readonly got: Value;
  /** What made the expectation true, in order; the answer that breaks it comes last. Left out: all that was judged. */
  readonly because?: readonly Reason[];
}

/** A piece of evidence, or the id of one that is not kept. */
export type Reason = Exchange | Delivery | Step | { readonly id: string };

/** Something else came at a place than was wanted there. */
export function wrong(code: string, at: string, want: Given, got: Given): Wrong {
  return { code, at, want: valueOf(want), got: valueOf(got) };
}

/** What a sentence says of something that it applies to: what is wrong with it, or null where it is kept. */
export type Said = readonly [rule: string, wrong: Wrong | null];

/** A sentence of the documents that an answer breaks. */
export interface Violation extends Omit<Wrong, 'because' | 'want' | 'got'> {
  readonly rule: string;
  /** A text is how the value is spelled in a body. */
  readonly want: Value | string;
  readonly got: Value | string;
  readonly because: readonly Evidence[];
  /** Nothing that anybody else may have sent in between explains it: what was made so, no request changes. */
  readonly isSettled?: true;
}
