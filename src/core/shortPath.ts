import { relative } from 'node:path';

/** A path as seen from a folder: the whole one where it lies outside of it, `.` for the folder itself. */
export function shortPath(path: string, folder: string): string {
  const seen = relative(folder, path);
  return seen.startsWith('..') ? path : seen || '.';
}
