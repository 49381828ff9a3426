import { resolve } from 'node:path';
import { usageError } from '../core/errors.ts';
import type { Io } from '../core/io.ts';
import { shortPath } from '../core/shortPath.ts';
import { writeText } from '../report/writeWhole.ts';

/** Writes a text to a file and prints its path, or to stdout if there is none. */
export async function writeOutput(
  text: string,
  file: string | null,
  io: Pick<Io, 'stdout' | 'folder'>,
): Promise<void> {
  if (file === null) {
    io.stdout.write(text);
    return;
  }
  const path = resolve(io.folder, file);
  await writeText(path, text).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw usageError('CANNOT_WRITE', `--output: expected a file that can be written; got ${path} (${why})`);
  });
  io.stdout.write(`${shortPath(path, io.folder)}\n`);
}
