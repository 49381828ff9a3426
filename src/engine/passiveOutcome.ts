import type { FindingMaker } from './findings.ts';
import type { CheckOutcome, Contribution, FindingDraft } from './outcome.ts';
import { worstOf } from './runCheck.ts';
import type { EngineCheck } from './suite.ts';
import type { PassiveTallies } from './tally.ts';

/** The outcome of a passive check: what its oracle said of all the traffic. Nothing seen is never a pass. */
export function passiveOutcome(
  check: EngineCheck,
  tallies: PassiveTallies,
  maker: FindingMaker,
): CheckOutcome {
  const findings = check.verifies.flatMap((requirement) => findingsOf(requirement, check.id, tallies, maker));
  const contributions = check.verifies.map((requirement) => contributionOf(requirement, tallies, findings));
  const worst = worstOf(contributions);
  return {
    check: check.id,
    title: check.title,
    status: worst?.status ?? 'pass',
    reason: worst?.reason ?? null,
    contributions,
    findings,
    requests: 0,
  };
}

function findingsOf(
  requirement: string,
  check: string,
  tallies: PassiveTallies,
  maker: FindingMaker,
): readonly FindingDraft[] {
  const { violations, samples } = tallies.of(requirement);
  return [...violations.values()].map((violation) => maker.ofPassive(requirement, violation, check, samples));
}

function contributionOf(
  requirement: string,
  tallies: PassiveTallies,
  findings: readonly FindingDraft[],
): Contribution {
  const { samples, fault } = tallies.of(requirement);
  const broken = findings.find((finding) => finding.requirement === requirement);
  if (broken) return { requirement, status: broken.severity, samples, reason: broken.message };
  if (fault !== null) return { requirement, status: 'inconclusive', samples, reason: fault };
  if (samples > 0) return { requirement, status: 'pass', samples, reason: null };
  return { requirement, status: 'skipped', samples, reason: 'no answer of this run was a sample of it' };
}
