// Part of `npm run build`: stores the YAML files of the fixtures as JSON, which loads much faster.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './packageRoot.ts';
import { parsedFile, renderParsed } from './readYaml.ts';

const folder = join(packageRoot(), 'fixtures');
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const paths = names.filter((name) => name.endsWith('.yaml')).map((name) => join(folder, name));
writeFileSync(parsedFile(), renderParsed(paths));
