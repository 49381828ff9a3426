import { passed, type Verdict } from '../judge/kernel/verdict.ts';
import { severityOf } from '../judge/kernel/weight.ts';
import type { OutcomeSources } from './activeOutcome.ts';
import { outcomeOf, type CheckOutcome } from './outcome.ts';
import type { EngineCheck } from './suite.ts';
import type { PassiveTallies, PassiveTally } from './tally.ts';

/** The outcome of a passive check: what its oracle said of all the traffic. Nothing seen is never a pass. */
export function passiveOutcome(
  check: EngineCheck,
  tallies: PassiveTallies,
  { maker, levelOf }: Pick<OutcomeSources, 'maker' | 'levelOf'>,
): CheckOutcome {
  const findings = check.verifies
    .filter((requirement) => severityOf(levelOf(requirement)) !== 'observed')
    .flatMap((requirement) => {
      const { violations, samples } = tallies.of(requirement);
      return [...violations.values()].map((violation) => maker.ofPassive(violation, check.id, samples));
    });
  const verdictOf = (requirement: string) => {
    const tally = tallies.of(requirement);
    const [broken] = tally.violations.values();
    if (!broken) return ofUnbroken(tally);
    const status = severityOf(levelOf(requirement));
    return { status, samples: tally.samples, reason: maker.message(broken) };
  };
  return outcomeOf(check, verdictOf, { findings });
}

function ofUnbroken({ samples, fault }: PassiveTally): Verdict {
  if (fault !== null) return { status: 'inconclusive', samples, reason: fault };
  if (samples > 0) return passed(samples);
  return { status: 'skipped', samples, reason: 'no answer of this run was a sample of it' };
}
