import type { Evidence } from '../../core/evidence.ts';
import { wordsOf } from '../../spec/wording/words.ts';
import type { Sample, Violation } from '../../judge/kernel/sample.ts';

/** The first violation of a kind, and how often it showed. */
export interface PassiveViolation extends Violation {
  count: number;
}

/** What the passive oracles said about one requirement over all the traffic of a run. */
export interface PassiveTally {
  samples: number;
  /** Violations by their code. */
  readonly violations: Map<string, PassiveViolation>;
  /** Whether its condition did not arise on some occasion. */
  notApplicable: boolean;
  /** Why the first evidence that could not be judged could not be; null if there was none. */
  doubt: string | null;
  /** Why not all of it could be judged; null if it could. */
  fault: string | null;
}

const mostRepeated = 1000;

/** Adds up the judgements of the passive oracles; its size depends on the kinds of violation, not on the traffic. */
export class PassiveTallies {
  readonly #tallies = new Map<string, PassiveTally>();
  /** Samples that came again since somebody last asked, and how often. */
  readonly #repeated = new Map<readonly Sample[], number>();
  #news = 0;

  /** How often a tally said something new. */
  get news(): number {
    return this.#news;
  }

  /** What was seen broken, by the first evidence of each kind. */
  get violations(): readonly PassiveViolation[] {
    return [...this.#tallies.values()].flatMap(({ violations }) => [...violations.values()]);
  }

  /** Counts a sample from this evidence, of which one that is kept may have none; returns whether it is a violation. */
  add(evidence: Evidence | null, { requirement, judgement }: Sample): boolean {
    if (evidence === null && judgement.status !== 'holds') return false;
    const tally = this.#of(requirement);
    if (judgement.status === 'unclear') {
      tally.doubt ??= judgement.cause;
      return false;
    }
    if (judgement.status === 'not-applicable') {
      if (!tally.notApplicable) this.#news += 1;
      tally.notApplicable = true;
      return false;
    }
    tally.samples += 1;
    if (tally.samples === 1 || (judgement.status === 'violated' && !tally.violations.has(judgement.code)))
      this.#news += 1;
    if (judgement.status === 'holds' || evidence === null) return false;
    const known = tally.violations.get(judgement.code);
    if (known) known.count += 1;
    else tally.violations.set(judgement.code, { requirement, judgement, evidence: [evidence], count: 1 });
    return true;
  }

  /** Counts samples once more that were added before, and violate nothing. */
  repeat(samples: readonly Sample[]): void {
    this.#repeated.set(samples, (this.#repeated.get(samples) ?? 0) + 1);
    if (this.#repeated.size > mostRepeated) this.#settle();
  }

  /** Withdraws what only these exchanges broke, since they say nothing about the rules. */
  withdraw(exchanges: ReadonlySet<string>, why: string): void {
    for (const tally of this.#tallies.values()) {
      for (const [code, { evidence, judgement }] of tally.violations) {
        // The first violation is stored: if that is among these, all are.
        if (evidence.length === 0 || !evidence.every(({ id }) => exchanges.has(id))) continue;
        tally.violations.delete(code);
        tally.fault ??= `${why}; seen before: ${wordsOf(judgement).actual}`;
      }
    }
  }

  /** Forgets everything: another server answered, whose answers are no samples of the rules. */
  forget(): void {
    this.#tallies.clear();
    this.#repeated.clear();
  }

  /** An oracle threw an error on an exchange: nothing that it says about these requirements counts as a pass. */
  addFault(requirements: readonly string[], fault: string): void {
    for (const requirement of requirements) this.of(requirement).fault ??= fault;
  }

  of(requirement: string): PassiveTally {
    this.#settle();
    return this.#of(requirement);
  }

  #settle(): void {
    for (const [samples, times] of this.#repeated)
      for (const { requirement, judgement } of samples)
        if (judgement.status === 'holds') this.#of(requirement).samples += times;
    this.#repeated.clear();
  }

  #of(requirement: string): PassiveTally {
    let tally = this.#tallies.get(requirement);
    if (!tally)
      this.#tallies.set(
        requirement,
        (tally = { samples: 0, violations: new Map(), notApplicable: false, doubt: null, fault: null }),
      );
    return tally;
  }
}
