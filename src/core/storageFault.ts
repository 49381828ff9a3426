import { exitCodes, GatecheckError } from './errors.ts';

const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** What was to be kept could not be written: a full disk by its name. */
export function storageError(what: string, path: string, cause: unknown): GatecheckError {
  if (cause instanceof GatecheckError) return cause;
  const { code = '', message }: NodeJS.ErrnoException =
    cause instanceof Error ? cause : new Error(String(cause));
  const why = full.has(code) ? `The disk is full (${code})` : message.replace(/\.$/, '');
  return new GatecheckError(
    full.has(code) ? 'DISK_FULL' : 'NOT_WRITTEN',
    `Expected to write ${what} to ${path}: ${why}.`,
    {
      exitCode: exitCodes.internal,
      hint: 'Make room there, or name another place with --report-dir.',
      cause,
    },
  );
}
