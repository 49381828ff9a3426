import type { CatalogueRow } from '../catalogue/row.ts';
import { addUp, type Verdict } from '../judge/kernel/verdict.ts';
import type { Finding } from './finding.ts';
import type { EngineCheck } from './suite.ts';

/** The result of one check: its verdict on each requirement that it verifies, and what broke them. */
export interface CheckOutcome {
  readonly check: string;
  readonly title: string;
  /** The verdict of the check as a whole. */
  readonly verdict: Verdict;
  /** Verdicts by requirement. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly findings: readonly Finding[];
  readonly requests: number;
}

/** The outcome of a check from its verdicts on each requirement. */
export function outcomeOf(
  { id, title, verifies }: EngineCheck,
  verdictOf: (requirement: string) => Verdict,
  more: Partial<Pick<CheckOutcome, 'findings' | 'requests'>> = {},
): CheckOutcome {
  const verdicts = new Map(verifies.map((requirement) => [requirement, verdictOf(requirement)]));
  const verdict = addUp([...verdicts.values()]) ?? undecided('the check verifies nothing');
  return { check: id, title, verdict, verdicts, findings: [], requests: 0, ...more };
}

/** The outcome of a check that did not run. */
export function notRun(check: EngineCheck, status: 'inconclusive' | 'skipped', reason: string): CheckOutcome {
  return outcomeOf(check, () => ({ status, samples: 0, reason }));
}

/** For a test whose check the engine has not read, for example because a suite was changed after it was loaded. */
export function unknownCheck(check: string): CheckOutcome {
  const verdict = undecided('the engine knows no check of this name');
  return { check, title: check, verdict, verdicts: new Map(), findings: [], requests: 0 };
}

/** The verdict on a requirement whose condition the deployment did not bring about, with the condition in words. */
export function notApplicableTo(row: CatalogueRow): Verdict {
  const condition = 'condition' in row ? row.condition : null;
  if (condition === null) return undecided(`a fault of Gatecheck: ${row.id} names no condition`);
  return { status: 'not-applicable', samples: 0, reason: `applies only if ${condition}` };
}

/** Combines the outcomes of a check before and after a run was cut short. */
export function bothOutcomes(before: CheckOutcome, after: CheckOutcome): CheckOutcome {
  const verdicts = new Map(
    [...after.verdicts].map(([requirement, verdict]): [string, Verdict] => {
      const earlier = before.verdicts.get(requirement);
      return [requirement, (earlier && addUp([earlier, verdict])) ?? verdict];
    }),
  );
  const known = new Set(before.findings.map(({ fingerprint }) => fingerprint));
  return {
    ...after,
    verdict: addUp([...verdicts.values()]) ?? after.verdict,
    verdicts,
    findings: [...before.findings, ...after.findings.filter(({ fingerprint }) => !known.has(fingerprint))],
  };
}

/** The verdict on what could not be judged. */
export function undecided(reason: string): Verdict {
  return { status: 'inconclusive', samples: 0, reason };
}
