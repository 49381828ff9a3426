import { expect, test } from 'vitest';
import { loadSuites } from '../src/engine/suites.ts';
import type { RecordedChecks } from '../src/plan/recorded.ts';
import { recordedCosts } from '../src/plan/recordedCosts.ts';
import { recordedTimes, type CheckTime } from '../src/plan/recordedTimes.ts';
import { recordTimes } from '../src/run/costs/recordTimes.ts';
import { recordCosts } from '../src/run/costs/recordCosts.ts';
import { renderChanges } from '../src/run/costs/renderCosts.ts';

test('every check that sends something has its recorded time (write it anew with npm run costs)', async () => {
  const active = (await loadSuites()).filter(({ kind }) => kind !== 'passive').map(({ id }) => id);
  expect(Object.keys(recordedTimes.read()).sort()).toEqual(active.sort());
});

test('recorded times still say what the checks take together, within a fifth', async () => {
  const sum = (times: RecordedChecks<CheckTime>, part: 'turns' | 'waits') =>
    Object.values(times).reduce((total, { least }) => total + (least[part] ?? 0), 0);
  const now = await recordTimes(await loadSuites());
  for (const part of ['turns', 'waits'] as const) {
    const [recorded, measured] = [sum(recordedTimes.read(), part), sum(now, part)];
    expect(Math.abs(recorded - measured)).toBeLessThan(0.2 * measured);
  }
}, 60_000);

test('what checks spend stands in fixtures/costs.json (write it anew with npm run costs)', async () => {
  expect(renderChanges(recordedCosts.read(), await recordCosts(await loadSuites()))).toEqual([]);
});
