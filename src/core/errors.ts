/** Exit codes of every command; if several apply, the order is 2, 70, 130, 1, 3, 0. */
export const exitCodes = {
  ok: 0,
  gateNotMet: 1,
  usage: 2,
  inconclusive: 3,
  internal: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * An error that a user can act on. The message says what was expected and what came; `hint` says what to do next. Anything else
 * that is thrown is a bug in Gatecheck (exit code 70).
 */
export class GatecheckError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(
    code: string,
    message: string,
    options: { exitCode: ExitCode; hint?: string; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatecheckError';
    this.code = code;
    this.exitCode = options.exitCode;
    this.hint = options.hint;
  }
}

/** Wrong usage or configuration: nothing was sent. */
export function usageError(code: string, message: string, hint?: string): GatecheckError {
  return new GatecheckError(code, message, {
    exitCode: exitCodes.usage,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The target could not be reached, was lost, or refused what everything else depends on. */
export function targetError(code: string, message: string, hint?: string, cause?: unknown): GatecheckError {
  return new GatecheckError(code, message, {
    exitCode: exitCodes.inconclusive,
    ...(hint === undefined ? {} : { hint }),
    cause,
  });
}
