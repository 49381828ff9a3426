import { type GatecheckError, usageError } from '../core/errors.ts';

/** One thing that is wrong with what the user wrote, and where it stands. */
export interface Problem {
  /** An option, an environment variable, or a file and field. */
  readonly where: string;
  readonly fault: string;
}

/** One error for all problems, a line each. */
export function problemsError(problems: readonly Problem[], hint?: string): GatecheckError {
  return usageError(
    'INVALID_SETTINGS',
    problems.map(({ where, fault }) => `${where}: ${fault}`).join('\n'),
    hint,
  );
}

/** Throws what is wrong, if anything is. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw problemsError(problems);
}
