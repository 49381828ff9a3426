import type { Finding, OpenPointResult, RequirementResult, RunResult } from './result.ts';

/** A finding with what a reader wants to see beside it. */
export interface FindingView {
  readonly finding: Finding;
  /** The broken rule; undefined where the result does not list it. */
  readonly requirement: RequirementResult | undefined;
  readonly severity: 'fail' | 'warn' | 'known';
}

/** Requirements that share one reason for not being judged. */
export interface ReasonGroup {
  readonly reason: string;
  readonly ids: readonly string[];
}

/** A result in the order in which people read it. */
export interface Digest {
  /** Failures first, then warnings, then what the baseline knows. */
  readonly findings: readonly FindingView[];
  /** Skipped for want of something, the largest group first. */
  readonly skipped: readonly ReasonGroup[];
  readonly inconclusive: readonly ReasonGroup[];
  /** Cannot be observed from outside. */
  readonly excused: readonly RequirementResult[];
}

const order = ['fail', 'warn', 'known'] as const;

export function digest(result: RunResult): Digest {
  const byId = new Map(result.requirements.map((requirement) => [requirement.id, requirement]));
  const views = result.findings.map((finding) => viewOf(finding, byId.get(finding.requirement)));
  const having = (verdict: RequirementResult['verdict']) =>
    result.requirements.filter((row) => row.verdict === verdict && row.excused === undefined);
  return {
    findings: views.sort((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity)),
    skipped: groupByReason(having('skipped')),
    inconclusive: groupByReason(having('inconclusive')),
    excused: result.requirements.filter((row) => row.excused !== undefined),
  };
}

/** `Web Check-in: Errors, Limits; Flight Alerts: Limits`. */
export function sourceText(
  sources: readonly { readonly document: string; readonly section: string }[],
): string {
  return [...Map.groupBy(sources, ({ document }) => document)]
    .map(
      ([document, own]) =>
        `${documentTitles[document] ?? document}: ${own.map(({ section }) => section).join(', ')}`,
    )
    .join('; ');
}

/** The words of a variant where the catalogue has some; the name as it is elsewhere. */
export function variantTitle(name: string | null, variants: OpenPointResult['variants'] = []): string | null {
  return variants.find((variant) => variant.name === name)?.title ?? name;
}

const documentTitles: Readonly<Record<string, string>> = {
  'web-check-in': 'Web Check-in',
  'flight-alerts': 'Flight Alerts',
};

function viewOf(finding: Finding, requirement: RequirementResult | undefined): FindingView {
  const warns = finding.severity === 'warn' || requirement?.verdict === 'warn';
  const severity = finding.baselined ? 'known' : warns ? 'warn' : 'fail';
  return { finding, requirement, severity };
}

function groupByReason(rows: readonly RequirementResult[]): ReasonGroup[] {
  const groups = Map.groupBy(rows, (row) => row.reason ?? 'no reason given');
  return [...groups]
    .map(([reason, members]) => ({ reason, ids: members.map((row) => row.id) }))
    .sort((left, right) => right.ids.length - left.ids.length);
}
