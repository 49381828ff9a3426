import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../../core/errors.ts';

/** Names that a config file may have. */
export const configNames = ['ts', 'js', 'json', 'yaml'].map((ending) => `gatecheck.config.${ending}`);

/** The config file of the nearest folder upward that has one; null where none has. */
export function findConfig(folder: string): string | null {
  const found = configNames.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found.length > 1) throw ambiguous(found);
  if (found[0] !== undefined) return found[0];
  const parent = dirname(folder);
  return parent === folder ? null : findConfig(parent);
}

function ambiguous(found: readonly string[]): Error {
  return usageError(
    'AMBIGUOUS_CONFIG',
    `expected one config file in a folder; got ${found.join(' and ')}`,
    'Remove all but one, or name one with --config.',
  );
}
