import { relative } from 'node:path';

/** A path relative to a folder: `.` for the folder itself, the absolute path if it is outside. */
export function shortPath(path: string, folder: string): string {
  const seen = relative(folder, path);
  return seen.startsWith('..') ? path : seen || '.';
}
