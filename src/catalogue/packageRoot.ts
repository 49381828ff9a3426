import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exitCodes, GatecheckError } from '../core/errors.ts';

/** The folder of Gatecheck's own package.json, searched upward from a module, so that it works in `src` and in `dist`. */
export function packageRoot(moduleUrl: string = import.meta.url): string {
  let folder = dirname(fileURLToPath(moduleUrl));
  while (packageName(folder) !== 'gatecheck') {
    const parent = dirname(folder);
    if (parent === folder) throw notFound(moduleUrl);
    folder = parent;
  }
  return folder;
}

function packageName(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown }).name;
  } catch {
    return undefined;
  }
}

function notFound(moduleUrl: string): GatecheckError {
  return new GatecheckError(
    'PACKAGE_ROOT_NOT_FOUND',
    `Expected the package.json of gatecheck in a folder above ${moduleUrl}, found none.`,
    { exitCode: exitCodes.internal, hint: 'Install Gatecheck again; its files must stay together.' },
  );
}
