import type { Catalogue } from '../catalogue/loadCatalogue.ts';
import type { Level } from '../catalogue/row.ts';
import { passed, type Verdict } from '../judge/kernel/verdict.ts';
import { countsAs, severityOf } from '../judge/kernel/weight.ts';
import type { AttemptResult, UnclearCase } from './attemptResult.ts';
import type { Confirmation } from './confirm.ts';
import { describeObservation, type Dialect } from './dialect.ts';
import type { FindingMaker } from './findings.ts';
import { notApplicableTo, outcomeOf, type CheckOutcome } from './outcome.ts';
import { noCaseCame } from './skipReasons.ts';
import type { EngineCheck } from './suite.ts';

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
