import { lstat, writeFile } from 'node:fs/promises';
import { usageError } from '../../core/errors.ts';
import { writeWhole } from '../../report/writeWhole.ts';

/** Readable only by the user: nobody else needs the keys. Whoever waits for the file finds it complete. */
export async function writeExports(file: string, lines: readonly string[]): Promise<void> {
  const write = (path: string) => writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
  const isSpecial = await lstat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  // A link, a pipe or /dev/stdout is kept as it is.
  await (isSpecial ? write(file) : writeWhole(file, write)).catch(() => {
    throw usageError('CANNOT_WRITE', `--env: expected a file that can be written; got ${file}`);
  });
}
