import type { Finding } from '../engine/findings/finding.ts';
import { causesOf, type Cause } from './causes.ts';
import { groupByReason, type ReasonGroup } from './reasonGroups.ts';
import type { OpenPointResult, RequirementResult, RunResult } from './result.ts';

/** A result in reading order. */
export interface Digest {
  /** Findings by cause, in the order in which one would repair them. */
  readonly causes: readonly Cause[];
  /** The findings one by one: failures first, then warnings, then those of the baseline. */
  readonly findings: readonly Finding[];
  /** The rows of the result by id, including the rule of each finding. */
  readonly rules: ReadonlyMap<string, RequirementResult>;
  /** Skipped because something is missing, the largest group first. */
  readonly skipped: readonly ReasonGroup[];
  readonly inconclusive: readonly ReasonGroup[];
  /** Not applicable, by the condition that the deployment did not bring about. */
  readonly notApplicable: readonly ReasonGroup[];
  /** Cannot be observed from outside. */
  readonly excused: readonly RequirementResult[];
}

export function digest(result: RunResult): Digest {
  const causes = causesOf(result);
  const having = (verdict: RequirementResult['verdict']) =>
    result.requirements.filter((row) => row.verdict === verdict && row.excused === undefined);
  return {
    causes,
    findings: causes.flatMap(({ lead, others }) => [lead, ...others]),
    rules: new Map(result.requirements.map((requirement) => [requirement.id, requirement])),
    skipped: groupByReason(having('skipped')),
    inconclusive: groupByReason(having('inconclusive')),
    notApplicable: groupByReason(having('not-applicable')),
    excused: result.requirements.filter((row) => row.excused !== undefined),
  };
}

/** The title of a variant if the catalogue has one; else its name. */
export function variantTitle(name: string | null, variants: OpenPointResult['variants'] = []): string | null {
  return variants.find((variant) => variant.name === name)?.title ?? name;
}
