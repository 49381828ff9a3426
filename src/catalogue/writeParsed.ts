// Part of `npm run build`, and done before the tests: stores the YAML files of the fixtures as JSON, which loads much faster.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from './packageRoot.ts';
import { parsedFile, renderParsed } from './readYaml.ts';

const folder = join(packageRoot(), 'fixtures');
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const paths = names.filter((name) => name.endsWith('.yaml')).map((name) => join(folder, name));
mkdirSync(dirname(parsedFile()), { recursive: true });
writeFileSync(parsedFile(), renderParsed(paths));
