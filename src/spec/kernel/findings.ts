import type { Wrong } from './violation.ts';

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
