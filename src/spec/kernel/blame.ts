import type { Violation } from './violation.ts';

/** The sentences of which one is broken where something is not as it was made: each list has the widest first. */
export interface Suspects {
  /** About what was made so. */
  readonly rules: readonly string[];
  /** About the write that made it so. */
  readonly write: readonly string[];
  /** False where only `rules` can be broken: a must is not broken by what only should be so. */
  readonly isCertain: boolean;
}

interface Suspicion {
  suspects: Suspects;
  /** A write was under way when it was seen, so that it shows nothing. */
  isVoid: boolean;
  /** The kind of answer that showed it. */
  readonly kind: string;
  readonly violation: Violation;
}

/** A violation whose sentence may still change. */
export type Accusation = Pick<Suspicion, 'suspects' | 'isVoid'>;

const mostWaiting = 500;

/**
 * Which of several sentences is broken: the only one that was never seen to be kept. Where several were not, or all were, nobody can tell,
 * and nothing is said.
 */
export class Blame {
  readonly #kept = new Set<string>();
  #waiting: readonly Suspicion[] = [];
  /** Kinds of answers that disagree with others, with the sentence about it. */
  readonly #disagreeing = new Map<string, string>();

  /** An answer keeps what these sentences ask for. */
  keep({ rules, write }: Suspects): void {
    for (const rule of [...rules, ...write]) this.#kept.add(rule);
  }

  hasKept(rule: string): boolean {
    return this.#kept.has(rule);
  }

  accuse(suspects: Suspects, kind: string, violation: Violation): Accusation {
    const suspicion = { suspects, kind, violation, isVoid: false };
    if (this.#waiting.length < mostWaiting) this.#waiting = [...this.#waiting, suspicion];
    return suspicion;
  }

  /** Another kind of answer agrees with what was expected: the two kinds disagree. A rule of null where no sentence says that they agree. */
  withdraw(accusation: Accusation, kind: string, rule: string | null): void {
    accusation.isVoid ||= rule === null;
    if (rule === null) return;
    accusation.suspects = only(rule);
    this.#disagreeing.set(kind, rule);
  }

  /** Nothing more comes: what was kept is known. */
  end(): readonly Violation[] {
    const clear = this.#waiting.flatMap(({ suspects, kind, violation, isVoid }) => {
      const rule = isVoid ? null : this.#broken(suspects, kind);
      return rule === null ? [] : [{ ...violation, rule, suspects }];
    });
    this.#waiting = [];
    // Where several things go wrong after one kind of write, it may be the write.
    const afterWrite = (write: string) =>
      new Set(
        clear.flatMap(({ suspects, rule }) =>
          suspects.isCertain && suspects.write[0] === write ? [rule] : [],
        ),
      );
    return clear.flatMap(({ suspects: { write, rules }, ...violation }) => {
      const isOne =
        write[0] === undefined ||
        !rules.some((one) => rowOf(one) === violation.rule) ||
        afterWrite(write[0]).size < 2;
      return isOne ? [violation] : [];
    });
  }

  #broken({ rules, write, isCertain }: Suspects, kind: string): string | null {
    const all = [...new Set([...rules, ...write])];
    if (all.length > 1 && this.#disagreeing.has(kind)) return this.#disagreeing.get(kind) ?? null;
    const suspects = all.length > 1 ? all.filter((rule) => !this.#kept.has(rule)) : all;
    const [suspect, ...more] = suspects;
    if (suspect === undefined || more.some((other) => rowOf(other) !== rowOf(suspect))) return null;
    return isCertain || rules.includes(suspect) ? rowOf(suspect) : null;
  }
}

/** The sentence of a suspect, which may name more than that: what is special about where it applies. */
function rowOf(suspect: string): string {
  return suspect.split(' ', 1)[0] ?? suspect;
}

export function only(rule: string): Suspects {
  return { rules: [rule], write: [], isCertain: true };
}
