import { exitCodes, GatecheckError } from '../core/errors.ts';

/** One thing that is wrong with the user's input, and where. */
export interface Problem {
  /** An option, an environment variable, or a file and field. */
  readonly where: string;
  readonly fault: string;
}

/** Problems that are named; a file of another kind has thousands. */
const most = 10;

/** One error for all problems, one line each. */
export class InvalidSettings extends GatecheckError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], hint?: string) {
    const left = problems.length - most;
    const lines = problems.slice(0, most).map(({ where, fault }) => `${where}: ${fault}`);
    if (left > 0) lines.push(`… and ${left} more`);
    super('INVALID_SETTINGS', lines.join('\n'), {
      exitCode: exitCodes.usage,
      ...(hint === undefined ? {} : { hint }),
    });
    this.problems = problems;
  }
}

/** The error that says what is wrong. */
export function problemsError(problems: readonly Problem[], hint?: string): InvalidSettings {
  return new InvalidSettings(problems, hint);
}

/** Throws if there are any problems. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw problemsError(problems);
}
