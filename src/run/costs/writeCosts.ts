// `npm run costs`: records what each check spends, writes fixtures/costs.json and prints what has changed.
import { existsSync, writeFileSync } from 'node:fs';
import { loadSuites } from '../../engine/suites.ts';
import { costsFile, recordedCosts } from '../../plan/recordedCosts.ts';
import { recordCosts } from './recordCosts.ts';
import { renderChanges, renderCosts } from './renderCosts.ts';

const before = existsSync(costsFile()) ? recordedCosts() : {};
const costs = await recordCosts(await loadSuites());
writeFileSync(costsFile(), renderCosts(costs));
const changes = renderChanges(before, costs);
console.log(changes.length === 0 ? 'No check spends more or less than before.' : changes.join('\n'));
