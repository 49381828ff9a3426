// `npm run schemas`: writes the files that are derived from tables and schemas; a unit test fails if they are out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { publishedFiles } from './published.ts';

for (const [path, text] of Object.entries(publishedFiles())) writeFileSync(join(packageRoot(), path), text);
