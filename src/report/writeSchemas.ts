// `npm run schemas`: writes the published JSON Schemas; a unit test tells when they are out of date.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../catalogue/packageRoot.ts';
import { publishedSchemas } from './publishedSchemas.ts';

const folder = join(packageRoot(), 'schemas');
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(publishedSchemas())) await writeFile(join(folder, name), text);
