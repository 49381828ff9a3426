import type { Violation } from '../judge/kernel/sample.ts';

/** Ends a case: rules were broken in it. Thrown by `context.judge`, caught by the engine. */
export class CaseViolated extends Error {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super(
      violations.map((violation) => `${violation.requirement}: ${violation.judgement.actual}`).join('; '),
    );
    this.name = 'CaseViolated';
    this.violations = violations;
  }
}

/** Ends a case: it could not be decided, through no fault of the deployment that can be proved. */
export class CaseUnclear extends Error {
  readonly requirements: readonly string[];

  constructor(cause: string, requirements: readonly string[] = []) {
    super(cause);
    this.name = 'CaseUnclear';
    this.requirements = requirements;
  }
}

/** Ends a check: this deployment or dialect gives it nothing to check. */
export class CheckSkipped extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'CheckSkipped';
  }
}
