import { exitCodes, GatecheckError } from './errors.ts';

const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** The error for something that could not be written; names a full disk. */
export function writeError(what: string, path: string, cause: unknown): GatecheckError {
  if (cause instanceof GatecheckError) return cause;
  const { code, why } = reasonOf(cause);
  const isFull = full.has(code);
  return new GatecheckError(
    isFull ? 'DISK_FULL' : 'NOT_WRITTEN',
    `Expected to write ${what} to ${path}: ${isFull ? `The disk is full (${code})` : why}.`,
    {
      exitCode: exitCodes.internal,
      hint: 'Make room there, or name another place with --report-dir.',
      cause,
    },
  );
}

/** The error for a full disk, whoever was writing; null for any other error. */
export function fullDiskError(cause: unknown): GatecheckError | null {
  if (cause instanceof GatecheckError || !full.has(reasonOf(cause).code)) return null;
  return writeError('a file', systemFault(cause)?.path ?? 'the disk', cause);
}

/** The error for a file that could not be read. */
export function readError(what: string, path: string, cause: unknown): GatecheckError {
  if (cause instanceof GatecheckError) return cause;
  return new GatecheckError('NOT_READ', `Expected to read ${what} from ${path}: ${reasonOf(cause).why}.`, {
    exitCode: exitCodes.internal,
    hint: 'Check that the file is there and may be read; install Gatecheck again if the file belongs to it.',
    cause,
  });
}

/** What the operating system reports; without a `syscall`, no system call failed. */
export function systemFault(cause: unknown): { readonly path: string | null } | null {
  if (!(cause instanceof Error) || !('syscall' in cause)) return null;
  return { path: 'path' in cause && typeof cause.path === 'string' ? cause.path : null };
}

function reasonOf(cause: unknown): { readonly code: string; readonly why: string } {
  const { code = '', message }: NodeJS.ErrnoException =
    cause instanceof Error ? cause : new Error(String(cause));
  return { code, why: message.replace(/\.$/, '') };
}
