import type { JudgeShare } from '../load/judgeShare.ts';
import type { RuleCounts } from '../load/correctness.ts';
import type { Finding } from './finding.ts';

/** One requirement that a load was a sample of. */
export interface JudgedRule {
  readonly requirement: string;
  readonly rest: { readonly samples: number; readonly violations: number };
  readonly load: { readonly samples: number; readonly violations: number };
  readonly fault: string | null;
}

/** What one process of a load judged, as it travels to another. */
export interface JudgedPart {
  readonly counts: JudgeShare['counts'];
  readonly rules: readonly JudgedRule[];
  readonly findings: readonly Finding[];
  /** Requests a second when a rule was broken first. */
  readonly broken: Readonly<Record<string, number>>;
  /** What its oracles had to forget. */
  readonly forgotten: number;
  /** Ids of the records that subscribes certainly made, by enterprise. */
  readonly made: readonly (readonly [string, readonly string[]])[];
}

/** What two processes found of the same requirement. */
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
