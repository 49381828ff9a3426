import type { Page } from 'playwright-core';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Redactor } from '../src/core/redact.ts';
import { openStandalone, type StandaloneSink } from '../src/sink/openStandalone.ts';
import { sinkTable } from '../src/sink/options.ts';
import { fillIn } from '../src/settings/row.ts';
import { openBrowser, whyNoBrowser } from './support/chromium.ts';

if (whyNoBrowser !== null) console.log(`test/sinkPage.test.ts ${whyNoBrowser}`);

describe.skipIf(whyNoBrowser !== null)('the page of the sink', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let sink: StandaloneSink;
  let page: Page;
  let troubles: string[];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    const authHeader = { name: 'X-API-Key', value: 's3cret-auth-header' };
    const settings = fillIn(sinkTable, { authHeader });
    sink = await openStandalone({ settings, redactor: new Redactor(), show: () => undefined });
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
    await page.goto(sink.pageUrl ?? '');
    await page.getByText('live', { exact: true }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    await sink.close();
    expect(troubles).toEqual([]);
  });

  async function deliver(label: string, body: string, headers: Record<string, string> = {}): Promise<number> {
    const { url = '' } = sink.board.addresses.find((address) => address.label === label) ?? {};
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return answer.status;
  }

  const rows = () => page.locator('tr.arrival');

  test('shows arrivals as they come, the newest first, with headers in order and the body in two ways', async () => {
    await page.getByText('Nothing has arrived yet').waitFor();
    const body = '{"checkin_id":"chk-1","changes":{"status":"FAILED"}}';
    await deliver('web-check-in', body, { 'X-API-Key': 's3cret-auth-header' });
    await deliver('flight-alerts', '{"fid":"007"}');
    await rows().nth(1).waitFor();
    expect(await rows().first().innerText()).toMatch(/flight-alerts\s+POST\s+200\s+007/);
    expect(await rows().nth(1).innerText()).toMatch(
      /web-check-in\s+POST\s+200\s+match X-API-Key ‹[\da-f]{12}›\s+chk-1: status=FAILED/,
    );
    await rows().nth(1).click();
    const detail = page.locator('tr.detail');
    const names = await detail.locator('ol.headers b').allInnerTexts();
    expect(names.map((name) => name.trim().toLowerCase())).toEqual(
      expect.arrayContaining(['host:', 'content-type:', 'x-api-key:']),
    );
    expect(await detail.locator('pre').innerText()).toContain('\n  "changes": {\n');
    await detail.getByRole('button', { name: 'Raw' }).click();
    expect(await detail.locator('pre').innerText()).toBe(body);
    expect(await page.content()).not.toContain('s3cret');
  });

  test('takes markup for the text that it is', async () => {
    const nasty = '<img src=x onerror=alert(1)></script><script>alert(2)</script>';
    await deliver('web-check-in', JSON.stringify({ fid: nasty, changes: { [nasty]: nasty } }), {
      'X-Nasty': nasty,
    });
    await rows().first().click();
    expect(await page.locator('tr.detail ol.headers').innerText()).toContain(nasty);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  test('lets a person choose what is answered, and refuses what is no script', async () => {
    const card = page.locator('article', { hasText: 'flight-alerts' });
    const answer = card.locator('form.answer');
    await answer.locator('input').fill('503x2,200');
    await answer.getByRole('button').click();
    await answer.getByText('done').waitFor();
    expect([
      await deliver('flight-alerts', '{}'),
      await deliver('flight-alerts', '{}'),
      await deliver('flight-alerts', '{}'),
    ]).toEqual([503, 503, 200]);
    await rows().nth(2).waitFor();
    await answer.locator('input').fill('maybe');
    await answer.getByRole('button').click();
    await answer.getByText('comma-separated answers').waitFor();
    expect(troubles.splice(0)).toEqual([expect.stringContaining('400')]);
    expect(await deliver('flight-alerts', '{}')).toBe(200);
  });

  test('checks a callbackApiKey that becomes known later, and never shows it', async () => {
    await deliver('flight-alerts', '{}', { Authorization: 'cbk_s3cret_1' });
    await deliver('flight-alerts', '{}', { Authorization: 'Bearer cbk_s3cret_1' });
    const expectation = page.locator('article', { hasText: 'flight-alerts' }).locator('form.expect');
    await expectation.locator('input').fill('cbk_s3cret_1');
    await expectation.getByRole('button').click();
    await page.getByText('1 with a wrong or missing Authorization').waitFor();
    expect(await rows().nth(1).innerText()).toContain('match Authorization');
    expect(await rows().first().innerText()).toContain('with Bearer in front');
    expect(await expectation.locator('input').inputValue()).toBe('');
    expect(await page.content()).not.toContain('s3cret');
  });

  test('opens further addresses, filters, and saves a HAR', async () => {
    await page.locator('#open input').fill('staging');
    await page.locator('#open button').click();
    await page.locator('article', { hasText: 'staging' }).waitFor();
    await deliver('staging', '{"a":1}');
    await deliver('web-check-in', '{"b":2}');
    await rows().nth(1).waitFor();
    await page.locator('#filter select').selectOption('staging');
    expect(await page.locator('tr.arrival:visible').count()).toBe(1);
    await page.locator('#filter select').selectOption('');
    await page.locator('#filter input[type=search]').fill('"b":2');
    expect(await page.locator('tr.arrival:visible').innerText()).toContain('web-check-in');
    const har = (await (await fetch(`${sink.pageUrl ?? ''}har`)).json()) as { log: { entries: unknown[] } };
    expect(har.log.entries).toHaveLength(2);
  });

  test('is of no use to who does not know its address, or comes by another name', async () => {
    const url = new URL(sink.pageUrl ?? '');
    expect((await fetch(url.origin)).status).toBe(404);
    expect((await fetch(`${sink.server.url}${url.pathname}`)).status).toBe(404);
    const led = await request(url, { headers: { host: 'evil.example.com' } });
    await led.body.dump();
    expect(led.statusCode).toBe(404);
    const response = await fetch(url);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('keeps at most two hundred rows in a flood', async () => {
    await Promise.all(
      Array.from({ length: 300 }, (_, index) => deliver('web-check-in', `{"fid":"${index}"}`)),
    );
    await page.getByText('300 deliveries').first().waitFor();
    await expect.poll(() => rows().count()).toBe(200);
  });
});
