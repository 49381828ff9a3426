import type { Violation } from './violation.ts';

/** The sentences of which one is broken where something is not as it was made: each list has the widest first. */
export interface Suspects {
  /** About what was made so. */
  readonly rules: readonly string[];
  /** About the write that made it so. */
  readonly write: readonly string[];
  /** About the way in which that was written; a word behind the sentence says for what. */
  readonly how: readonly string[];
  /** False where only `rules` can be broken: a must is not broken by what only should be so. */
  readonly isCertain: boolean;
}

interface Suspicion {
  suspects: Suspects;
  /** The kind of answer that showed it. */
  readonly kind: string;
  readonly violation: Violation;
}

/** A violation whose sentence may still change. */
export type Accusation = Pick<Suspicion, 'suspects'>;

const mostWaiting = 500;

/**
 * Which of several sentences is broken: the one that was never seen to be kept, and of several the one that explains most. Where each was
 * kept in other company, the sentence about the write is the one that was kept in just this company.
 */
export class Blame {
  readonly #kept = new Set<string>();
  readonly #counts = new Map<string, number>();
  /** The sentences with which each was accused. */
  readonly #company = new Map<string, Set<string>>();
  #waiting: readonly Suspicion[] = [];
  /** Kinds of answers that disagree with others, with the sentence about it. */
  readonly #disagreeing = new Map<string, string>();

  /** An answer keeps what these sentences ask for. */
  keep({ rules, write, how }: Suspects): void {
    for (const rule of write) for (const other of rules) this.#kept.add(`${rule} ${other}`);
    for (const rule of [...rules, ...write, ...how]) this.#kept.add(rule);
  }

  hasKept(rule: string): boolean {
    return this.#kept.has(rule);
  }

  accuse(suspects: Suspects, kind: string, violation: Violation): Accusation {
    const suspicion = { suspects, kind, violation };
    if (this.#waiting.length >= mostWaiting) return suspicion;
    this.#waiting = [...this.#waiting, suspicion];
    const { rules, write, how } = suspects;
    for (const rule of [...rules, ...write]) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
    for (const rule of how) this.#note(rule, write[0] ?? '');
    for (const rule of write) this.#note(rule, rules.at(-1) ?? '');
    return suspicion;
  }

  /** Another kind of answer agrees with what was expected: the two kinds disagree. */
  withdraw(accusation: Accusation, kind: string, rule: string): void {
    accusation.suspects = only(rule);
    this.#disagreeing.set(kind, rule);
  }

  /** Nothing more comes: what was kept is known. */
  end(): readonly Violation[] {
    const told = this.#waiting.flatMap(({ suspects, kind, violation }) => {
      const [rule = ''] = this.#broken(suspects, kind).split(' ');
      return suspects.isCertain || suspects.rules.includes(rule) ? [{ ...violation, rule }] : [];
    });
    this.#waiting = [];
    return told;
  }

  #note(rule: string, other: string): void {
    this.#company.set(rule, (this.#company.get(rule) ?? new Set()).add(other));
  }

  #isInMuchCompany(rule: string): boolean {
    return (this.#company.get(rule)?.size ?? 0) > 1;
  }

  #broken(suspects: Suspects, kind: string): string {
    const { rules, write, how } = suspects;
    const disagrees = this.#disagreeing.get(kind);
    if (disagrees !== undefined && write.length + rules.length > 1) return disagrees;
    const isKept = write.length === 0 || write.some((rule) => this.#kept.has(rule));
    const way = isKept && how.find((rule) => !this.#kept.has(rule) && this.#isInMuchCompany(rule));
    if (typeof way === 'string') return way;
    const never = [...write, ...rules.toReversed()].filter((rule) => !this.#kept.has(rule));
    const count = (rule: string) => this.#counts.get(rule) ?? 0;
    const [most] = never.toSorted((one, other) => count(other) - count(one));
    if (most !== undefined) return most;
    const narrowest = rules.at(-1) ?? '';
    const isOfWrite = (rule: string) => this.#kept.has(`${rule} ${narrowest}`) || this.#isInMuchCompany(rule);
    return write.find(isOfWrite) ?? narrowest;
  }
}

export function only(rule: string): Suspects {
  return { rules: [rule], write: [], how: [], isCertain: true };
}
