import { addUp, type Verdict } from '../judge/kernel/verdict.ts';
import type { Finding } from './finding.ts';
import { undecided, type CheckOutcome } from './outcome.ts';
import type { Ineffective } from './stateTrust.ts';

/** Findings that turn out at the end of a run to say nothing about the rules, and why. */
export interface Withdrawal {
  readonly covers: (check: string, finding: Finding) => boolean;
  readonly why: string;
}

/** What a target in trouble answered, by the ids of these exchanges. */
export function outageWithdrawal(exchanges: ReadonlySet<string>, why: string): Withdrawal {
  return { covers: (_check, { decisive }) => decisive !== undefined && exchanges.has(decisive), why };
}

/** What rests on a state that the handler only said it had set. */
export function handlerWithdrawal({ states, spoils }: Ineffective): Withdrawal {
  const why = `the state handler says that it sets ${states.join(' and ')}, and nothing in this run shows it`;
  return { covers: spoils, why };
}

/** The outcomes that change by it: without those findings, and their requirements undecided. */
export function withdraw(outcomes: readonly CheckOutcome[], withdrawal: Withdrawal): readonly CheckOutcome[] {
  return outcomes.flatMap((outcome) => {
    const rest = without(outcome, withdrawal);
    return rest === null ? [] : [rest];
  });
}

function without(outcome: CheckOutcome, { covers, why }: Withdrawal): CheckOutcome | null {
  const isCovered = (finding: Finding) => covers(outcome.check, finding);
  const open = new Set(outcome.findings.filter(isCovered).map(({ requirement }) => requirement));
  if (open.size === 0) return null;
  const findings = outcome.findings.filter((finding) => !isCovered(finding));
  for (const { requirement } of findings) open.delete(requirement);
  const verdicts = new Map(
    [...outcome.verdicts].map(([requirement, verdict]): [string, Verdict] => [
      requirement,
      open.has(requirement) ? undecided(why) : verdict,
    ]),
  );
  return { ...outcome, findings, verdicts, verdict: addUp([...verdicts.values()]) ?? undecided(why) };
}
