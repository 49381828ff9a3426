import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file completely or not at all: to a temporary path next to it, then renamed. `write` fills the temporary path. */
export async function writeWhole(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await write(temporary);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes text to a file, completely or not at all. */
export async function writeText(path: string, text: string): Promise<void> {
  await writeWhole(path, (temporary) => writeFile(temporary, text));
}
