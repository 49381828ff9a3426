import type { CatalogueRow } from '../catalogue/row.ts';
import { passed, type Verdict } from '../judge/kernel/verdict.ts';
import { severityOf } from '../judge/kernel/weight.ts';
import type { OutcomeSources } from './activeOutcome.ts';
import { notApplicableTo, outcomeOf, type CheckOutcome } from './outcome.ts';
import type { EngineCheck } from './suite.ts';
import type { PassiveTallies, PassiveTally } from './tally.ts';

/** The outcome of a passive check: what its oracle said of all the traffic. Nothing seen is never a pass. */
export function passiveOutcome(
  check: EngineCheck,
  tallies: PassiveTallies,
  { maker, catalogue }: Pick<OutcomeSources, 'maker' | 'catalogue'>,
): CheckOutcome {
  const findings = check.verifies
    .filter((requirement) => severityOf(catalogue.get(requirement).level) !== 'observed')
    .flatMap((requirement) => {
      const { violations, samples } = tallies.of(requirement);
      return [...violations.values()].map((violation) => maker.ofPassive(violation, check.id, samples));
    });
  const verdictOf = (requirement: string) => {
    const tally = tallies.of(requirement);
    const [broken] = tally.violations.values();
    const row = catalogue.get(requirement);
    if (!broken) return ofUnbroken(tally, row);
    const status = severityOf(row.level);
    return { status, samples: tally.samples, reason: maker.message(broken) };
  };
  return outcomeOf(check, verdictOf, { findings });
}

function ofUnbroken({ samples, notApplicable, fault }: PassiveTally, row: CatalogueRow): Verdict {
  if (fault !== null) return { status: 'inconclusive', samples, reason: fault };
  if (samples > 0) return passed(samples);
  if (notApplicable) return notApplicableTo(row);
  return { status: 'skipped', samples, reason: 'no answer of this run was a sample of it' };
}
