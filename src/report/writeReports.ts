import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportFiles } from './reportDir.ts';
import type { RunResult } from './result.ts';

/**
 * Writes every report of a run into its directory, each whole or not at all; the HAR only where there is evidence.
 * Returns the absolute paths of what was written.
 */
export async function writeReports(result: RunResult, dir: string): Promise<readonly string[]> {
  const path = join(dir, reportFiles.result);
  await writeWhole(path, `${JSON.stringify(result, null, 2)}\n`);
  return [path];
}

async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}
