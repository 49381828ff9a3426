import type { Evidence } from '../core/evidence.ts';
import type { Sample, Violation } from '../judge/kernel/sample.ts';

/** The first sighting of one kind of violation, and how often it showed. */
export interface PassiveViolation extends Violation {
  count: number;
}

/** What the passive oracles said of one requirement over all the traffic of a run. */
export interface PassiveTally {
  samples: number;
  /** By the code of the violation. */
  readonly violations: Map<string, PassiveViolation>;
  /** Whether there was an occasion on which its condition did not arise. */
  notApplicable: boolean;
  /** Why not all of it could be judged; null where it could. */
  fault: string | null;
}

/** Adds up the judgements of the passive oracles; grows with the kinds of violation, not with the traffic. */
export class PassiveTallies {
  readonly #tallies = new Map<string, PassiveTally>();
  #news = 0;

  /** How often a tally came to say something that it had not said before. */
  get news(): number {
    return this.#news;
  }

  /** Counts a sample by this evidence, and says whether it is a violation. */
  add(evidence: Evidence, { requirement, judgement }: Sample): boolean {
    if (judgement.status === 'unclear') return false;
    const tally = this.of(requirement);
    if (judgement.status === 'not-applicable') {
      if (!tally.notApplicable) this.#news += 1;
      tally.notApplicable = true;
      return false;
    }
    tally.samples += 1;
    if (tally.samples === 1 || (judgement.status === 'violated' && !tally.violations.has(judgement.code)))
      this.#news += 1;
    if (judgement.status === 'holds') return false;
    const known = tally.violations.get(judgement.code);
    if (known) known.count += 1;
    else tally.violations.set(judgement.code, { requirement, judgement, evidence: [evidence], count: 1 });
    return true;
  }

  /** Takes back what only these exchanges broke: they say nothing of the rules after all. */
  withdraw(exchanges: ReadonlySet<string>, why: string): void {
    for (const tally of this.#tallies.values()) {
      for (const [code, { evidence }] of tally.violations) {
        // The first sighting is kept: where that is of these, all are.
        if (evidence.length === 0 || !evidence.every(({ id }) => exchanges.has(id))) continue;
        tally.violations.delete(code);
        tally.fault ??= why;
      }
    }
  }

  /** An oracle broke over an exchange: nothing that it says of these requirements is a pass. */
  addFault(requirements: readonly string[], fault: string): void {
    for (const requirement of requirements) this.of(requirement).fault ??= fault;
  }

  of(requirement: string): PassiveTally {
    let tally = this.#tallies.get(requirement);
    if (!tally)
      this.#tallies.set(
        requirement,
        (tally = { samples: 0, violations: new Map(), notApplicable: false, fault: null }),
      );
    return tally;
  }
}
