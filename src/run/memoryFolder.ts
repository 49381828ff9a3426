import { join } from 'node:path';

/** Where what later runs have to know is kept. */
export function memoryFolder(root: string): string {
  return join(root, 'reports');
}
