import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, whyNoBrowser } from './support/chromium.ts';
import { reportKinds, writeSampleReport, type ReportKind } from './support/sampleReports.ts';

if (whyNoBrowser !== null) console.log(`test/report.test.ts ${whyNoBrowser}`);

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const looks = [
  { name: '1280 wide', width: 1280, colorScheme: 'light' },
  { name: '390 wide', width: 390, colorScheme: 'light' },
  { name: 'dark', width: 1280, colorScheme: 'dark' },
] as const;

describe.skipIf(whyNoBrowser !== null)('the page of a report', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let folder: string;
  const addresses = new Map<ReportKind, string>();
  let troubles: string[];
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    folder = await mkdtemp(join(tmpdir(), 'gatecheck-report-'));
    for (const kind of reportKinds) {
      const path = await writeSampleReport(kind, join(folder, kind));
      addresses.set(kind, pathToFileURL(path).href);
    }
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => expect(troubles).toEqual([]));

  async function open(kind: ReportKind, given: Parameters<typeof browser.newPage>[0] = {}, hash = '') {
    troubles = [];
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...given });
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (line) => line.type() === 'error' && troubles.push(line.text()));
    page.on('dialog', (dialog) => {
      troubles.push('a dialog');
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) troubles.push(`a request to ${request.url()}`);
    });
    await page.goto(`${addresses.get(kind) ?? ''}${hash}`);
    return page;
  }

  /** Where the page itself is, of which the browser's driver hears a moment later. */
  const address = () => page.evaluate<string>('location.href');

  const cases = reportKinds.flatMap((kind) => looks.map((look) => ({ kind, ...look, look: look.name })));

  test.each(cases)(
    'of a $kind run, $look, has no fault that axe knows, and fits',
    async ({ kind, width, colorScheme }) => {
      await open(kind, { viewport: { width, height: 900 }, colorScheme });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      // Playwright evaluates past the policy of the page, which lets no other script in.
      const session = await page.context().newCDPSession(page);
      await session.send('Page.setBypassCSP', { enabled: true });
      await page.reload();
      await page.addScriptTag({ path: axePath });
      // What is folded is to be without faults as well.
      await page.evaluate('document.querySelectorAll("details").forEach((fold) => { fold.open = true; })');
      const faults = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as {
          axe: { run: () => Promise<{ violations: AxeViolation[] }> };
        };
        const { violations } = await axe.run();
        return violations.map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .map(({ html }) => html)
              .slice(0, 3)
              .join(' | ')}`,
        );
      });
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  test('shows the deciding request and answer with the offending member marked, and no other finding open', async () => {
    await open('failing');
    const card = page.locator('.cause').first();
    expect(await card.locator('.detail mark').first().textContent()).toContain('"booking_id": "230311"');
    expect(await card.locator('.difference mark').first().textContent()).toBe('"230311"');
    expect(await card.locator('.decisive').textContent()).toContain(
      'POST /extPartner/api/webcheckin/subscribe',
    );
    expect(await page.locator('.cause .detail:visible').count()).toBe(1);
    await page.close();
  });

  test('leads from requirement to finding to evidence and back, by addresses that one can send on', async () => {
    await open('failing', {}, '#WCI-STS-017');
    const row = page.locator('#WCI-STS-017');
    await row.getByRole('link', { name: 'finding' }).click();
    // It belongs to the cause of another finding, whose card opens.
    const finding = page.locator(`[id^="finding-WCI-STS-017"]`);
    expect(await finding.isVisible()).toBe(true);
    await page.locator('.cause').first().getByRole('link', { name: 'x601', exact: true }).click();
    expect(await page.locator('#evidence-x601 + tr.whole').textContent()).toContain('HTTP 200');
    await page.goBack();
    await expect.poll(address).toContain('#finding-WCI-STS-017');
    await page.close();
  });

  test('shows what one reads, and folds what one looks up until it is linked to', async () => {
    await open('failing');
    const shown = (part: string) => page.locator(part).isVisible();
    expect(await shown('.cause:first-child .detail')).toBe(true);
    expect([await shown('#rules'), await shown('#exchanges'), await shown('#side-effects ul')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(await page.locator('#requirements > details > summary').innerText()).toContain('2 failed');
    await page.locator('nav').getByRole('link', { name: 'Requirements' }).click();
    await expect.poll(() => shown('#rules')).toBe(true);
    await page.goto(`${addresses.get('failing') ?? ''}#evidence/x601`);
    await expect.poll(() => shown('#evidence-x601')).toBe(true);
    await page.close();
  });

  test('filters by the address, and puts what one filters by into it', async () => {
    await open('failing', {}, '#requirements?verdict=fail');
    await expect.poll(() => page.locator('#rules > tr').count()).toBe(2);
    await page.locator('#rule-filter input').fill('nothing like it');
    await expect.poll(address).toContain('words=nothing');
    await expect.poll(() => page.locator('#rules > tr').count()).toBe(0);
    await page.close();
  });

  test('saves what a filter shows as CSV', async () => {
    await open('failing', {}, '#requirements?verdict=fail');
    await expect.poll(() => page.locator('#rules > tr').count()).toBe(2);
    const coming = page.waitForEvent('download');
    await page.locator('#rule-filter').getByRole('button', { name: 'Save as CSV' }).click();
    const lines = (await readFile(await (await coming).path(), 'utf8')).split('\r\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual([
      'requirement',
      'WCI-SUB-007',
      'WCI-STS-017',
      '',
    ]);
    await page.close();
  });

  test('tells what changed since the run before, and since when a requirement fails', async () => {
    await open('failing');
    const history = (await page.locator('#history').innerText()).replace(/\s+/g, ' ');
    expect(history).toContain('1 requirement newly failing (WCI-STS-017), 0 no longer failing');
    expect(await page.locator('#history tbody tr').count()).toBe(5);
    expect(await page.locator('.cause').first().innerText()).toContain(
      'failed in 3 of 5 runs, first 2026-01-29',
    );
    await page.close();
  });

  test('zooms its plots, which scroll then', async () => {
    await open('load');
    const figure = page.locator('figure.card').first();
    const width = async () => (await figure.locator('svg.chart').boundingBox())?.width ?? 0;
    const before = await width();
    await figure.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(width).toBeGreaterThan(1.9 * before);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
    await figure.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(width).toBe(before);
    await page.close();
  });

  test('is used by keys: / searches everything, j and k go through the findings, ? tells them', async () => {
    await open('failing');
    await page.keyboard.press('/');
    await page.keyboard.type('booking_id number');
    await expect.poll(() => page.locator('#found a').count()).toBeGreaterThan(1);
    await page.keyboard.press('Escape');
    expect(await page.locator('#found').isVisible()).toBe(false);
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement?.id'))
      .toMatch(/^finding-FLA-CB-006/);
    await page.keyboard.press('k');
    await expect
      .poll(() => page.evaluate<string>('document.activeElement?.id'))
      .toMatch(/^finding-WCI-SUB-007/);
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.close();
  });

  test('copies a finding as a ticket, with the callback that decides and without a key', async () => {
    await open('failing', {}, '#finding-FLA-CB-006.11111111');
    await page.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => ((globalThis.copied = text), Promise.resolve()) } })`,
    );
    const ticketOf = async (fingerprint: string) => {
      const card = page.locator(`[id="finding-${fingerprint}"]`);
      await card.getByRole('button', { name: 'Copy as Markdown' }).click();
      return page.evaluate<string>('globalThis.copied');
    };
    const callback = await ticketOf('FLA-CB-006.11111111');
    expect(callback).toContain('## FLA-CB-006: ');
    expect(callback).toContain('- Target: `Example Airways QA, https://qa.example`, 2026-');
    expect(callback).toMatch(/\*\*Callback c\d+\*\*\n\n```http\nPOST /);
    expect(callback).toContain('```diff\n- expected: ');
    expect(callback).toContain('[In the report](file://');
    const answer = await ticketOf('WCI-SUB-007.3c83f93c');
    expect(answer).toContain('"booking_id": "230311",   ← here');
    expect(answer).toContain('X-API-Key: ‹key ');
    await page.close();
  });

  test('arrives where an address points, though lists before it grow and parts fold', async () => {
    await open('failing');
    for (const anchor of ['WCI-UPD-030', 'side-effects', 'WCI-SUB-007', 'open-points']) {
      await page.evaluate(`location.hash = '#${anchor}'`);
      const place = `document.getElementById('${anchor}').getBoundingClientRect().top`;
      const isLast = 'scrollY + innerHeight >= document.documentElement.scrollHeight - 2';
      await expect.poll(() => page.evaluate<boolean>(`Math.abs(${place} - 16) < 3 || ${isLast}`)).toBe(true);
    }
    await page.close();
  });

  test('shows all that a search counts', async () => {
    await open('failing');
    await page.locator('#search').fill('update');
    await page.locator('#found').getByRole('button', { name: 'more' }).first().click();
    const heading = (await page.locator('#found h3').first().textContent()) ?? '';
    const counted = Number(/\((\d+)\)/.exec(heading)?.[1]);
    expect(counted).toBeGreaterThan(12);
    expect(await page.locator('#found ul').first().locator('li').count()).toBe(counted);
    await page.close();
  });

  test('has verdict, findings and rules also without a script, and prints on a few pages', async () => {
    await open('failing', { javaScriptEnabled: false });
    expect(await page.locator('h1').textContent()).toContain('nonconformant');
    expect(await page.locator('noscript .cause').count()).toBe(2);
    expect(await page.locator('noscript tr').count()).toBeGreaterThan(3);
    await page.close();
    await open('failing');
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect((paper.match(/\/Type\s*\/Page\b/g) ?? []).length).toBeLessThanOrEqual(5);
    await page.close();
  });

  test('lets nothing run that a target sent', async () => {
    await open('hostile');
    await page.locator('.cause').first().getByRole('button', { name: 'details' }).click();
    expect(await page.evaluate<number>(`document.querySelectorAll('img, iframe, object').length`)).toBe(0);
    expect(await page.evaluate(() => 'stolen' in globalThis)).toBe(false);
    await page.close();
  });

  test('of a load whose threshold failed says so, without bars of conformance', async () => {
    await open('load');
    expect(await page.locator('h1').textContent()).toContain('gate not met: ');
    expect(await page.locator('.verdict.nonconformant').count()).toBe(1);
    expect(await page.locator('.bars').count()).toBe(0);
    await page.close();
  });
});

interface AxeViolation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}
