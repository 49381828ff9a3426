import { expect, test } from 'vitest';
import { loadSuites } from '../src/engine/suites.ts';
import { recordedCosts } from '../src/plan/recordedCosts.ts';
import { recordCosts } from '../src/run/costs/recordCosts.ts';
import { renderChanges } from '../src/run/costs/renderCosts.ts';

test('what checks spend stands in fixtures/costs.json (write it anew with npm run costs)', async () => {
  expect(renderChanges(recordedCosts(), await recordCosts(await loadSuites()))).toEqual([]);
});
