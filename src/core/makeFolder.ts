import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Level by level: Node's own recursion never ends if a file system refuses new folders as
 * 'not found' (/proc). Throws what the file system says.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process made it first.
    if (!existsSync(path)) throw error;
  }
}
