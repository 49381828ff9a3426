import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { JourneyTotals } from '../src/load/journeys/journeyTotals.ts';
import { Recorder } from '../src/load/send/recorder.ts';
import { parseThreshold } from '../src/load/summary/thresholds.ts';
import { openDashboard } from '../src/run/dashboard.ts';
import type { LoadView } from '../src/load/load.ts';
import { openBrowser, whyNoBrowser } from './support/chromium.ts';
import { samplePlan } from './support/load.ts';
import { sampleLoad } from './support/sampleLoad.ts';
import { writeSampleReport } from './support/sampleReports.ts';
import { sampleResult } from './support/sampleResult.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A load of two stages, ten seconds after its start. */
function running(): LoadView {
  const recorder = new Recorder(1000);
  for (let atMs = 0; atMs < 10_000; atMs += 50)
    recorder.record(
      {
        ...{ operation: 'wci.list', status: '200', kind: 'ok', atMs, latencyMs: 5 + atMs / 100 },
        ...{ serviceMs: 4, latenessMs: 1, example: null },
      },
      null,
    );
  const stage = { fromPerSecond: 20, toPerSecond: 20, durationMs: 10_000 };
  const threshold = parseThreshold('p99<90ms');
  return {
    plan: { ...samplePlan, durationMs: 20_000, stages: [stage, { ...stage, toPerSecond: 60 }] },
    ...{ planned: 600, recorder, journeys: new JourneyTotals(), callbacks: () => null, broken: () => 0 },
    ...{
      startedAt: systemClock.monotonic() - 11_000,
      runId: 'r',
      target: 'http://a.test',
      connections: null,
    },
    ...{ keys: 4, thresholds: threshold === null ? [] : [threshold] },
  };
}

describe.skipIf(whyNoBrowser !== null)('the dashboard of a load', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let folder: string;
  beforeAll(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'gatecheck-dashboard-'));
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function faultsOf(page: Page): Promise<unknown> {
    await page.addScriptTag({ path: axePath });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    return page.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    );
  }

  test.each([
    ['wide', 1280, 'light'],
    ['narrow', 390, 'light'],
    ['dark', 1280, 'dark'],
  ] as const)(
    'shows how thresholds stand, the plan, the stages, and the report at the end: %s',
    async (_look, width, colorScheme) => {
      await using dashboard = Object.assign(await openDashboard(0, systemClock), {
        [Symbol.asyncDispose]: () => dashboard.close(),
      });
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
      dashboard.start(running());
      await page.goto(dashboard.url);
      await page.getByRole('heading', { name: 'Running, stage 2 of 2' }).waitFor();
      expect(await page.locator('dl').innerText()).toMatch(/p99<90ms\s+✗ so far\s+10\d(\.\d)? ms/);
      expect(await page.locator('svg.chart').count()).toBeGreaterThan(1);
      // Each second the chart is drawn anew, under the pointer.
      const shownAt = async () => {
        await page.locator('.point rect').nth(4).hover({ force: true });
        return page.locator('.point:hover text').allTextContents();
      };
      await expect
        .poll(shownAt, { timeout: 10_000 })
        .toEqual([expect.stringContaining('from 4 s: median 4')]);
      expect(await faultsOf(page)).toEqual([]);
      const report = await writeSampleReport('load', join(folder, String(width) + colorScheme));
      const result = sampleResult({ load: sampleLoad() });
      await dashboard.finish(result, report);
      await page.locator('[data-report][href^="blob:"]').waitFor();
      expect(await page.locator('main').innerText()).toContain(report);
      expect(await faultsOf(page)).toEqual([]);
      await page.close();
    },
  );
});
