import type { JudgeShare } from './judgeShare.ts';
import type { RuleCounts } from './correctness.ts';
import type { Finding } from '../../engine/finding.ts';

/** One requirement of which a load gave samples. */
export interface JudgedRule {
  readonly requirement: string;
  readonly rest: { readonly samples: number; readonly violations: number };
  readonly load: { readonly samples: number; readonly violations: number };
  readonly fault: string | null;
}

/** What one process of a load judged, in the form that is sent to another. */
export interface JudgedPart {
  readonly counts: JudgeShare['counts'];
  readonly rules: readonly JudgedRule[];
  readonly findings: readonly Finding[];
  /** Requests per second when a rule was first broken. */
  readonly broken: Readonly<Record<string, number>>;
  /** How much its oracles had to forget. */
  readonly forgotten: number;
  /** Ids of the records that subscribes certainly made, by enterprise. */
  readonly made: readonly (readonly [string, readonly string[]])[];
}

/** Adds up what two processes found about the same requirement. */
export function addRules(one: JudgedRule, other: JudgedRule): JudgedRule {
  const add = (a: RuleCounts, b: RuleCounts) => ({
    samples: a.samples + b.samples,
    violations: a.violations + b.violations,
  });
  return {
    requirement: one.requirement,
    rest: add(one.rest, other.rest),
    load: add(one.load, other.load),
    fault: one.fault ?? other.fault,
  };
}

/** Whether the requirement was broken at least once, at rest or under load. */
export function isBroken({ rest, load }: JudgedRule): boolean {
  return rest.violations + load.violations > 0;
}
