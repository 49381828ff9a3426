import type { CatalogueRow } from '../catalogue/row.ts';
import { passed, type Verdict } from '../judge/kernel/verdict.ts';
import { severityOf } from '../judge/kernel/weight.ts';
import type { OutcomeSources } from './activeOutcome.ts';
import { notApplicableTo, outcomeOf, type CheckOutcome } from './outcome.ts';
import { noSample, noSampleOf } from './skipReasons.ts';
import type { EngineCheck } from './suite.ts';
import type { PassiveTallies, PassiveTally } from './tally.ts';

interface PassiveSources extends Pick<OutcomeSources, 'maker' | 'catalogue'> {
  /** Whether `--only` leaves out checks whose traffic might have shown more. */
  readonly isSelection?: boolean;
  /** What the run lacks, with what would supply it; nothing by default. */
  readonly lacking?: ReadonlyMap<string, string | null>;
}

const selected = '; a check that --only leaves out may bring one about: run without --only, or ask for more';

/** The outcome of a passive check: what its oracle said about all the traffic. Having seen nothing is never a pass. */
export function passiveOutcome(
  check: EngineCheck,
  tallies: PassiveTallies,
  { maker, catalogue, isSelection = false, lacking = new Map() }: PassiveSources,
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
    const none = isSelection ? `${noSample}${selected}` : noSampleOf(requirement, lacking);
    if (!broken) return ofUnbroken(tally, row, none);
    const status = severityOf(row.level);
    return { status, samples: tally.samples, reason: maker.message(broken) };
  };
  return outcomeOf(check, verdictOf, { findings });
}

function ofUnbroken(
  { samples, notApplicable, doubt, fault }: PassiveTally,
  row: CatalogueRow,
  none: string,
): Verdict {
  if (fault !== null) return { status: 'inconclusive', samples, reason: fault };
  if (samples > 0) return passed(samples);
  if (notApplicable) return notApplicableTo(row);
  // Another check may still decide it.
  if (doubt !== null) return { status: 'inconclusive', samples, reason: doubt, isUnexercised: true };
  return { status: 'skipped', samples, reason: none };
}
