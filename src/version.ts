import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './catalogue/packageRoot.ts';

/** The version of this package. */
export const version = (
  JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
).version;
