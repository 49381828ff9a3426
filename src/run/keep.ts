import { dirname, isAbsolute, relative } from 'node:path';
import { exitCodes, GatecheckError } from '../core/errors.ts';
import { readError, systemFault, writeError } from '../core/storageFault.ts';

/** Something to be written, and its name for error messages. */
interface Kept {
  readonly what: string;
  readonly write: () => Promise<unknown>;
}

/** Writes everything, even if parts fail; returns the first failure, so that the verdict can be shown first. */
export async function keepAll(dir: string, things: readonly Kept[]): Promise<GatecheckError | null> {
  let failure: GatecheckError | null = null;
  for (const { what, write } of things) {
    try {
      await write();
    } catch (cause) {
      failure ??= errorOf(what, dir, cause);
    }
  }
  return failure;
}

/** The kind of failure: writing into the folder, reading a file elsewhere, or Gatecheck's own code. */
function errorOf(what: string, dir: string, cause: unknown): GatecheckError {
  if (cause instanceof GatecheckError) return cause;
  const fault = systemFault(cause);
  if (fault === null) return ownFault(what, cause);
  const { path } = fault;
  if (path === null) return writeError(what, dir, cause);
  return isInside(dir, path)
    ? writeError(what, dirname(path), cause)
    : readError(`what ${what} are made with`, path, cause);
}

function isInside(dir: string, path: string): boolean {
  const way = relative(dir, path);
  return !way.startsWith('..') && !isAbsolute(way);
}

function ownFault(what: string, cause: unknown): GatecheckError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new GatecheckError('NOT_MADE', `Gatecheck itself failed while it made ${what}: ${message}`, {
    exitCode: exitCodes.internal,
    hint: 'GATECHECK_DEBUG=1 shows where. Please report it; what could be written is in the report directory.',
    cause,
  });
}
