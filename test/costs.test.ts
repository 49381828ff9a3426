import { expect, test } from 'vitest';
import { readSuites } from '../src/engine/session/suites.ts';
import { recordedCosts, recordedTimes } from '../src/plan/recorded.ts';
import { leastTimes } from '../src/run/costs/recordTimes.ts';
import { recordCosts } from '../src/run/costs/recordCosts.ts';
import { renderChanges } from '../src/run/costs/renderCosts.ts';

test('every check that sends something has its recorded time (write it anew with npm run costs)', async () => {
  const active = (await readSuites()).filter(({ kind }) => kind !== 'passive').map(({ id }) => id);
  expect(Object.keys(recordedTimes.read()).sort()).toEqual(active.sort());
});

test('recorded times still say what the checks take together, within a fifth', async () => {
  const recorded = Object.values(recordedTimes.read());
  const measured = await leastTimes(await readSuites());
  for (const part of ['turns', 'waits'] as const) {
    const sum = recorded.reduce((total, { least }) => total + (least[part] ?? 0), 0);
    expect(Math.abs(sum - measured[part])).toBeLessThan(0.2 * measured[part]);
  }
});

test('what checks spend stands in fixtures/costs.json (write it anew with npm run costs)', async () => {
  expect(renderChanges(recordedCosts.read(), await recordCosts(await readSuites()))).toEqual([]);
});
