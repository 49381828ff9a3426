// `npm run order`: writes fixtures/informative.txt from what `prove --curve` left in reports/prove.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../catalogue/packageRoot.ts';
import { informativeFile } from '../../plan/informative.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { planRun } from '../planRun.ts';
import { type Curve, informativeOrder } from './informativeOrder.ts';

const file = process.argv[2] ?? join(packageRoot(), 'reports', 'prove', 'curve.json');
const { rows } = JSON.parse(readFileSync(file, 'utf8')) as Curve;
const found = rows.filter(({ requests }) => requests !== null);
const settings = resolveSettings(
  { target: 'http://127.0.0.1:1', seed: 1, keys: { primary: 'env:KEY' } },
  { env: { KEY: 'one-key-of-nobody' } },
);
const { checks } = await planRun(settings);
writeFileSync(informativeFile(), `${informativeOrder(found, checks).join('\n')}\n`);
