import { addUp, type Verdict } from '../../judge/kernel/verdict.ts';
import type { Finding } from '../findings/finding.ts';
import { undecided, type CheckOutcome } from '../findings/outcome.ts';
import type { Ineffective } from './stateTrust.ts';

/** Findings that turn out at the end of a run to say nothing about the rules, and why. */
export interface Withdrawal {
  readonly covers: (check: string, finding: Finding) => boolean;
  readonly why: string;
  /** They stay as what was seen, undecided. */
  readonly isShown?: boolean;
}

/** What a target in trouble answered, by the ids of these exchanges; shown unless something else answered in its place. */
export function outageWithdrawal(exchanges: ReadonlySet<string>, why: string, isShown = true): Withdrawal {
  return {
    ...{ why, isShown },
    covers: (_check, { decisive }) => decisive !== undefined && exchanges.has(decisive),
  };
}

/** What rests on a state that the handler only said it had set. */
export function handlerWithdrawal({ states, spoils }: Ineffective): Withdrawal {
  const why = `the state handler says that it sets ${states.join(' and ')}, and nothing in this run shows it`;
  return { covers: spoils, why };
}

/** The outcomes that change by it: without those findings, or with them as undecided, and their requirements undecided. */
export function withdraw(outcomes: readonly CheckOutcome[], withdrawal: Withdrawal): readonly CheckOutcome[] {
  return outcomes.flatMap((outcome) => {
    const rest = without(outcome, withdrawal);
    return rest === null ? [] : [rest];
  });
}

function without(outcome: CheckOutcome, { covers, why, isShown }: Withdrawal): CheckOutcome | null {
  const isCovered = (finding: Finding) => covers(outcome.check, finding);
  const covered = outcome.findings.filter(isCovered);
  if (covered.length === 0) return null;
  const open = new Map(covered.map((finding) => [finding.requirement, finding]));
  const rest = outcome.findings.filter((finding) => !isCovered(finding));
  for (const { requirement } of rest) open.delete(requirement);
  const undecide = ({ message, exchanges }: Finding): Verdict => {
    const reason = isShown ? `${why}; seen before: ${message}` : why;
    return { status: 'inconclusive', samples: 0, reason, ...(isShown && { evidence: exchanges }) };
  };
  const verdicts = new Map(
    [...outcome.verdicts].map(([requirement, verdict]): [string, Verdict] => {
      const finding = open.get(requirement);
      return [requirement, finding === undefined ? verdict : undecide(finding)];
    }),
  );
  const shown = isShown ? covered.map((finding) => ({ ...finding, severity: 'inconclusive' as const })) : [];
  return {
    ...outcome,
    findings: [...rest, ...shown],
    verdicts,
    verdict: addUp([...verdicts.values()]) ?? undecided(why),
  };
}
