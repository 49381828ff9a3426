import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultForm } from '../src/run/proxy/faults.ts';
import { openProxy, type StandingProxy } from '../src/run/proxy/proxy.ts';
import { resolveSettings } from '../src/settings/settings.ts';
import { startReference, type StartedReference } from '../src/reference/startReference.ts';
import { openBrowser, whyNoBrowser } from './support/chromium.ts';

if (whyNoBrowser !== null) console.log(`test/proxyPage.test.ts ${whyNoBrowser}`);

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const list = '/extPartner/api/webcheckin/requests';

describe.skipIf(whyNoBrowser !== null)('the page of the proxy', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let folder: string;
  let reference: StartedReference;
  let proxy: StandingProxy;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatecheck-proxy-'));
    reference = await startReference({ seed: 5 });
    const settings = resolveSettings(
      { target: 'embedded', seed: 7, reportDir: join(folder, 'report'), keys: { primary: 'env:ONE' } },
      { env: { ONE: reference.keys.primary.join(',') } },
    );
    proxy = await openProxy(settings, {
      ...{ target: reference.url, listen: { host: '127.0.0.1', port: 0 }, takesCallbacks: false },
      ...{ faults: [faultForm.parse('latency=1ms')], pathSecret: null, isOneEnterprise: false, apis: null },
      ...{ har: null, pagePort: 0, command: 'gatecheck proxy', root: folder },
      ...{ notice: () => undefined, show: () => undefined },
    });
    troubles = [];
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (line) => {
      if (line.type() === 'error') troubles.push(line.text());
    });
    page.on('dialog', (dialog) => {
      troubles.push('a dialog');
      void dialog.dismiss();
    });
    await page.goto(proxy.pageUrl ?? '');
    await page.getByText('live', { exact: true }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    await proxy.finish();
    await reference.close();
    await rm(folder, { recursive: true });
    expect(troubles).toEqual([]);
  });

  const rows = () => page.locator('tr.arrival:visible');

  async function ask(path: string, key = reference.keys.primary[0] ?? ''): Promise<number> {
    const answer = await fetch(`${proxy.url}${path}`, { headers: { 'x-api-key': key } });
    await answer.text();
    return answer.status;
  }

  test('shows what passes as it comes, the newest first, whole when it is opened, and no key', async () => {
    await page.getByText('Nothing has passed yet').waitFor();
    await ask(list);
    await ask(`${list}?page=<img src=x onerror=alert(1)>`, 'nobody-knows-this-key');
    await rows().nth(1).waitFor();
    expect(await rows().first().innerText()).toMatch(/401/);
    expect(await rows().nth(1).innerText()).toMatch(/wci\.list\s+primary#1\s+200/);
    await rows().nth(1).getByRole('button').click();
    expect(await page.locator('tr.detail:visible').innerText()).toMatch(
      /Request[\s\S]*Answer[\s\S]*"pagination"/,
    );
    const content = await page.content();
    for (const key of ['nobody-knows-this-key', ...reference.keys.primary])
      expect(content).not.toContain(key);
    expect(await page.locator('img').count()).toBe(0);
  });

  test('adds and removes faults, says what is wrong with one, and filters', async () => {
    await page.getByLabel('Add').fill('nonsense');
    await page.getByRole('button', { name: 'Add' }).click();
    await expect.poll(() => page.locator('#fault output').innerText()).not.toBe('');
    // The browser logs every refusal of its own accord.
    expect(troubles.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
    await page.getByLabel('Add').fill('429=5x1');
    await page.getByRole('button', { name: 'Add' }).click();
    await expect.poll(() => page.locator('#faults li').count()).toBe(2);
    expect(await ask(list)).toBe(429);
    expect(await ask(list)).toBe(200);
    await rows().first().waitFor();
    await expect.poll(() => page.locator('#counts').innerText()).toContain('struck by a fault');
    await page.getByLabel('Holds').fill('nothing like it');
    await expect.poll(() => rows().count()).toBe(0);
    await page.getByLabel('Holds').fill('');
    await page.locator('#faults li').first().getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => page.locator('#faults li').count()).toBe(1);
  });

  test('has no fault that axe knows, wide, narrow and dark', async () => {
    await ask(list);
    await rows().first().waitFor();
    await rows().first().getByRole('button').click();
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setBypassCSP', { enabled: true });
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [390, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await rows().first().waitFor();
      await page.addScriptTag({ path: axePath });
      const faults = await page.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).slice(0, 3).join(' | ')))`,
      );
      expect(faults).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });
});
