// `npm run costs`: records what each check spends and how long it takes, writes fixtures/costs.json and fixtures/times.json, and prints
// the changes of the former.
import { existsSync, writeFileSync } from 'node:fs';
import { readSuites } from '../../engine/session/suites.ts';
import { recordedCosts, recordedTimes } from '../../plan/recorded.ts';
import { recordCosts } from './recordCosts.ts';
import { recordTimes, steadied } from './recordTimes.ts';
import { renderChanges, renderCosts, renderTimes } from './renderCosts.ts';

const before = existsSync(recordedCosts.path()) ? recordedCosts.read() : {};
const checks = await readSuites();
const costs = await recordCosts(checks);
writeFileSync(recordedCosts.path(), renderCosts(costs));
const times = await recordTimes(checks);
const timesBefore = existsSync(recordedTimes.path()) ? recordedTimes.read() : {};
writeFileSync(recordedTimes.path(), renderTimes(steadied(timesBefore, times)));
const changes = renderChanges(before, costs);
console.log(changes.length === 0 ? 'No check spends more or less than before.' : changes.join('\n'));
