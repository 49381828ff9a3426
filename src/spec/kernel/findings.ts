import type { Delivery, Exchange } from '../../core/evidence.ts';
import type { Evidence, Step } from '../../trace/evidence.ts';
import { valueOf, type Given, type Value } from './value.ts';

/** How a rule is broken, why that is open, null where it is kept, or `waived` where what it is about did not occur. */
export type Finding = Wrong | string | null | typeof waived;

export const waived = Symbol('waived');

/** What some evidence says of each rule that it is a sample of: the first of what weighs most. */
export class Findings {
  readonly #said = new Map<string, Finding>();

  get all(): Iterable<readonly [rule: string, said: Finding]> {
    return this.#said;
  }

  keep(rule: string): void {
    this.#say(rule, null);
  }

  waive(rule: string): void {
    this.#say(rule, waived);
  }

  doubt(rule: string, cause: string): void {
    this.#say(rule, cause);
  }

  break(rule: string, wrong: Wrong): void {
    this.#say(rule, wrong);
  }

  settle(rule: string, wrong: Wrong | null): void {
    this.#say(rule, wrong);
  }

  check(rule: string, isKept: boolean, wrong: () => Wrong): void {
    this.#say(rule, isKept ? null : wrong());
  }

  #say(rule: string, said: Finding): void {
    const known = this.#said.get(rule);
    if (known === undefined || weightOf(said) > weightOf(known)) this.#said.set(rule, said);
  }
}

function weightOf(said: Finding): number {
  if (said === null) return 1;
  return said === waived ? 0 : typeof said === 'string' ? 2 : 3;
}

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
