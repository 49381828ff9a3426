import { statSync } from 'node:fs';
import { usageError } from './errors.ts';

/** Whether it is where a shell puts the pipe of `<(command)`. */
export function isOfShell(path: string): boolean {
  return path.startsWith('/dev/fd/');
}

/**
 * Refuses to read what is no file: a folder, or a pipe or device, which would be read without end. What is not there, or may not be
 * looked at, is for the reader to say.
 */
export function requirePlainFile(what: string, path: string): void {
  const found = kindOf(path);
  if (found === null) return;
  throw usageError(
    'NO_PLAIN_FILE',
    `Expected ${what} to be a file; got ${found} at ${path}.`,
    'Move it away, or name another place. Nothing was sent.',
  );
}

/** What is there in place of a file; null if it is one, or nothing. */
function kindOf(path: string): string | null {
  try {
    const found = statSync(path);
    if (found.isFile()) return null;
    if (found.isDirectory()) return 'a folder';
    if (found.isFIFO()) return 'a named pipe';
    return found.isSocket() ? 'a socket' : 'a device';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'a link that leads to itself' : null;
  }
}
