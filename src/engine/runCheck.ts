import type { Exchange } from '../core/evidence.ts';
import { responseOf } from '../judge/kernel/body.ts';
import type { VerdictStatus } from '../judge/kernel/verdict.ts';
import { attempt, type AttemptOptions, type AttemptResult, type FailedCase } from './attempt.ts';
import { describeSighting } from './dialect.ts';
import type { FindingMaker } from './findings.ts';
import type { CheckOutcome, Contribution, FindingDraft } from './outcome.ts';
import type { Violation } from './signals.ts';

export type RunCheckOptions = Omit<AttemptOptions, 'only' | 'send'> & {
  readonly send: AttemptOptions['send'];
  readonly findings: FindingMaker;
  readonly isOpenPoint: (id: string) => boolean;
  /** Called when a hard budget kept the check from doing what the plan says. */
  readonly onBudget: (reason: string) => void;
};

/**
 * Runs one active check: once, again where the network or a gateway disturbed it, and again with fresh data for every
 * failure, so that what does not come back fails nobody.
 */
export async function runCheck(options: RunCheckOptions): Promise<CheckOutcome> {
  const seen = { disturbance: false };
  let requests = 0;
  const send: AttemptOptions['send'] = async (request) => {
    const exchange = await options.send(request);
    seen.disturbance ||= isDisturbance(exchange, request.wantsRefusal);
    return exchange;
  };
  const run = async (only?: readonly FailedCase[]) => {
    const result = await attempt({ ...options, send, ...(only === undefined ? {} : { only }) });
    requests += result.requests;
    return result;
  };
  let result = await run();
  const disturbed = seen.disturbance && result.unclear.length > 0 && result.failed.length === 0;
  if (disturbed && result.cutShort === null) result = await run();
  if (result.cutShort?.by === 'budget') options.onBudget(result.cutShort.reason);
  const findings = await confirm(options, result, run);
  return outcomeOf(options, result, findings, requests);
}

/** No whole response, or one that says nothing about the API: a second try may see more. */
function isDisturbance(exchange: Exchange, wantsRefusal: boolean): boolean {
  const status = responseOf(exchange)?.status ?? null;
  return status === null || (status === 429 && !wantsRefusal) || (status >= 502 && status <= 504);
}

/** A finding, and whether nothing could be learnt from trying to have it again. */
interface Confirmed {
  readonly draft: FindingDraft;
  readonly unrepeated: boolean;
}

async function confirm(
  options: RunCheckOptions,
  result: AttemptResult,
  run: (only: readonly FailedCase[]) => Promise<AttemptResult>,
): Promise<readonly Confirmed[]> {
  if (result.failed.length === 0) return [];
  const second = await run(result.failed);
  const open = result.failed.filter(
    (failed) => !failed.violations.every((violation) => showsAgain(failed, violation, second)),
  );
  const repeats = open.length > 0 ? [second, await run(open)] : [second];
  return result.failed.flatMap((failed) =>
    failed.violations.map((violation) => confirmed(options, failed, violation, repeats)),
  );
}

function confirmed(
  options: RunCheckOptions,
  failed: FailedCase,
  violation: Violation,
  repeats: readonly AttemptResult[],
): Confirmed {
  const again = repeats.filter((repeat) => showsAgain(failed, violation, repeat)).length;
  const not = repeats.filter(
    (repeat) => isDecided(failed, repeat) && !showsAgain(failed, violation, repeat),
  ).length;
  const tries = 1 + again + not;
  // A budget is no fault of the network: what was seen stands, though it could not be asked again.
  const outOfBudget = tries === 1 && repeats.some(({ cutShort }) => cutShort?.by === 'budget');
  const draft = options.findings.ofViolation(failed, violation, {
    check: options.check.id,
    seed: options.seed,
    cases: options.cases,
    confirmed: `${1 + again} of ${tries}`,
    certain: again > 0 || outOfBudget,
  });
  return { draft, unrepeated: tries === 1 && !outOfBudget };
}

function isDecided(failed: FailedCase, { held, failed: again }: AttemptResult): boolean {
  return held.has(failed.name) || again.some(({ name }) => name === failed.name);
}

function showsAgain(failed: FailedCase, violation: Violation, again: AttemptResult): boolean {
  return again.failed.some(
    (one) =>
      one.name === failed.name &&
      one.violations.some(({ requirement }) => requirement === violation.requirement),
  );
}

function outcomeOf(
  options: RunCheckOptions,
  result: AttemptResult,
  findings: readonly Confirmed[],
  requests: number,
): CheckOutcome {
  const contributions = options.check.verifies.map((requirement) =>
    contributionOf(requirement, options, result, findings),
  );
  const worst = worstOf(contributions);
  return {
    check: options.check.id,
    title: options.check.title,
    status: worst?.status ?? 'pass',
    reason: worst?.reason ?? null,
    contributions,
    findings: findings.map(({ draft }) => draft),
    requests,
  };
}

function contributionOf(
  requirement: string,
  options: RunCheckOptions,
  result: AttemptResult,
  findings: readonly Confirmed[],
): Contribution {
  const samples = result.samples.get(requirement) ?? 0;
  const broken = findings.filter(({ draft }) => draft.requirement === requirement);
  const because = (status: VerdictStatus, reason: string): Contribution => ({
    requirement,
    status,
    samples,
    reason,
  });
  const severe = broken.find(({ draft }) => draft.severity === 'fail') ?? broken[0];
  if (severe?.unrepeated === true && severe.draft.severity === 'warn')
    return because('inconclusive', `it could not be tried again: ${severe.draft.message}`);
  if (severe) return because(severe.draft.severity, severe.draft.message);
  if (options.isOpenPoint(requirement)) return observation(requirement, options, result);
  // What was left out might have broken it.
  if (result.cutShort !== null) return because('inconclusive', result.cutShort.reason);
  const named = result.unclear.find((one) => one.requirements.includes(requirement));
  const enough = options.check.kind === 'property' && samples >= options.check.cases.minCases;
  if (named && !enough) return because('inconclusive', named.cause);
  if (samples > 0) return { requirement, status: 'pass', samples, reason: null };
  if (result.skipped !== null) return because('skipped', result.skipped);
  // A property over many rules meets only some of them in a few cases; their own checks speak for the rest.
  if (options.check.kind === 'property' && result.unclear.length === 0)
    return because('skipped', 'no generated case of this run came to it');
  return because('inconclusive', result.unclear[0]?.cause ?? 'nothing in this run exercised it');
}

/** What was seen of an open point, by this check or any other. */
function observation(requirement: string, options: RunCheckOptions, result: AttemptResult): Contribution {
  const seen = options.base.dialect.variants(requirement).map(describeSighting);
  if (seen.length > 0)
    return { requirement, status: 'observed', samples: seen.length, reason: seen.join(', ') };
  const reason = result.skipped ?? result.unclear[0]?.cause ?? 'nothing in this run showed it';
  return { requirement, status: 'skipped', samples: 0, reason };
}

const weight: Readonly<Record<VerdictStatus, number>> = {
  fail: 5,
  warn: 4,
  inconclusive: 3,
  skipped: 2,
  observed: 1,
  pass: 0,
};

/** The heaviest contribution, or null where all passed. */
export function worstOf(contributions: readonly Contribution[]): Contribution | null {
  const [heaviest] = [...contributions].sort((a, b) => weight[b.status] - weight[a.status]);
  return heaviest === undefined || heaviest.status === 'pass' ? null : heaviest;
}
