import type { CatalogueRow, Level } from '../../catalogue/row.ts';
import { addUp, type Verdict, passed } from '../../judge/kernel/verdict.ts';
import type { Finding } from './finding.ts';
import type { EngineCheck } from '../suite.ts';
import type { Catalogue } from '../../catalogue/loadCatalogue.ts';
import { countsAs, severityOf } from '../../judge/kernel/weight.ts';
import type { AttemptResult, UnclearCase } from '../attempt/attemptResult.ts';
import type { Confirmation } from '../attempt/confirm.ts';
import { describeObservation, type Dialect } from '../observe/dialect.ts';
import type { FindingMaker } from './findings.ts';
import { noCaseCame, noSample, noSampleOf } from './skipReasons.ts';
import type { PassiveTallies, PassiveTally } from './tally.ts';

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
function notApplicableTo(row: CatalogueRow): Verdict {
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

/** The results of an active check: one attempt, and what happened when its failures were repeated. */
interface ActiveRun {
  readonly check: EngineCheck;
  readonly seed: number;
  readonly cases: number;
  readonly result: AttemptResult;
  readonly confirmations: readonly Confirmation[];
  readonly requests: number;
  /** Whether a finding says why a case is unclear, such as a request that is cut off each time. */
  readonly explains?: (unclear: UnclearCase) => boolean;
}

/** What an outcome is derived from. */
export interface OutcomeSources {
  readonly maker: FindingMaker;
  readonly dialect: Dialect;
  readonly catalogue: Catalogue;
}

/** The outcome of an active check. */
export function activeOutcome(run: ActiveRun, sources: OutcomeSources): CheckOutcome {
  const findings = run.confirmations
    .filter(({ violation }) => severityOf(sources.catalogue.get(violation.requirement).level) !== 'observed')
    .map((confirmation) => sources.maker.ofViolation(confirmation, run));
  return outcomeOf(run.check, (requirement) => verdictOf(requirement, run, sources), {
    findings,
    requests: run.requests,
  });
}

function verdictOf(requirement: string, run: ActiveRun, sources: OutcomeSources): Verdict {
  const { result, check, confirmations } = run;
  const row = sources.catalogue.get(requirement);
  const { level } = row;
  const samples = result.samples.get(requirement) ?? 0;
  const broken = confirmations.filter(({ violation }) => violation.requirement === requirement);
  const severe = broken.find(({ shown }) => shown > 1) ?? broken[0];
  if (severe) return ofConfirmation(severe, { level, samples, maker: sources.maker });
  if (level === 'open') return ofOpenPoint(requirement, result, sources.dialect);
  // The part that was left out might have broken it.
  if (result.cutShort !== null) {
    const { by, reason } = result.cutShort;
    return { status: by === 'unplanned' ? 'skipped' : 'inconclusive', samples, reason };
  }
  const named = result.unclear.find((one) => one.requirements.includes(requirement));
  const enough = check.kind === 'property' && samples >= check.cases.minCases;
  const isJudged = samples > 0 && named !== undefined && run.explains?.(named) === true;
  if (named && !enough && !isJudged) return ofUnclear(named, samples, run);
  if (samples > 0) return passed(samples, result.notes.get(requirement));
  const hadOccasion = result.notApplicable.has(requirement) && result.unclear.length === 0;
  return hadOccasion ? notApplicableTo(row) : ofNothing(run);
}

function ofConfirmation(
  confirmation: Confirmation,
  { level, samples, maker }: { level: Level; samples: number; maker: FindingMaker },
): Verdict {
  const reason = maker.message(confirmation.violation);
  const status = countsAs(level, confirmation);
  if (status !== 'inconclusive') return { status, samples, reason };
  const why = confirmation.hindrance === null ? '' : ` (${confirmation.hindrance})`;
  return { status, samples, reason: `it could not be tried again${why}: ${reason}` };
}

/** What this or any other check saw of an open point. */
function ofOpenPoint(requirement: string, { skipped, unclear }: AttemptResult, dialect: Dialect): Verdict {
  const seen = dialect.variants(requirement).map(describeObservation);
  if (seen.length > 0) return { status: 'observed', samples: seen.length, reason: seen.join(', ') };
  const reason = skipped ?? unclear[0]?.cause ?? 'nothing in this run showed it';
  return { status: 'skipped', samples: 0, reason };
}

/** The verdict on a requirement that no case exercised. */
function ofNothing(run: ActiveRun): Verdict {
  const { check, result, confirmations } = run;
  const { skipped, unclear } = result;
  if (skipped !== null) return { status: 'skipped', samples: 0, reason: skipped };
  const [first] = unclear;
  if (first) return ofUnclear(first, 0, run);
  const broken = [...new Set(confirmations.map(({ violation }) => violation.requirement))].join(' and ');
  const ended = broken === '' ? null : `its check ended earlier, when it found ${broken} broken`;
  // In a few cases, a property over many rules meets only some of them; their own checks judge the rest.
  if (check.kind === 'property') return { status: 'skipped', samples: 0, reason: ended ?? noCaseCame };
  const reason = ended ?? 'nothing in this run exercised it';
  return { status: 'inconclusive', samples: 0, reason, isUnexercised: true };
}

function ofUnclear(unclear: UnclearCase, samples: number, { explains }: ActiveRun): Verdict {
  const said = { status: 'inconclusive', samples, reason: unclear.cause, ...evidenceOf(unclear) } as const;
  return explains?.(unclear) === true && samples === 0 ? { ...said, isUnexercised: true } : said;
}

/** The evidence of a case that stayed undecided, if anything was sent in it. */
function evidenceOf({ evidence }: UnclearCase): { readonly evidence?: readonly string[] } {
  return evidence.length === 0 ? {} : { evidence };
}

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
