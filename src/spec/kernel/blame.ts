import type { Violation } from './findings.ts';

/** A sentence, and after a blank what is special about the case that it is kept or broken in, such as `WCI-CB-026 pnr`. */
export type Trait = string;

/** The sentences of which one is broken where something is not as it was made: each list has the widest first. */
export interface Suspects {
  /** About what was made so. */
  readonly rules: readonly Trait[];
  /** About the write that made it so. */
  readonly write: readonly string[];
  /** About the case that it was, the likeliest first: one of them is broken where all others were kept. */
  readonly narrow?: readonly Trait[];
  /** False where only `rules` can be broken: a must is not broken by what only should be so. */
  readonly isCertain: boolean;
  /** Owed whatever the case is like: the widest sentence is broken where it was never kept, or all were elsewhere. */
  readonly isOwed?: true;
}

interface Suspicion {
  suspects: Suspects;
  /** A write was under way when it was seen, so that it shows nothing. */
  isVoid: boolean;
  /** The kind of answer that showed it. */
  readonly kind: string;
  readonly violation: Unblamed;
  /** How many more like it were seen. */
  more: number;
}

/** Those that nobody tells apart: the latest one that was kept, with what it was suspected of. */
interface Alike {
  readonly last: Suspicion;
  readonly by: Suspects;
  readonly count: number;
}

/** What is wrong, before it is known which sentence that breaks. */
export type Unblamed = Omit<Violation, 'rule'>;

/** A violation whose sentence may still change. */
export type Accusation = Pick<Suspicion, 'suspects' | 'isVoid'>;

const mostWaiting = 5_000;
/** Of those that are alike, so many are kept: one mistake that shows in every answer does not hide another. */
const mostAlike = 100;
const mostCounted = 100_000;
const nothing: readonly never[] = [];

/**
 * Which of several sentences is broken: the only one that was never seen to be kept. Where several were not, or all were, nobody can tell,
 * and nothing is said.
 */
export class Blame {
  readonly #kept = new Set<string>();
  readonly #fresh = new Set<string>();
  readonly #waiting: Suspicion[] = [];
  /** Those that are alike, by what is suspected, the kind of answer and the member. */
  readonly #alike = new Map<string, Alike>();
  /** Kinds of answers that disagree with others, with the sentence about it. */
  readonly #disagreeing = new Map<string, string>();

  /** An answer keeps what these sentences ask for. */
  keep({ rules, write, narrow = nothing }: Suspects): void {
    for (const rule of rules) this.#keepOne(rule);
    for (const rule of write) this.#keepOne(rule);
    for (const rule of narrow) this.#keepOne(rule);
  }

  #keepOne(rule: string): void {
    this.#kept.add(rule);
    this.#fresh.add(rowOf(rule));
  }

  /** The condition of these sentences arose, and was seen to be kept, which tells nothing about whom else to blame. */
  show(...rules: readonly string[]): void {
    for (const rule of rules) this.#fresh.add(rowOf(rule));
  }

  /** The sentences that were seen to be kept since they were taken last. */
  takeKept(): readonly string[] {
    if (this.#fresh.size === 0) return nothing;
    const kept = [...this.#fresh];
    this.#fresh.clear();
    return kept;
  }

  hasKept(rule: string): boolean {
    return this.#kept.has(rule);
  }

  accuse(suspects: Suspects, kind: string, violation: Unblamed): Accusation {
    const suspicion = { suspects, kind, violation, isVoid: false, more: 0 };
    const { rules, write, narrow = nothing } = suspects;
    const place = violation.at.replace(/\d+/g, '');
    const name = [kind, violation.code, place, ...rules, '|', ...write, '|', ...narrow].join();
    const { last, by, count } = this.#alike.get(name) ?? { last: suspicion, by: suspects, count: 0 };
    // One that was withdrawn stands for no other.
    const isLikeIt = !last.isVoid && last.suspects === by;
    if (count >= mostAlike && isLikeIt) last.more = Math.min(last.more + 1, mostCounted);
    else if (this.#waiting.length < mostWaiting) {
      this.#alike.set(name, { last: suspicion, by: suspects, count: count + 1 });
      this.#waiting.push(suspicion);
    }
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
    const clear = this.#waiting.splice(0).flatMap(({ suspects, kind, violation, isVoid, more }) => {
      const rule = isVoid ? null : this.#broken(suspects, kind);
      return rule === null ? [] : Array.from({ length: 1 + more }, () => ({ ...violation, rule, suspects }));
    });
    this.#alike.clear();
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

  #broken({ rules, write, narrow = nothing, isCertain, isOwed }: Suspects, kind: string): string | null {
    const all = [...new Set([...rules, ...write])];
    if (all.length > 1 && this.#disagreeing.has(kind)) return this.#disagreeing.get(kind) ?? null;
    const open = all.length > 1 ? all.filter((rule) => !this.#kept.has(rule)) : all;
    const isWidest = isOwed === true && (open.length === 0 || open[0] === all[0]);
    const special = open.length === 0 && isCertain ? narrow.find((rule) => !this.#kept.has(rule)) : undefined;
    if (special !== undefined) return rowOf(special);
    const [suspect, ...more] = isWidest ? all.slice(0, 1) : open;
    if (suspect === undefined || more.some((other) => rowOf(other) !== rowOf(suspect))) return null;
    return isCertain || rules.includes(suspect) ? rowOf(suspect) : null;
  }
}

/** The sentence of a suspect. */
export function rowOf(suspect: Trait): string {
  return suspect.split(' ', 1)[0] ?? suspect;
}

/** One of these is broken, and no write is to blame. */
export function only(...rules: readonly Trait[]): Suspects {
  return { rules, write: [], isCertain: true };
}

/** Something is owed; the widest sentence stands first, then what sets the case apart. */
export function owed(...rules: readonly Trait[]): Suspects {
  return { ...only(...rules), isOwed: true };
}
